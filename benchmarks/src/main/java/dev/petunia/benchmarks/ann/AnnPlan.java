package dev.petunia.benchmarks.ann;

import dev.petunia.benchmarks.Options;
import dev.petunia.core.internal.Checks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a run measures.
 *
 * @param data the data folder
 * @param sets names of sets, at least one
 * @param n base vectors
 * @param queries queries
 * @param systems names of the systems, this index's configurations first
 * @param parts what is measured
 * @param builds how indexes are built
 * @param rounds how searches are timed
 * @param scaling sizes and systems of the scaling part
 * @param plots the folder that gets a drawing of each set
 * @param heap heap of each child JVM, as in -Xmx
 * @param petuniaJvm further JVM arguments for Petunia's children
 */
record AnnPlan(
    Optional<Path> data,
    List<String> sets,
    int n,
    int queries,
    List<String> systems,
    List<Part> parts,
    Builds builds,
    Rounds rounds,
    Scaling scaling,
    Optional<Path> plots,
    String heap,
    List<String> petuniaJvm) {
  static final int K = 10;
  static final int M = 16;
  static final int EF_CONSTRUCTION = 200;

  /** ann.SET.ef400.recall needs it. */
  static final int REPORTED_EF = 400;

  private static final int[] GRID = {10, 16, 24, 32, 48, 64, 100, 128, 192, 256, REPORTED_EF, 800};
  private static final int[] QUICK_GRID = {10, 24, 48, 100, 192, REPORTED_EF};

  /**
   * How indexes are built.
   *
   * @param threads threads
   * @param repeats how often each index is built; the fastest counts
   * @param single whether this index and hnswlib are also built with one thread
   */
  record Builds(int threads, int repeats, boolean single) {}

  /**
   * How searches are timed.
   *
   * @param ef the grid of beam widths
   * @param count rounds at each ef; the fastest counts
   * @param roundMillis shortest duration of a round
   * @param warmMillis warm-up of each system, in all
   * @param cpuClock whether processor time counts instead of the time that passed
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Rounds(int[] ef, int count, int roundMillis, int warmMillis, boolean cpuClock) {
    /** Above the reported ef one round is enough: these points are there for their recall. */
    int at(int width) {
      return width > REPORTED_EF ? 1 : count;
    }
  }

  /**
   * The scaling part.
   *
   * @param max most vectors
   * @param systems names; the first one's exponent is the run's
   */
  record Scaling(int max, List<String> systems) {}

  static List<String> help() {
    return List.of(
        "--set NAMES         of " + AnnSets.NAMES + ", by commas (default: all that are there)",
        "--n N               only the first N base vectors (default 100000; generated 50000)",
        "--queries N         only the first N queries (default 2000)",
        "--quick             10,000 vectors, 500 queries, few ef, short rounds: for a look",
        "--parts NAMES       of " + Part.NAMES + ", by commas (default " + Part.USUAL + ")",
        "--petunia NAMES     of " + variants() + ": what its walk compares; or none; default all",
        "--peers NAMES       of " + Systems.PEERS + ", or none",
        "                    (default " + Systems.USUAL_PEERS + ")",
        "--no-scalar         leave out this index without the vector module",
        "--threads N         threads of the builds (default 2); searches always have one",
        "--builds N          build each index N times, the fastest counts (default 1)",
        "--build1            build this index and hnswlib with one thread as well",
        "--ef A,B,C          the grid of ef (default " + Arrays.toString(GRID) + ")",
        "--rounds N          rounds at each ef to 400, the fastest counts (default 3)",
        "--round-ms N        shortest round in milliseconds (default 400)",
        "--warm-ms N         warm-up of each system in milliseconds (default 4000)",
        "--plots DIR         draws recall against QPS into DIR/recall-qps-SET.svg",
        "--scaling-max N     most vectors of the scaling part (default 100000, up to 1000000)",
        "--scaling NAMES     systems of the scaling part (default petunia,hnswlib)",
        "--cpu-clock         processor time instead of time passed: for a machine that others use",
        "--heap SIZE         heap of each child JVM (default 4g)",
        "--petunia-jvm ARGS  further JVM arguments for this index, by commas");
  }

  private static List<String> variants() {
    return List.copyOf(Systems.VARIANTS.keySet());
  }

  static AnnPlan of(Options o) {
    boolean quick = o.flag("quick");
    Optional<Path> data = o.data();
    List<String> found = data.isPresent() ? AnnSets.OF_DATA : List.of(Generated.NAME);
    List<String> sets = o.words("set", found, AnnSets.NAMES);
    if (sets.isEmpty()) {
      throw Checks.bad("--set", "none", "one or more of " + AnnSets.NAMES);
    }
    int fallback = quick ? 10_000 : data.isPresent() ? 100_000 : 50_000;
    AnnPlan plan =
        new AnnPlan(
            data,
            sets,
            o.number("n", fallback, K, 10_000_000),
            o.number("queries", quick ? 500 : 2000, 1, 1_000_000),
            systems(o),
            Part.of(o.words("parts", Part.USUAL, Part.NAMES)),
            new Builds(
                o.number("threads", 2, 1, 1024), o.number("builds", 1, 1, 100), o.flag("build1")),
            new Rounds(
                o.numbers("ef", quick ? QUICK_GRID : GRID, K, 100_000),
                o.number("rounds", quick ? 2 : 3, 1, 1000),
                o.number("round-ms", quick ? 100 : 400, 1, 600_000),
                o.number("warm-ms", quick ? 1000 : 4000, 0, 600_000),
                o.flag("cpu-clock")),
            new Scaling(
                o.number("scaling-max", quick ? 30_000 : 100_000, 30_000, 1_000_000),
                o.words("scaling", List.of(Systems.PETUNIA, Systems.HNSWLIB), Systems.ALL)),
            o.text("plots").map(Path::of),
            o.text("heap").orElse("4g"),
            o.text("petunia-jvm").map(s -> List.of(s.split(","))).orElse(List.of()));
    if (!plan.heap.matches("[1-9]\\d*[mMgG]")) {
      throw Checks.bad("--heap", plan.heap, "a number with m or g, such as 4g");
    }
    if (plan.plots.isPresent() && !Files.isDirectory(plan.plots.get())) {
      throw Checks.bad("--plots", plan.plots.get(), "a folder that exists");
    }
    o.refuseUnread();
    return plan;
  }

  private static List<String> systems(Options o) {
    List<String> systems = new ArrayList<>();
    for (String variant : o.words("petunia", variants(), variants())) {
      systems.add(variants(variant));
    }
    boolean scalar = !o.flag("no-scalar");
    if (scalar && systems.contains(Systems.PETUNIA)) {
      systems.add(Systems.SCALAR);
    }
    systems.addAll(o.words("peers", Systems.USUAL_PEERS, Systems.PEERS));
    if (systems.isEmpty()) {
      throw Checks.bad("--petunia and --peers", "none", "at least one system");
    }
    return List.copyOf(systems);
  }

  private static String variants(String word) {
    return Checks.present("--petunia " + word, Systems.VARIANTS.get(word));
  }

  /** This index's configurations that change: the first two, to bound the time. */
  List<String> changed() {
    return systems.stream().filter(Systems.VARIANTS::containsValue).limit(2).toList();
  }

  /** The systems whose built index some part measures. */
  List<String> measured() {
    return systems.stream()
        .filter(name -> parts.stream().anyMatch(part -> part.measures(name)))
        .toList();
  }

  /** The scalar twin gets every third ef: it shows a ratio, and takes long. */
  boolean measures(String system, int index) {
    return !system.equals(Systems.SCALAR) || index % 3 == 0;
  }
}

package dev.petunia.rerank;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.petunia.core.Ticker;
import dev.petunia.onnx.ModelException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Tries a model before it is called ready, and says what was found. On the thread that loads.
 *
 * <p>Golden scores: a file {@value #GOLDEN} beside the graph.
 *
 * <pre>{@code
 * {"tolerance": 1e-4, "cases": [{"query": "...", "document": "...", "score": 0.36}, ...]}
 * }</pre>
 *
 * <p>{@code tolerance} is that of the score, 1e-3 when absent.
 */
final class SelfCheck {
  static final String GOLDEN = "petunia-golden.json";

  /** Most that a float model's logit may differ alone and behind a prefix, relative above 1. */
  private static final double PREFIX_TOLERANCE = 1e-3;

  static final String QUERY = "What is the capital of China?";
  private static final String NEAR = "The capital of China is Beijing.";
  private static final String FAR =
      "Gravity is a force that attracts two bodies towards each other.";

  static final List<String> PASSAGES = List.of(NEAR, FAR);

  private static final String PLANET = "Which planet is known as the Red Planet?";

  /** Passages and logits (yes − no) from the tests of sentence-transformers, fp32. */
  private static final List<Golden> PUBLISHED =
      List.of(
          new Golden(
              PLANET,
              "Venus is often called Earth's twin because of its similar size and proximity.",
              -3.109298),
          new Golden(
              PLANET,
              "Mars, known for its reddish appearance, is often referred to as the Red Planet.",
              7.120390),
          new Golden(
              PLANET,
              "Jupiter, the largest planet in our solar system, has a prominent red spot.",
              -0.378755),
          new Golden(
              PLANET,
              "Saturn, famous for its rings, is sometimes mistaken for the Red Planet.",
              3.541637));

  /** Agreement asked of fp32 and of other precisions, in logits. */
  private static final double PUBLISHED_FP32 = 5e-3;

  private static final double PUBLISHED_OTHER = 2;

  private final GraphScorer scorer;
  private final GraphScorer alone;
  private final CostModel cost;
  private final Ticker ticker;
  private final boolean fp32;
  private final List<String> found = new ArrayList<>();

  /**
   * @param alone the same model without prefix reuse
   */
  SelfCheck(GraphScorer scorer, GraphScorer alone, boolean fp32, CostModel cost, Ticker ticker) {
    this.scorer = scorer;
    this.alone = alone;
    this.fp32 = fp32;
    this.cost = cost;
    this.ticker = ticker;
  }

  private record Golden(String query, String document, double expected) {}

  /**
   * Runs the checks of a level.
   *
   * @param folder where golden scores may be
   * @return what was found, for people
   * @throws ModelException when a check fails
   */
  String run(CheckLevel level, Path folder) {
    logit(scorer, QUERY, NEAR); // the first run prepares things; it would spoil the measurement
    double near = logit(scorer, QUERY, NEAR);
    found.add("scores are numbers");
    if (level == CheckLevel.QUICK) {
      return String.join("; ", found);
    }
    double far = logit(scorer, QUERY, FAR);
    if (near == far) {
      throw new ModelException(
          "two different passages have the same logit, " + near + ": passages aren't read", null);
    }
    found.add("different passages differ");
    if (scorer.reusesPrefix()) {
      prefix(near, far);
    }
    Path golden = folder.resolve(GOLDEN);
    if (Files.exists(golden)) {
      golden(golden);
    }
    if (level == CheckLevel.PUBLISHED) {
      published();
    }
    return String.join("; ", found);
  }

  private void prefix(double near, double far) {
    double worst = 0;
    double limit = 0;
    for (String passage : PASSAGES) {
      double expected = logit(alone, QUERY, passage);
      double drift = Math.abs(expected - (passage.equals(NEAR) ? near : far));
      limit = PREFIX_TOLERANCE * Math.max(1, Math.abs(expected));
      worst = Math.max(worst, drift);
      if (fp32 && drift > limit) {
        throw new ModelException(
            String.format(
                Locale.ROOT,
                "a passage alone and behind a shared prefix have logits %.6f apart, allowed: %.4f",
                drift,
                limit),
            null);
      }
    }
    found.add(String.format(Locale.ROOT, "alone and behind a prefix %.1e apart", worst));
  }

  private void golden(Path file) {
    double tolerance;
    List<Golden> cases = new ArrayList<>();
    try {
      JsonObject root = JsonParser.parseString(Files.readString(file)).getAsJsonObject();
      tolerance = root.has("tolerance") ? root.get("tolerance").getAsDouble() : 1e-3;
      JsonArray all = root.getAsJsonArray("cases");
      for (JsonElement e : all) {
        JsonObject c = e.getAsJsonObject();
        cases.add(
            new Golden(
                c.get("query").getAsString(),
                c.get("document").getAsString(),
                c.get("score").getAsDouble()));
      }
    } catch (IOException | RuntimeException e) { // Gson has many
      throw new ModelException(file + " holds no golden scores: " + e, e);
    }
    double worst = 0;
    for (Golden g : cases) {
      double score = Job.squash(logit(scorer, g.query, g.document));
      double difference = Math.abs(score - g.expected);
      worst = Math.max(worst, difference);
      if (!(difference <= tolerance)) {
        throw new ModelException(
            String.format(
                Locale.ROOT,
                "golden score of \"%s\" is %.6f, computed %.6f, allowed: %.1e apart",
                g.document,
                g.expected,
                score,
                tolerance),
            null);
      }
    }
    found.add(String.format(Locale.ROOT, "%d golden scores within %.1e", cases.size(), worst));
  }

  private void published() {
    double allowed = fp32 ? PUBLISHED_FP32 : PUBLISHED_OTHER;
    double worst = 0;
    for (Golden g : PUBLISHED) {
      double logit = logit(scorer, g.query, g.document);
      worst = Math.max(worst, Math.abs(logit - g.expected));
      if (!(Math.abs(logit - g.expected) <= allowed)) {
        throw new ModelException(
            String.format(
                Locale.ROOT,
                "published logit of \"%s\" is %.6f, computed %.6f, allowed: %.3f apart",
                g.document,
                g.expected,
                logit,
                allowed),
            null);
      }
    }
    found.add(String.format(Locale.ROOT, "published scores within %.1e", worst));
  }

  private double logit(GraphScorer by, String query, String passage) {
    try (Scorer.Question q = by.question(query)) {
      if (q.prefixTokens() > 0) {
        q.prefix();
      }
      Scorer.Document d = q.document(passage);
      long start = ticker.nanos();
      double logit = q.score(d);
      cost.took(q.cost(d), ticker.nanos() - start);
      if (!Double.isFinite(logit)) {
        throw new ModelException("the model computed " + logit + " for a pair of texts", null);
      }
      return logit;
    }
  }
}

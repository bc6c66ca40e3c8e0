package dev.petunia.dedup;

import dev.petunia.core.internal.Checks;
import dev.petunia.core.internal.Utf8Order;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * A sample of edges for a person to read: whether what the numbers call near-duplicates is so. The
 * sheet is a CSV file with both texts and what tells them apart; the reader fills its column {@code
 * verdict}.
 *
 * <p>The sample is uniform, without replacement, and depends on the edges, the size and the seed
 * only. Pairs with equal shingle sets are most of the edges where texts are ingested again and
 * again, and teach little: they are left out unless asked for.
 */
public final class SpotCheck {
  private static final List<String> HEAD =
      List.of(
          "sheet",
          "number",
          "chunk_a",
          "chunk_b",
          "jaccard",
          "only_in_a",
          "only_in_b",
          "text_a",
          "text_b",
          "verdict",
          "note");

  private static final int MOST = 100_000;

  /** What a reader may say. */
  public enum Says {
    /** One can stand for the other. */
    SAME,
    /** The same template about different things. */
    TEMPLATE,
    /** Different texts. */
    DIFFERENT,
    /** The reader can't tell; not counted in the precision. */
    UNSURE;

    private static Says of(String word, String where) {
      for (Says s : values()) {
        if (s.word().equals(word.strip().toLowerCase(Locale.ROOT))) {
          return s;
        }
      }
      throw Checks.bad(
          "verdict of " + where,
          word,
          List.of(values()).stream().map(Says::word).collect(Collectors.joining(", "))
              + ", or nothing");
    }

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What a reader said of a pair.
   *
   * @param edge the pair
   * @param says the verdict
   * @param note the reader's
   */
  public record Answer(Edge edge, Says says, String note) {}

  private final List<Edge> edges;
  private final int population;
  private final String fingerprint;

  private SpotCheck(List<Edge> edges, int population, long seed) {
    this.edges = List.copyOf(edges);
    this.population = population;
    MessageDigest digest = Resources.sha256();
    digest.update(("seed " + seed + "\n").getBytes(StandardCharsets.UTF_8));
    for (Edge e : edges) {
      digest.update(
          (e.chunkA() + "\0" + e.chunkB() + "\0" + e.overlap() + "\n")
              .getBytes(StandardCharsets.UTF_8));
    }
    this.fingerprint = HexFormat.of().formatHex(digest.digest()).substring(0, 16);
  }

  /**
   * Draws a sample.
   *
   * @param size most pairs, 1 to 100,000; all when there are fewer
   * @param seed another one gives another sample
   * @param withIdentical whether pairs with equal shingle sets are drawn too
   */
  public static SpotCheck sample(EdgeStore edges, int size, long seed, boolean withIdentical) {
    Checks.present("edges", edges);
    Checks.range("size", size, 1, MOST);
    List<Edge> all = new ArrayList<>();
    edges.forEach(
        e -> {
          if (withIdentical || e.overlap().intersection() < e.overlap().union()) {
            all.add(e);
          }
        });
    all.sort(
        Comparator.comparing(Edge::chunkA, Utf8Order.COMPARATOR)
            .thenComparing(Edge::chunkB, Utf8Order.COMPARATOR));
    SplittableRandom random = new SplittableRandom(seed);
    int n = Math.min(size, all.size());
    for (int i = 0; i < n; i++) { // the beginning of a Fisher-Yates shuffle
      int j = random.nextInt(i, all.size());
      Edge e = all.get(i);
      all.set(i, all.get(j));
      all.set(j, e);
    }
    return new SpotCheck(all.subList(0, n), all.size(), seed);
  }

  /** The pairs, in the order of the sheet. */
  public List<Edge> edges() {
    return edges;
  }

  /** How many edges the sample was drawn from. */
  public int population() {
    return population;
  }

  /** 16 hex digits that the sheet carries, so that it is not taken for another sample's. */
  public String fingerprint() {
    return fingerprint;
  }

  /**
   * The sheet, without verdicts.
   *
   * @throws IllegalArgumentException when a text is not known
   */
  public String sheet(DedupIndex index, TextSource texts) {
    Checks.present("index", index);
    Checks.present("texts", texts);
    StringBuilder out = new StringBuilder();
    Csv.row(out, HEAD);
    int number = 0;
    for (Edge e : edges) {
      Difference d = index.explain(e.chunkA(), e.chunkB(), texts).difference();
      Csv.row(
          out,
          List.of(
              fingerprint,
              Integer.toString(++number),
              e.chunkA(),
              e.chunkB(),
              String.format(Locale.ROOT, "%.4f", e.jaccard()),
              tokens(d.onlyInA()),
              tokens(d.onlyInB()),
              String.valueOf(texts.text(e.chunkA())),
              String.valueOf(texts.text(e.chunkB())),
              "",
              ""));
    }
    return out.toString();
  }

  private static String tokens(List<DifferingToken> tokens) {
    return tokens.stream().map(DifferingToken::token).collect(Collectors.joining(" "));
  }

  /**
   * Reads a sheet that a person filled. Rows may be missing or without a verdict: those are not
   * judged yet.
   *
   * @throws IllegalArgumentException when it is another sample's sheet, has a pair that is not in
   *     the sample or has one twice, or a verdict that is none
   */
  public List<Answer> answers(String sheet) {
    List<List<String>> rows = Csv.parse(Checks.present("sheet", sheet));
    if (rows.isEmpty() || !rows.getFirst().equals(HEAD)) {
      throw Checks.bad(
          "sheet's first row",
          rows.isEmpty() ? "" : String.join(",", rows.getFirst()),
          String.join(",", HEAD));
    }
    Map<List<String>, Edge> byIds = new HashMap<>();
    edges.forEach(e -> byIds.put(List.of(e.chunkA(), e.chunkB()), e));
    Set<List<String>> seen = new HashSet<>();
    List<Answer> out = new ArrayList<>();
    for (int i = 1; i < rows.size(); i++) {
      List<String> row = rows.get(i);
      String where = "row " + (i + 1);
      if (row.size() != HEAD.size()) {
        throw Checks.bad(where, row.size() + " fields", HEAD.size() + " fields");
      }
      if (!row.get(0).equals(fingerprint)) {
        throw Checks.bad(
            "sheet in " + where, row.get(0), fingerprint + ", as this sample's sheet has");
      }
      List<String> ids = row.subList(2, 4);
      Edge edge = byIds.get(ids);
      if (edge == null) {
        throw Checks.bad("pair in " + where, String.join(", ", ids), "a pair of the sample");
      }
      if (!seen.add(ids)) {
        throw Checks.bad("pair in " + where, String.join(", ", ids), "each pair once");
      }
      if (!row.get(9).isBlank()) {
        out.add(new Answer(edge, Says.of(row.get(9), where), row.get(10)));
      }
    }
    return out;
  }

  /** Keeps the answers with the index: SAME for the same, TEMPLATE and DIFFERENT for not. */
  public static void judge(DedupIndex index, List<Answer> answers) {
    for (Answer a : answers) {
      if (a.says() != Says.UNSURE) {
        index.judge(
            a.edge().chunkA(),
            a.edge().chunkB(),
            a.says() == Says.SAME,
            a.says().word() + (a.note().isBlank() ? "" : ": " + a.note()));
      }
    }
  }

  /** For people: how far the sample is judged, and the precision of what was. */
  public String summary(List<Answer> answers) {
    Map<Says, Long> counts =
        answers.stream().collect(Collectors.groupingBy(Answer::says, Collectors.counting()));
    long same = counts.getOrDefault(Says.SAME, 0L);
    long judged = answers.size() - counts.getOrDefault(Says.UNSURE, 0L);
    String of =
        "sample " + fingerprint + " of " + edges.size() + " pairs among " + population + ": ";
    if (judged == 0) {
      return of + "awaiting a reader";
    }
    double[] interval = wilson(same, judged);
    return of
        + String.format(
            Locale.ROOT,
            "%d judged, %d same, %d template, %d different, %d unsure; precision %.3f [%.3f, %.3f]%s",
            judged,
            same,
            counts.getOrDefault(Says.TEMPLATE, 0L),
            counts.getOrDefault(Says.DIFFERENT, 0L),
            counts.getOrDefault(Says.UNSURE, 0L),
            (double) same / judged,
            interval[0],
            interval[1],
            answers.size() < edges.size()
                ? "; " + (edges.size() - answers.size()) + " awaiting a reader"
                : "");
  }

  /**
   * The 95 % interval of a proportion (Wilson 1927).
   *
   * @param hits 0 to n
   * @param n at least 1
   * @return low and high, 0 to 1
   */
  static double[] wilson(long hits, long n) {
    double z = 1.959963984540054;
    double p = (double) hits / n;
    double middle = p + z * z / (2 * n);
    double half = z * Math.sqrt(p * (1 - p) / n + z * z / (4.0 * n * n));
    double scale = 1 + z * z / n;
    return new double[] {
      Math.max(0, (middle - half) / scale), Math.min(1, (middle + half) / scale)
    };
  }
}

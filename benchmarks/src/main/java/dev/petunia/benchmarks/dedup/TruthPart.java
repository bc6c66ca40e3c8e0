package dev.petunia.benchmarks.dedup;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Recall and precision against all pairs, under the library's normalizer and under tokens that have
 * nothing to do with it. Where the data has a file of pairs, the join is compared with it.
 */
final class TruthPart implements DedupPart {
  private double worstEdges = 1;
  private double worstCounted = 1;
  private double worstPrecision = 1;

  @Override
  public String name() {
    return "truth";
  }

  @Override
  public void run(DedupContext c) throws IOException {
    worstEdges = 1;
    worstCounted = 1;
    worstPrecision = 1;
    c.print(
        "%nrecall and precision at 18 x 7; truth by an exact join of its own%n"
            + "  %-10s %-12s %8s | %-21s %-19s %-19s | %9s %6s %6s%n",
        "corpus",
        "tokens",
        "texts",
        "J = 1: found of",
        ".90 <= J < 1",
        ".80 <= J < .90",
        "edges",
        "wrong",
        "histo.");
    for (String name : c.names()) {
      Corpus corpus = c.corpora().read(name);
      check(c, corpus, Tokens.Kind.NORMALIZER, "normalizer");
      if (Corpora.OTHERS.contains(name)) {
        check(c, corpus, Tokens.Kind.ALPHANUMERIC, "alnum");
      } else {
        check(c, corpus, Tokens.Kind.BLANKS, "blanks");
      }
    }
    c.add("min_recall_ge90", worstEdges, "ratio");
    c.add("min_recall_80_90", worstCounted, "ratio");
    c.add("precision", worstPrecision, "ratio");
    c.print(
        "  worst: recall %.6f at J >= .90, %.5f at .80 to .90; precision %.6f%n"
            + "  histo.: difference between the run's histogram and the pairs that share a band%n",
        worstEdges, worstCounted, worstPrecision);
  }

  private void check(DedupContext c, Corpus corpus, Tokens.Kind kind, String label)
      throws IOException {
    Tokens tokens = Tokens.of(corpus, kind);
    ExactSets sets = ExactSets.of(tokens.numbers());
    List<Pair> truth = ExactJoin.pairs(sets);
    Found f = Found.of(tokens.texts(), sets, truth);
    c.print(
        "  %-10s %-12s %,8d | %,9d of %,-8d %,8d of %,-7d %,8d of %,-7d | %,9d %6d %6d%n",
        corpus.name(),
        label,
        corpus.size(),
        f.identical().found(),
        f.identical().all(),
        f.similar().found(),
        f.similar().all(),
        f.counted().found(),
        f.counted().all(),
        f.edges(),
        f.wrongEdges(),
        f.histogramError());
    if (f.histogramError() != 0) {
      throw new IllegalStateException(
          "the run's histogram of " + corpus.name() + " is not that of the nominated pairs");
    }
    String metric = corpus.name() + "." + label;
    c.add(metric + ".recall_ge90", f.edgeRecall().recall(), "ratio");
    c.add(metric + ".recall_ge90_not_identical", f.similar().recall(), "ratio");
    c.add(metric + ".recall_80_90", f.counted().recall(), "ratio");
    c.add(metric + ".precision", f.precision(), "ratio");
    worstEdges = Math.min(worstEdges, f.edgeRecall().recall());
    worstCounted = Math.min(worstCounted, f.counted().recall());
    worstPrecision = Math.min(worstPrecision, f.precision());
    compareWithFiles(c, corpus, kind, sets, truth);
  }

  private static void compareWithFiles(
      DedupContext c, Corpus corpus, Tokens.Kind kind, ExactSets sets, List<Pair> truth)
      throws IOException {
    boolean isOther = Corpora.OTHERS.contains(corpus.name());
    Path file = c.corpora().truth(corpus.name(), isOther ? Tokens.Kind.ALPHANUMERIC : kind);
    if (file == null) {
      return;
    }
    if (isOther) {
      compareNamed(c, corpus, file, sets, truth);
      return;
    }
    Map<Long, Pair> there = TruthFiles.numbered(file, corpus.size());
    there.values().removeIf(p -> !p.isAtLeast(8));
    List<Pair> onlyHere = new ArrayList<>();
    List<Pair> otherOverlap = new ArrayList<>();
    for (Pair p : truth) {
      Pair t = there.remove(p.key());
      if (t == null) {
        onlyHere.add(p);
      } else if (!t.equals(p)) {
        otherOverlap.add(p);
      }
    }
    c.print(
        "    %s: %d pairs only here, %d only there, %d with another overlap%n",
        file.getFileName(), onlyHere.size(), there.size(), otherOverlap.size());
    List<Pair> odd = new ArrayList<>(onlyHere);
    odd.addAll(there.values());
    odd.addAll(otherOverlap);
    if (odd.isEmpty()) {
      return;
    }
    if (kind != Tokens.Kind.NORMALIZER) {
      throw new IllegalStateException("the exact join differs from " + file);
    }
    c.print("    why: %s%n", Differing.why(corpus, odd));
  }

  private static void compareNamed(
      DedupContext c, Corpus corpus, Path file, ExactSets sets, List<Pair> truth)
      throws IOException {
    Map<Long, String> there = TruthFiles.named(file, corpus);
    Map<Long, Pair> here = new HashMap<>();
    truth.forEach(p -> here.put(p.key(), p));
    long same = 0;
    long edgesThere = 0;
    long edgesHere = truth.stream().filter(p -> p.isAtLeast(9)).count();
    long both = 0;
    for (Map.Entry<Long, String> e : there.entrySet()) {
      Pair p = sets.pair((int) (e.getKey() >> 32), e.getKey().intValue());
      double j = p.union() == 0 ? 0 : (double) p.intersection() / p.union();
      same += rounded(j).equals(e.getValue()) ? 1 : 0;
      boolean isEdge = Double.parseDouble(e.getValue()) >= 0.9;
      edgesThere += isEdge ? 1 : 0;
      both += isEdge && p.isAtLeast(9) ? 1 : 0;
      here.remove(e.getKey());
    }
    c.print(
        "    %s: of %,d pairs %,d have this similarity; of its %,d with J >= .90 %,d have J >= .90"
            + " here too; here %,d have; %,d with J >= .80 are not in it%n",
        file.getFileName(), there.size(), same, edgesThere, both, edgesHere, here.size());
  }

  /** As the files round. */
  private static String rounded(double j) {
    return new BigDecimal(j).setScale(4, RoundingMode.HALF_EVEN).toPlainString();
  }
}

package dev.petunia.benchmarks.dedup;

import dev.petunia.dedup.SetAccess;
import dev.petunia.dedup.Shingler;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The library against hash4j and java-LSH on the same shingle sets: signatures alone, and all from
 * sets to verified pairs. In "collapsed" all have equal sets joined first, in "plain" none has.
 */
final class PeersPart implements DedupPart {
  private double signatureFactor;
  private double hash4jFactor;
  private double javaLshFactor;

  @Override
  public String name() {
    return "peers";
  }

  /** Rates of one contestant on one corpus. */
  private record Rates(double signatures, double collapsed, double plain) {}

  @Override
  public void run(DedupContext c) throws Exception {
    signatureFactor = Double.MAX_VALUE;
    hash4jFactor = Double.MAX_VALUE;
    javaLshFactor = Double.MAX_VALUE;
    for (Corpus corpus : List.of(c.corpora().longer(), c.corpora().shorter())) {
      compare(c, corpus);
    }
    c.add("signature_vs_hash4j", signatureFactor, "ratio");
    c.add("total_vs_hash4j", hash4jFactor, "ratio");
    c.add("vs_java_lsh", javaLshFactor, "ratio");
    c.print(
        "  the worse corpus: signatures %.1f x the best hash4j; in all %.2f x the best hash4j,"
            + " %.1f x java-LSH%n",
        signatureFactor, hash4jFactor, javaLshFactor);
  }

  private void compare(DedupContext c, Corpus corpus) throws Exception {
    List<long[]> sets = new ArrayList<>();
    for (String text : corpus.texts()) {
      sets.add(Shingler.v1().shingles(text).hashes());
    }
    List<Pair> truth =
        ExactJoin.pairs(ExactSets.of(Tokens.of(corpus, Tokens.Kind.NORMALIZER).numbers()));
    SetAccess.Join own = SetAccess.join(sets, SetAccess::keys, true);
    List<long[]> distinct = new ArrayList<>();
    for (int i = 0; i < sets.size(); i++) {
      if (own.firsts()[i] == i && sets.get(i).length > 0) {
        distinct.add(sets.get(i));
      }
    }
    c.print(
        "%n%s: %,d sets, %,d distinct; rates by CPU time, bands 18 x 7 and comparison the same%n"
            + "  %-24s %12s | %12s %9s %8s %10s | %12s %9s %8s%n",
        corpus.name(),
        sets.size(),
        distinct.size(),
        "",
        "signatures/s",
        "collapsed/s",
        "J >= .90",
        ".80-.90",
        "compared",
        "plain/s",
        "J >= .90",
        ".80-.90");
    Rates ours = rates(c, Contestants.petunia(), sets, distinct, truth);
    double bestSignatures = 0;
    double bestTotal = 0;
    double bestPlain = 0;
    for (Contestant peer : Contestants.hash4j()) {
      Rates r = rates(c, peer, sets, distinct, truth);
      bestSignatures = Math.max(bestSignatures, r.signatures());
      bestTotal = Math.max(bestTotal, r.collapsed());
      bestPlain = Math.max(bestPlain, r.plain());
    }
    Rates javaLsh = rates(c, Contestants.javaLsh(), sets, distinct, truth);
    String of = corpus.name();
    c.add(of + ".petunia_signatures_per_s", ours.signatures(), "1/s");
    c.add(of + ".petunia_sets_per_s", ours.collapsed(), "1/s");
    c.add(of + ".hash4j_signatures_per_s", bestSignatures, "1/s");
    c.add(of + ".hash4j_sets_per_s", bestTotal, "1/s");
    c.add(of + ".java_lsh_sets_per_s", javaLsh.collapsed(), "1/s");
    c.add(of + ".plain_total_vs_hash4j", ours.plain() / bestPlain, "ratio");
    c.add(of + ".plain_vs_java_lsh", ours.plain() / javaLsh.plain(), "ratio");
    signatureFactor = Math.min(signatureFactor, ours.signatures() / bestSignatures);
    hash4jFactor = Math.min(hash4jFactor, ours.collapsed() / bestTotal);
    javaLshFactor = Math.min(javaLshFactor, ours.collapsed() / javaLsh.collapsed());
  }

  private static Rates rates(
      DedupContext c,
      Contestant contestant,
      List<long[]> sets,
      List<long[]> distinct,
      List<Pair> truth)
      throws Exception {
    contestant.prepare(sets);
    double signatures =
        distinct.size() / CpuTime.best(c.rounds(), () -> SpeedPart.sign(contestant, distinct));
    double[] rates = new double[2];
    String[] recalls = new String[2];
    long compared = 0;
    for (int plain = 0; plain < 2; plain++) {
      boolean isCollapsed = plain == 0;
      SetAccess.Join join = SetAccess.join(sets, contestant, isCollapsed);
      recalls[plain] = recall(join, truth);
      compared = isCollapsed ? join.candidates() : compared;
      rates[plain] =
          sets.size()
              / CpuTime.best(c.rounds(), () -> SetAccess.join(sets, contestant, isCollapsed));
    }
    c.print(
        "  %-24s %,12.0f | %,12.0f %s %,10d | %,12.0f %s%n",
        contestant.name(), signatures, rates[0], recalls[0], compared, rates[1], recalls[1]);
    return new Rates(signatures, rates[0], rates[1]);
  }

  /** Recall from 0.9 on, and of 0.8 to 0.9; each pair that was found must be in the truth. */
  private static String recall(SetAccess.Join join, List<Pair> truth) {
    Set<Long> found = new HashSet<>();
    join.pairs().forEach(p -> found.add(Pair.key(p.earlier(), p.later())));
    long[] all = new long[2];
    long[] hit = new long[2];
    int[] firsts = join.firsts();
    Set<Long> wrong = new HashSet<>(found);
    for (Pair p : truth) {
      int a = firsts[p.a()];
      int b = firsts[p.b()];
      int kind = p.isAtLeast(9) ? 0 : 1;
      all[kind]++;
      hit[kind] += a == b || found.contains(Pair.key(a, b)) ? 1 : 0;
      wrong.remove(p.key());
    }
    if (!wrong.isEmpty()) {
      throw new IllegalStateException(wrong.size() + " pairs were found that are none");
    }
    return String.format(
        Locale.ROOT,
        "%9.6f %8.5f",
        all[0] == 0 ? 1 : (double) hit[0] / all[0],
        all[1] == 0 ? 1 : (double) hit[1] / all[1]);
  }
}

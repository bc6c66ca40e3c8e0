package dev.petunia.examples.dedup;

import dev.petunia.dedup.Cluster;
import dev.petunia.dedup.DedupIndex;
import dev.petunia.dedup.Difference;
import dev.petunia.dedup.DifferingToken;
import dev.petunia.dedup.RunReport;
import dev.petunia.dedup.SuppressionView;
import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** Prints findings for people. */
final class Report {
  private static final int MEMBERS = 6;
  private static final int TOKENS = 8;
  private static final int SNIPPET = 100;

  private final DedupIndex index;
  private final Map<String, String> texts;
  private final SuppressionView view;
  private final PrintStream out;

  Report(DedupIndex index, Map<String, String> texts, SuppressionView view, PrintStream out) {
    this.index = index;
    this.texts = texts;
    this.view = view;
    this.out = out;
  }

  void run(RunReport run, int removed, double seconds) {
    RunReport.Counts c = run.counts();
    out.printf(
        Locale.ROOT,
        "checked     %,d in %.2f s: %,d as before, %,d replaced, %,d gone, %,d without words%n",
        c.documents(),
        seconds,
        c.unchanged(),
        c.replaced(),
        removed,
        c.unshinglable());
    AtomicLong pairs = new AtomicLong();
    AtomicLong equal = new AtomicLong();
    index
        .edges()
        .forEachExpanded(
            e -> {
              pairs.incrementAndGet();
              if (e.overlap().intersection() == e.overlap().union()) {
                equal.incrementAndGet();
              }
            });
    out.printf(
        Locale.ROOT,
        "pairs       %,d with J >= 0.90, of these %,d with equal shingles; this run compared %,d%n",
        pairs.get(),
        equal.get(),
        c.candidates());
    out.printf(
        Locale.ROOT,
        "by J        0.80-0.84 %,d, 0.85-0.89 %,d, 0.90-0.94 %,d, 0.95-0.99 %,d (distinct texts)%n",
        sum(run, 0),
        sum(run, 5),
        sum(run, 10),
        sum(run, 15));
    if (!run.stripped().isEmpty()) {
      out.printf(
          "stripped    %s%n",
          run.stripped().entrySet().stream()
              .sorted(Map.Entry.comparingByKey())
              .map(e -> e.getKey() + " " + e.getValue() + " times")
              .collect(Collectors.joining(", ")));
    }
  }

  private static long sum(RunReport run, int from) {
    return run.histogram().subList(from, from + 5).stream().mapToLong(Long::longValue).sum();
  }

  void clusters(List<Cluster> clusters, int show) {
    int members = clusters.stream().mapToInt(c -> c.members().size()).sum();
    int chained = clusters.stream().mapToInt(c -> c.chained().size()).sum();
    out.printf(
        Locale.ROOT,
        "clusters    %,d of %,d passages; %,d members are in one through others only%n",
        clusters.size(),
        members,
        chained);
    out.printf(
        Locale.ROOT,
        "left out    %,d by the default policy; %,d that are not canonical stay: %s%n",
        view.canonicalOf().size(),
        view.kept().size(),
        reasons());
    List<Cluster> largest =
        clusters.stream()
            .sorted(Comparator.comparingInt((Cluster c) -> -c.members().size()))
            .limit(show)
            .toList();
    largest.forEach(this::cluster);
    if (largest.size() < clusters.size()) {
      out.printf(
          Locale.ROOT,
          "%n... and %,d smaller clusters; --clusters N prints more, --html FILE all%n",
          clusters.size() - largest.size());
    }
  }

  private String reasons() {
    Map<String, Long> counts =
        view.kept().values().stream()
            .map(r -> r.replaceFirst(":.*", ""))
            .collect(Collectors.groupingBy(r -> r, Collectors.counting()));
    return counts.isEmpty()
        ? "none"
        : counts.entrySet().stream()
            .sorted(Map.Entry.comparingByKey())
            .map(e -> e.getKey() + " " + e.getValue())
            .collect(Collectors.joining(", "));
  }

  /** Says when members are similar to the canonical one through others only. */
  static String chain(Cluster c) {
    return c.hops() < 2 ? "" : ", chained: up to " + c.hops() + " edges apart";
  }

  private void cluster(Cluster c) {
    out.printf(
        Locale.ROOT,
        "%n%d passages, least J %.3f%s%s%n  %s  (canonical)%n    %s%n",
        c.members().size(),
        c.minJaccard(),
        c.isMinExact() ? "" : " to the canonical one",
        chain(c),
        c.canonical(),
        snippet(c.canonical()));
    List<Cluster.Member> others = c.members().subList(1, c.members().size());
    for (Cluster.Member m : others.subList(0, Math.min(MEMBERS, others.size()))) {
      out.printf(
          Locale.ROOT,
          "  %s  J %.3f%s, %s%n",
          m.id(),
          m.toCanonical().jaccard(),
          m.isDirect() ? "" : " (chained)",
          verdict(view, m.id()));
      Difference d = index.explain(c.canonical(), m.id(), texts::get).difference();
      if (!d.onlyInA().isEmpty() || !d.onlyInB().isEmpty()) {
        out.printf("    not here: %s | only here: %s%n", some(d.onlyInA()), some(d.onlyInB()));
      }
    }
    if (others.size() > MEMBERS) {
      out.printf("  and %d more%n", others.size() - MEMBERS);
    }
  }

  static String verdict(SuppressionView view, String id) {
    return view.isSuppressed(id) ? "left out" : "stays: " + view.kept().get(id);
  }

  private static String some(List<DifferingToken> tokens) {
    String first =
        tokens.stream().limit(TOKENS).map(DifferingToken::token).collect(Collectors.joining(" "));
    return tokens.isEmpty()
        ? "-"
        : tokens.size() > TOKENS ? first + " and " + (tokens.size() - TOKENS) + " more" : first;
  }

  private String snippet(String id) {
    String text = texts.getOrDefault(id, "").strip().replaceAll("\\s+", " ");
    int end = text.offsetByCodePoints(0, Math.min(SNIPPET, text.codePointCount(0, text.length())));
    return text.substring(0, end) + (end < text.length() ? " ..." : "");
  }
}

package dev.petunia.examples.floor;

import dev.petunia.retriever.Floor;
import dev.petunia.retriever.FloorPassage;
import dev.petunia.retriever.Shortfall;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/** Prints a floor for people. */
final class FloorPrinter {
  private static final int SNIPPET = 160;
  private static final int NAMES = 4;

  private final PrintStream out;

  FloorPrinter(PrintStream out) {
    this.out = out;
  }

  void print(Floor floor, int show) {
    out.printf(
        Locale.ROOT,
        "stages    embedding %s, searching %s, reranking %s; %s in all%n",
        ms(floor.timings().embedding()),
        ms(floor.timings().searching()),
        ms(floor.timings().reranking()),
        ms(floor.timings().total()));
    out.printf(
        "targets   %s%n", floor.targets().isEmpty() ? "none" : String.join(", ", floor.targets()));
    if (!floor.rareTerms().isEmpty()) {
      out.printf("rare      %s%n", String.join(", ", floor.rareTerms()));
    }
    out.printf(
        "scored    %d of %d candidates%s%s%n",
        floor.scored(),
        floor.total(),
        floor.model().map(m -> " by " + m).orElse(""),
        floor.partial() ? " (partial)" : "");
    for (Shortfall s : floor.shortfalls()) {
      out.printf("shortfall %s %s: %s%n", s.stage(), s.reason(), s.detail());
    }
    for (String note : floor.notes()) {
      out.printf("note      %s%n", note);
    }
    floor.fallback().ifPresent(s -> out.println("order     that of fusion, as nothing was scored"));
    int n = Math.min(show, floor.passages().size());
    for (int i = 0; i < n; i++) {
      print(i + 1, floor.passages().get(i));
    }
    if (n < floor.passages().size()) {
      out.printf("%n... and %d more passages of the floor%n", floor.passages().size() - n);
    }
  }

  private void print(int place, FloorPassage p) {
    out.printf("%n%2d. %s%n", place, p.chunk().id());
    out.printf(
        Locale.ROOT,
        "    %s | fused %.4f, place %d | vectors %s, words %s, rare terms %s%n",
        p.scored()
            ? String.format(
                Locale.ROOT,
                "score %.4f (logit %+.3f)%s%s",
                p.score().orElseThrow(),
                p.logit().orElseThrow(),
                p.truncated() ? ", cut" : "",
                p.cached() ? ", remembered" : "")
            : "not scored",
        p.fused(),
        p.poolRank(),
        rank(p.denseRank()),
        rank(p.lexicalRank()),
        rank(p.rareTermRank()));
    if (p.nearExact() || p.jaccard().orElse(0) > 0) {
      out.printf(
          Locale.ROOT,
          "    Jaccard similarity to the question %.2f%s%n",
          p.jaccard().orElse(0),
          p.nearExact()
              ? ": nearly its words, so it heads the floor"
              : p.containsQuestion() ? ": it contains the question" : "");
    }
    if (!p.duplicates().isEmpty()) {
      out.printf("    near-duplicates left out for it: %s%n", names(p.duplicates()));
    }
    String text = p.chunk().text().strip().replaceAll("\\s+", " ");
    int end = text.offsetByCodePoints(0, Math.min(SNIPPET, text.codePointCount(0, text.length())));
    out.printf("    %s%s%n", text.substring(0, end), end < text.length() ? " ..." : "");
  }

  private static String names(List<String> ids) {
    String first = String.join(", ", ids.subList(0, Math.min(NAMES, ids.size())));
    return ids.size() <= NAMES ? first : first + " and " + (ids.size() - NAMES) + " more";
  }

  private static String rank(OptionalInt rank) {
    return rank.isPresent() ? "#" + rank.getAsInt() : "-";
  }

  private static String ms(Duration d) {
    return String.format(Locale.ROOT, "%.1f ms", d.toNanos() / 1e6);
  }
}

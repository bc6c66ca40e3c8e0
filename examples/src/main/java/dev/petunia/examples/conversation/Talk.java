package dev.petunia.examples.conversation;

import dev.petunia.core.Chunk;
import dev.petunia.core.Hit;
import dev.petunia.core.SearchTrace;
import dev.petunia.retriever.ConversationState;
import dev.petunia.retriever.Passage;
import dev.petunia.retriever.RetrievalResult;
import dev.petunia.retriever.Retriever;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One conversation: takes lines, prints answers. The conversation's state is kept here, by the
 * caller.
 */
final class Talk {
  static final String HELP =
      """
      Type a question; ask on with "what about its performance?". Commands:
        :k N              passages a turn, 1 to 100
        :ef N             beam width of the vector search, 1 to 1000; :ef auto
        :lambda X         1 = relevance only ... 0 = diversity only
        :filter EXPR      such as  package == java.util  and kind in (method, class); :filter off
        :mode M           hybrid, dense or lexical
        :exclude on|off   leave out what was served in this conversation
        :compare on|off   show plain per-turn search beside each answer
        :explain N        how passage N of the last answer was found, and the search's trace
        :new              a new conversation
        :options          the options as they are
        :quit             end (or Ctrl-D)
      """;

  private final Retriever retriever;
  private final PrintStream out;
  final Settings settings;
  private ConversationState state = ConversationState.start();
  private @Nullable RetrievalResult last;
  private @Nullable RetrievalResult plain;

  Talk(Retriever retriever, Settings settings, PrintStream out) {
    this.retriever = retriever;
    this.settings = settings;
    this.out = out;
  }

  /** Answers a line; false when the user wants to end. */
  boolean line(String raw) {
    String line = raw.strip();
    if (line.isEmpty()) {
      return true;
    }
    try {
      if (line.startsWith(":")) {
        return command(line);
      }
      ask(line);
    } catch (IllegalArgumentException e) {
      out.println("  " + e.getMessage());
    }
    return true;
  }

  private boolean command(String line) {
    String[] parts = line.substring(1).split("\\s+", 2);
    String name = parts[0].toLowerCase(Locale.ROOT);
    String value = parts.length > 1 ? parts[1].strip() : "";
    switch (name) {
      case "quit", "q", "exit" -> {
        return false;
      }
      case "help", "h", "?" -> out.print(HELP);
      case "new" -> {
        state = ConversationState.start();
        last = null;
        out.println("  a new conversation");
      }
      case "options" -> out.println("  " + settings);
      case "explain" -> explain(value);
      default -> out.println("  " + settings.set(name, value));
    }
    return true;
  }

  private void ask(String question) {
    RetrievalResult result = retriever.search(settings.request(question).in(state));
    last = result;
    plain = settings.compare ? retriever.search(settings.request(question)) : null;
    boolean follows = state.turns() > 0;
    state = result.next();
    int n = 0;
    for (Passage p : result.passages()) {
      n++;
      out.printf("%2d  %s%n", n, title(p.chunk()));
      out.printf("    %s%n", excerpt(p.chunk(), 220));
      out.printf("    %s%n", why(p, result));
    }
    if (n == 0) {
      out.println("    nothing matches" + (settings.filter.isPresent() ? "; :filter off?" : ""));
    }
    if (!result.leftOut().isEmpty()) {
      out.println(
          "    left out, served before: "
              + String.join(
                  ", ", result.leftOut().stream().map(p -> title(p.chunk())).distinct().toList()));
    }
    if (result.truncated()) {
      out.println("    the question is longer than the model reads; its end was not seen");
    }
    out.printf("    %s%n", costs(result));
    RetrievalResult beside = plain;
    if (beside != null && follows) {
      out.println("    plain per-turn search would have served:");
      int i = 0;
      for (Passage p : beside.passages()) {
        out.printf("      %2d  %s%n", ++i, title(p.chunk()));
      }
    }
  }

  /** The answer to the last question; empty before the first. */
  Optional<RetrievalResult> lastAnswer() {
    return Optional.ofNullable(last);
  }

  /** What plain search would have answered; empty when it was not asked. */
  Optional<RetrievalResult> lastPlain() {
    return Optional.ofNullable(plain);
  }

  static String title(Chunk c) {
    Object type = c.attributes().get("class");
    Object member = c.attributes().get("member");
    if (type == null) {
      Object title = c.attributes().get("title");
      Object section = c.attributes().get("section");
      return c.entryId()
          + (title == null ? "" : " · " + title)
          + (section == null ? "" : " · " + section)
          + " #"
          + c.ordinal();
    }
    return type
        + (member == null ? "" : "." + member)
        + " · "
        + c.attributes().getOrDefault("package", "")
        + " · "
        + c.attributes().getOrDefault("kind", "");
  }

  private static String excerpt(Chunk c, int length) {
    String text = c.text().replaceAll("\\s+", " ").strip();
    return text.length() <= length
        ? text
        : text.substring(
                0,
                text.offsetByCodePoints(0, Math.min(length, text.codePointCount(0, text.length()))))
            + " …";
  }

  private static String why(Passage p, RetrievalResult result) {
    List<String> parts = new ArrayList<>();
    if (p.dense().isPresent()) {
      Hit hit = p.dense().get();
      parts.add(String.format(Locale.ROOT, "score %.3f", hit.score()));
      if (result.targets().size() > 1) {
        parts.add("nearest to the " + result.targets().get(hit.nearestTarget()));
      }
      parts.add("vector rank " + p.denseRank().orElseThrow());
    }
    parts.add(
        p.lexicalRank().isPresent()
            ? "text rank " + p.lexicalRank().getAsInt()
            : "not among the text hits");
    if (p.dense().isEmpty()) {
      parts.add("not among the vector hits");
    } else if (p.dense().get().seed() != null) {
      parts.add("by way of " + p.dense().get().seed());
    }
    return String.join(", ", parts);
  }

  private static String costs(RetrievalResult r) {
    String trace =
        r.trace()
            .map(
                t ->
                    String.format(
                        Locale.ROOT,
                        "; %s, ef %d, %d vectors compared%s",
                        t.strategy().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        t.effectiveEf(),
                        t.distancesComputed(),
                        t.seedsUsed() > 0 ? ", " + t.seedsUsed() + " seeds" : ""))
            .orElse("");
    return String.format(
        Locale.ROOT,
        "%.1f ms embedding, %.1f ms searching%s",
        r.embedding().toNanos() / 1e6,
        r.searching().toNanos() / 1e6,
        trace);
  }

  private void explain(String value) {
    RetrievalResult r = last;
    if (r == null) {
      throw new IllegalArgumentException(":explain comes after a question");
    }
    int n;
    try {
      n = Integer.parseInt(value);
    } catch (NumberFormatException e) {
      n = 0;
    }
    if (n < 1 || n > r.passages().size()) {
      throw new IllegalArgumentException(
          ":explain is \"" + value + "\", allowed: 1 to " + r.passages().size());
    }
    Passage p = r.passages().get(n - 1);
    out.println("  id          " + p.chunk().id());
    out.println("  attributes  " + p.chunk().attributes());
    out.printf(Locale.ROOT, "  fused       %.5f = Σ 1 / (60 + rank)%n", p.fused());
    out.println(
        "  text rank   " + (p.lexicalRank().isPresent() ? p.lexicalRank().getAsInt() : "none"));
    if (p.dense().isPresent()) {
      Hit h = p.dense().get();
      out.println("  vector rank " + p.denseRank().orElseThrow());
      out.printf(Locale.ROOT, "  distance    %.4f, score %.4f%n", h.distance(), h.score());
      for (int t = 0; t < h.targetDistances().size(); t++) {
        out.printf(
            Locale.ROOT, "    to the %-13s %.4f%n", r.targets().get(t), h.targetDistances().get(t));
      }
      out.println(
          "  found from  " + (h.seed() == null ? "the entry point" : "the seed " + h.seed()));
    } else {
      out.println("  vector rank none: not among the nearest vectors looked at");
    }
    r.trace().ifPresent(t -> out.println(trace(t)));
    out.println("  text search for: " + r.lexicalText().replace('\n', '|'));
    out.println("  ---");
    p.chunk().text().lines().forEach(l -> out.println("  " + l));
  }

  private static String trace(SearchTrace t) {
    return String.format(
        Locale.ROOT,
        """
          search      %s, ef %d: %d nodes visited, %d vectors compared, %.2f ms
                      seeds: %d used, %d unknown, %d equal to another, %d not allowed as results
                      filter asked %d times; %d served passages kept out, %d unknown\
        """
            .stripTrailing(),
        t.strategy(),
        t.effectiveEf(),
        t.nodesVisited(),
        t.distancesComputed(),
        t.nanos() / 1e6,
        t.seedsUsed(),
        t.seedsUnknown(),
        t.seedsDuplicate(),
        t.seedsFilteredOut(),
        t.filterEvaluations(),
        t.excluded(),
        t.againstUnknown());
  }
}

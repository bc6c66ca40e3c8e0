package dev.petunia.examples.dedup;

import dev.petunia.dedup.Cluster;
import dev.petunia.dedup.DedupIndex;
import dev.petunia.dedup.Difference;
import dev.petunia.dedup.DifferingToken;
import dev.petunia.dedup.Normalizer;
import dev.petunia.dedup.SuppressionView;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page with the clusters side by side: the canonical member on the left, each other one beside
 * it, words marked that only one of the two has. One file that needs no network; without scripts it
 * shows everything, with them it filters.
 */
final class HtmlPage {
  /** What the normalizer makes a token of: a letter of a script without spaces, or a word. */
  private static final Pattern WORD =
      Pattern.compile(
          "[\\p{IsHan}\\p{IsHiragana}\\p{IsKatakana}\\p{IsThai}\\p{IsLao}\\p{IsKhmer}\\p{IsMyanmar}]\\p{M}*"
              + "|[\\p{L}\\p{M}\\p{N}_]+(?:(?:\\.|::)[\\p{L}\\p{M}\\p{N}_]+)*");

  private static final String HEAD =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Near-duplicates</title>
      <style>
        :root { color-scheme: light dark; --line: #8886; --mark: #ffd54a; --ink: #222; }
        body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 80rem; padding: 1rem; }
        h1 { font-size: 1.5rem; }
        input { font: inherit; padding: .3rem .5rem; width: min(30rem, 100%); box-sizing: border-box; }
        details { border: 1px solid var(--line); border-radius: .4rem; margin: .6rem 0; }
        summary { cursor: pointer; padding: .5rem .8rem; overflow-wrap: anywhere; }
        .pair { border-top: 1px solid var(--line); display: grid; gap: 1rem; padding: .8rem;
                grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
        .facts { grid-column: 1 / -1; font-size: .9rem; overflow-wrap: anywhere; }
        .text { white-space: pre-wrap; overflow-wrap: anywhere; font: .85rem/1.45 ui-monospace, monospace;
                max-height: 24rem; overflow: auto; }
        mark { background: var(--mark); color: var(--ink); }
        @media (max-width: 45rem) { .pair { grid-template-columns: minmax(0, 1fr); } }
      </style>
      </head>
      <body>
      """;

  private static final String SCRIPT =
      """
      <script>
        const box = document.getElementById('filter');
        const shown = document.getElementById('shown');
        const all = [...document.querySelectorAll('details')];
        box.addEventListener('input', () => {
          const words = box.value.toLowerCase();
          let n = 0;
          for (const d of all) {
            const fits = d.textContent.toLowerCase().includes(words);
            d.hidden = !fits;
            n += fits ? 1 : 0;
          }
          shown.textContent = n + ' of ' + all.length + ' clusters';
        });
      </script>
      """;

  private final DedupIndex index;
  private final Map<String, String> texts;
  private final SuppressionView view;

  HtmlPage(DedupIndex index, Map<String, String> texts, SuppressionView view) {
    this.index = index;
    this.texts = texts;
    this.view = view;
  }

  String of(String corpus, List<Cluster> clusters) {
    StringBuilder s = new StringBuilder(HEAD);
    s.append("<h1>Near-duplicates: ").append(escape(corpus)).append("</h1>\n<p>");
    s.append(clusters.size()).append(" clusters. The default policy leaves out ");
    s.append(view.canonicalOf().size()).append(" passages and keeps ");
    s.append(view.kept().size()).append(" others that are not canonical. ");
    s.append("Marked words are in one of the two texts only, or more often.</p>\n");
    s.append("<p><label>Filter: <input id=\"filter\" type=\"search\"></label> ");
    s.append("<span id=\"shown\" role=\"status\">").append(clusters.size());
    s.append(" clusters</span></p>\n<main>\n");
    for (int i = 0; i < clusters.size(); i++) {
      cluster(clusters.get(i), i == 0, s); // one is open, to show what is behind the others
    }
    return s.append("</main>\n").append(SCRIPT).append("</body>\n</html>\n").toString();
  }

  private void cluster(Cluster c, boolean isOpen, StringBuilder s) {
    s.append(isOpen ? "<details open>" : "<details>")
        .append("<summary>")
        .append(c.members().size())
        .append(" passages, least J ");
    s.append(number(c.minJaccard())).append(Report.chain(c)).append(": <b>");
    s.append(escape(c.canonical())).append("</b></summary>\n");
    for (Cluster.Member m : c.members().subList(1, c.members().size())) {
      Difference d = index.explain(c.canonical(), m.id(), texts::get).difference();
      s.append("<section class=\"pair\"><p class=\"facts\"><b>").append(escape(m.id()));
      s.append("</b>: J ").append(number(m.toCanonical().jaccard()));
      s.append(m.isDirect() ? "" : " (chained: similar to other members only)").append("; ");
      s.append(escape(Report.verdict(view, m.id()))).append("</p>\n");
      text(c.canonical(), d.onlyInA(), s);
      text(m.id(), d.onlyInB(), s);
      s.append("</section>\n");
    }
    s.append("</details>\n");
  }

  private void text(String id, List<DifferingToken> only, StringBuilder s) {
    Set<String> tokens = new HashSet<>();
    only.forEach(t -> tokens.add(t.token()));
    String text = texts.getOrDefault(id, "");
    s.append("<div class=\"text\" tabindex=\"0\" role=\"group\" aria-label=\"").append(escape(id));
    s.append("\">");
    Matcher words = WORD.matcher(text);
    int at = 0;
    while (words.find()) {
      s.append(escape(text.substring(at, words.start())));
      String word = escape(words.group());
      s.append(isAmong(words.group(), tokens) ? "<mark>" + word + "</mark>" : word);
      at = words.end();
    }
    s.append(escape(text.substring(at))).append("</div>\n");
  }

  private static boolean isAmong(String word, Set<String> tokens) {
    return !tokens.isEmpty()
        && Normalizer.v1().normalize(word).tokens().stream().anyMatch(tokens::contains);
  }

  private static String number(double x) {
    return String.format(Locale.ROOT, "%.3f", x);
  }

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}

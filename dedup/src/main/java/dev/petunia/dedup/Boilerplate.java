package dev.petunia.dedup;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The closed table of boilerplate rules, {@code boilerplate-v1.tsv}. It works on the folded UTF-8
 * of one text and writes blanks over what it takes, so that nothing moves.
 *
 * <p>Marks of shells and of Markdown ({@code $ > ### --- |}) need no rule: they are no tokens.
 */
final class Boilerplate {
  private static final String SHA_256 =
      "e62eb0c59b9bbdcb50a2a076cd7b6cb4f37f4fbd11e68c50f60d384b5f79d187";

  /** The rules' ids, in the order of the counts. */
  static final List<String> IDS;

  private static final List<LineRule> LINES = new ArrayList<>();
  private static final Pattern SPAN;
  private static final int SPAN_ID;
  private static final int REPEAT_ID;
  private static final int REPEAT_LONGEST;
  private static final int LONGEST;

  /** Which rules a line with this first byte may meet, by bit. */
  private static final int[] STARTS = new int[128];

  private static final int REPEATS = 3;

  private record LineRule(int id, int longest, Pattern pattern) {}

  static {
    List<String> ids = new ArrayList<>();
    Pattern span = Pattern.compile("");
    int spanId = -1;
    int repeatId = -1;
    int repeatLongest = 0;
    int longest = 0;
    for (String line : Resources.frozen("boilerplate-v1.tsv", SHA_256)) {
      String[] f = line.split("\t", -1);
      if (!f[0].equals("rule")) {
        continue;
      }
      int id = ids.size();
      ids.add(f[1]);
      int most = Integer.parseInt(f[3]);
      switch (f[2]) {
        case "line" -> {
          for (char c : f[4].toCharArray()) {
            STARTS[c] |= 1 << LINES.size();
          }
          longest = Math.max(longest, most);
          LINES.add(new LineRule(id, most, Pattern.compile(f[5])));
        }
        case "span" -> {
          span = Pattern.compile(f[5]);
          spanId = id;
        }
        case "repeat" -> {
          repeatId = id;
          repeatLongest = most;
        }
        default -> throw new IllegalStateException("boilerplate rule of unknown kind: " + line);
      }
    }
    IDS = List.copyOf(ids);
    SPAN = span;
    SPAN_ID = spanId;
    REPEAT_ID = repeatId;
    REPEAT_LONGEST = repeatLongest;
    LONGEST = longest;
  }

  private Boilerplate() {}

  /** The table's goldens: whether the rule takes something, its id, and the text. */
  static List<String[]> goldens() {
    return Resources.frozen("boilerplate-v1.tsv", SHA_256).stream()
        .filter(l -> l.charAt(0) == '+' || l.charAt(0) == '-')
        .map(l -> l.split("\t", -1))
        .map(
            f ->
                new String[] {
                  f[0],
                  f[1],
                  f[2].replace("\\n", "\n")
                      .replace("\\f", "\f")
                      .replace("\\e\\\\", "\u001b\\")
                      .replace("\\e", "\u001b")
                })
        .toList();
  }

  /** Blanks what the rules take. */
  static void strip(Scratch w) {
    if (w.hasEscape) {
      Matcher m = SPAN.matcher(new Bytes(w.bytes, 0, w.length));
      while (m.find()) {
        squeeze(w, m.start(), m.end());
        w.ruleCounts[SPAN_ID]++;
      }
      compact(w);
    }
    for (int at = 0; at < w.length; ) {
      int end = at;
      byte[] b = w.bytes;
      while (end < w.length && b[end] != '\n' && b[end] != '\f') {
        end++;
      }
      line(w, at, end);
      at = end + 1;
    }
    if (w.hasFormFeed) {
      repeats(w);
    }
  }

  private static void line(Scratch w, int from, int to) {
    byte[] b = w.bytes;
    int s = from;
    while (s < to && b[s] <= ' ' && b[s] >= 0) {
      s++;
    }
    if (s == to || b[s] < 0 || STARTS[b[s]] == 0) {
      return;
    }
    int e = to;
    while (b[e - 1] <= ' ' && b[e - 1] >= 0) {
      e--;
    }
    int n = e - s;
    if (n > LONGEST) {
      return;
    }
    for (int rules = STARTS[b[s]]; rules != 0; rules &= rules - 1) {
      LineRule rule = LINES.get(Integer.numberOfTrailingZeros(rules));
      if (n <= rule.longest && rule.pattern.matcher(new Bytes(b, s, e)).matches()) {
        blank(w, s, e);
        w.ruleCounts[rule.id]++;
        return;
      }
    }
  }

  /** Only in a text with pages: a line that is there three times or more stays once. */
  private static void repeats(Scratch w) {
    Map<String, Integer> seen = new HashMap<>();
    for (int pass = 0; pass < 2; pass++) {
      for (int at = 0; at < w.length; ) {
        int end = at;
        while (end < w.length && w.bytes[end] != '\n' && w.bytes[end] != '\f') {
          end++;
        }
        if (end - at <= 2 * REPEAT_LONGEST) {
          String line = new String(w.bytes, at, end - at, StandardCharsets.UTF_8).strip();
          if (!line.isEmpty() && line.length() <= REPEAT_LONGEST) {
            if (pass == 0) {
              seen.merge(line, 1, Integer::sum);
            } else {
              int count = seen.getOrDefault(line, 0);
              if (count >= REPEATS) {
                seen.put(line, -1); // the first stays
              } else if (count < 0) {
                blank(w, at, end);
                w.ruleCounts[REPEAT_ID]++;
              }
            }
          }
        }
        at = end + 1;
      }
    }
  }

  private static void blank(Scratch w, int from, int to) {
    for (int i = from; i < to; i++) {
      w.bytes[i] = ' ';
    }
  }

  /** Marks a span that goes without leaving a blank: colours may change inside a word. */
  private static void squeeze(Scratch w, int from, int to) {
    for (int i = from; i < to; i++) {
      w.bytes[i] = 0x7F;
    }
  }

  private static void compact(Scratch w) {
    int n = 0;
    for (int i = 0; i < w.length; i++) {
      if (w.bytes[i] != 0x7F) {
        w.bytes[n++] = w.bytes[i];
      }
    }
    w.length = n;
  }

  /** Bytes as characters, which is enough for patterns over ASCII. */
  private static final class Bytes implements CharSequence {
    private final byte[] b;
    private final int from;
    private final int to;

    Bytes(byte[] b, int from, int to) {
      this.b = b;
      this.from = from;
      this.to = to;
    }

    @Override
    public int length() {
      return to - from;
    }

    @Override
    public char charAt(int i) {
      return (char) (b[from + i] & 0xFF);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Bytes(b, from + start, from + end);
    }

    @Override
    public String toString() {
      return new String(b, from, to - from, StandardCharsets.ISO_8859_1);
    }
  }
}

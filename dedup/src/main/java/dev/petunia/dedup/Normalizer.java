package dev.petunia.dedup;

import dev.petunia.core.internal.Checks;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Normalizer v1: a text to tokens, the same on every machine and every Java from 25 on. One
 * implementation serves ingest and queries. A pure function of the text.
 *
 * <ol start="0">
 *   <li>An unpaired surrogate becomes U+FFFD; CR LF and CR become LF.
 *   <li>A code point that Unicode 16.0 does not assign becomes a blank. NFKC is stable for all
 *       others, so the rest is the same in every later Java.
 *   <li>NFKC: ½ → 1⁄2, x² → x2, ﬁ → fi, full width → ASCII. Runs of more than 30 marks are split by
 *       U+034F first (UAX #15, stream-safe text), since sorting them would take quadratic time.
 *   <li>Case, a code point at a time, by lower(upper(c)): no language, no context. ς = σ, İ = i; ß
 *       stays, so STRASSE is not straße.
 *   <li>Invisible code points go: U+00AD, 200B–200F, 2060–2064, FEFF, FE00–FE0F, E0100–E01EF, 20E3.
 *   <li>Boilerplate goes, by a closed table of rules.
 *   <li>Runs of white space become one blank; tokens don't depend on it.
 *   <li>Tokens: a word is a letter, number or underscore and what follows of these and of marks;
 *       {@code .} and {@code ::} join words that touch it on both sides. In scripts written without
 *       spaces (Han, kana, Thai, Lao, Khmer, Myanmar, Tibetan) each letter with its marks is a
 *       token. Everything else separates.
 * </ol>
 *
 * <p>When the class is loaded it checks its tables and this Java's NFKC against frozen digests, and
 * refuses to start if they differ. Objects are safe for use by many threads.
 */
public final class Normalizer {
  /** This normalizer's version; stands on every shingle set and edge. */
  public static final int VERSION = 1;

  private static final Normalizer V1 = new Normalizer();
  private static final int MAX_MARKS = 30;
  private static final int GRAPHEME_JOINER = 0x34F;
  private static final byte[] ASCII = new byte[128];
  private static final String SELF_DIGEST =
      "c25d1982833c1a6a401463fa99dc72d48824213f584086158ab8da979010c058";

  private static final ThreadLocal<Scratch> SCRATCH = ThreadLocal.withInitial(Scratch::new);

  static {
    for (int c = 0; c < 128; c++) {
      ASCII[c] = (byte) UnicodeTable.classOf(c);
    }
    String actual = selfDigest();
    if (!actual.equals(SELF_DIGEST)) {
      throw new IllegalStateException(
          "this Java normalizes text differently than normalizer v1 was frozen with: digest is "
              + actual
              + ", must be "
              + SELF_DIGEST
              + "; shingles would not compare with stored ones");
    }
  }

  private Normalizer() {}

  /** Normalizer v1. */
  public static Normalizer v1() {
    return V1;
  }

  /** {@link #VERSION}. */
  public int version() {
    return VERSION;
  }

  /** Normalizes a text of any content; unpaired surrogates are allowed. */
  public NormalizedText normalize(String text) {
    Checks.present("text", text);
    Scratch w = new Scratch();
    run(text, w);
    List<String> tokens = new ArrayList<>(w.tokens);
    for (int i = 0; i < w.tokens; i++) {
      tokens.add(token(w, i));
    }
    String shown =
        new String(w.bytes, 0, w.length, StandardCharsets.UTF_8).replaceAll("\\s+", " ").strip();
    return new NormalizedText(shown, tokens, report(w), VERSION);
  }

  static String token(Scratch w, int i) {
    return new String(w.bytes, w.starts[i], w.ends[i] - w.starts[i], StandardCharsets.UTF_8);
  }

  static NormalizeReport report(Scratch w) {
    Map<String, Integer> stripped = new TreeMap<>();
    for (int i = 0; i < w.ruleCounts.length; i++) {
      if (w.ruleCounts[i] > 0) {
        stripped.put(Boilerplate.IDS.get(i), w.ruleCounts[i]);
      }
    }
    return new NormalizeReport(stripped, w.unpaired, w.unassigned, w.dropped, w.splitMarks);
  }

  /** This thread's scratch; large ones are not kept. */
  static Scratch scratch() {
    Scratch w = SCRATCH.get();
    if (w.isLarge()) {
      w = new Scratch();
      SCRATCH.set(w);
    }
    return w;
  }

  static void run(String text, Scratch w) {
    w.begin(text.length());
    fold(text, w);
    Boilerplate.strip(w);
    tokenize(w);
  }

  /** Steps 0 to 4. */
  private static void fold(String text, Scratch w) {
    int n = text.length();
    for (int i = 0; i < n; ) {
      char c = text.charAt(i);
      if (c < 0x80 && (i + 1 == n || text.charAt(i + 1) < 0x80)) {
        ascii(c, i + 1 < n && text.charAt(i + 1) == '\n', w);
        i++;
      } else {
        i = other(text, i, w);
      }
    }
  }

  private static void ascii(int c, boolean beforeLineFeed, Scratch w) {
    if (c >= 'A' && c <= 'Z') {
      w.put(c + 32);
      return;
    }
    if (c < ' ') {
      if (c == '\r') {
        if (beforeLineFeed) {
          return;
        }
        w.put('\n');
        return;
      }
      w.hasFormFeed |= c == '\f';
      w.hasEscape |= c == 0x1B;
    } else if (c == 0x7F) {
      w.put(' '); // a control character; Boilerplate uses it as a mark of its own
      return;
    }
    w.put(c);
  }

  /**
   * From a code point that is not ASCII, or that such a one follows, up to a place where NFKC can
   * be cut: before a code point that it leaves alone whatever comes before.
   */
  private static int other(String text, int from, Scratch w) {
    int n = text.length();
    int next = from + Character.charCount(text.codePointAt(from));
    int c = codePoint(text, from, w);
    if (UnicodeTable.isStable(c)) {
      if (next == n || isStableAt(text, next)) {
        putFolded(c, next < n && text.charAt(next) == '\n', w);
        return next;
      }
    }
    StringBuilder s = w.segment;
    s.setLength(0);
    s.appendCodePoint(c == '\r' ? '\n' : c);
    int marks = UnicodeTable.classOf(c) == UnicodeTable.MARK ? 1 : 0;
    while (next < n && !isStableAt(text, next)) {
      c = codePoint(text, next, w);
      next += Character.charCount(text.codePointAt(next));
      marks = UnicodeTable.classOf(c) == UnicodeTable.MARK ? marks + 1 : 0;
      if (marks > MAX_MARKS) {
        s.appendCodePoint(GRAPHEME_JOINER);
        w.splitMarks++;
        marks = 1;
      }
      s.appendCodePoint(c);
    }
    String form = java.text.Normalizer.normalize(s, java.text.Normalizer.Form.NFKC);
    for (int i = 0; i < form.length(); ) {
      int p = form.codePointAt(i);
      i += Character.charCount(p);
      putFolded(p, false, w);
    }
    return next;
  }

  private static boolean isStableAt(String text, int i) {
    return UnicodeTable.isStable(text.codePointAt(i));
  }

  private static int codePoint(String text, int i, Scratch w) {
    int c = text.codePointAt(i);
    if (c >= 0xD800 && c <= 0xDFFF) {
      w.unpaired++;
      return 0xFFFD;
    }
    if (c >= 0x80 && UnicodeTable.classOf(c) == UnicodeTable.UNASSIGNED) {
      w.unassigned++;
      return ' ';
    }
    return c;
  }

  private static void putFolded(int c, boolean beforeLineFeed, Scratch w) {
    if (c < 0x80) {
      ascii(c, beforeLineFeed, w);
    } else if (UnicodeTable.classOf(c) == UnicodeTable.DROPPED) {
      w.dropped++;
    } else {
      w.put(UnicodeTable.fold(c));
    }
  }

  /** Step 7. */
  private static void tokenize(Scratch w) {
    byte[] b = w.bytes;
    int n = w.length;
    for (int i = 0; i < n; ) {
      int size = 1;
      int k;
      if (b[i] >= 0) {
        k = ASCII[b[i]];
      } else {
        size = size(b[i]);
        k = UnicodeTable.classOf(decode(b, i, size));
      }
      if (k == UnicodeTable.WORD) {
        int end = wordEnd(b, i + size, n);
        w.token(i, end);
        i = end;
      } else if (k == UnicodeTable.UNSPACED) {
        int end = i + size;
        while (end < n && b[end] < 0 && classAt(b, end) == UnicodeTable.MARK) {
          end += size(b[end]);
        }
        w.token(i, end);
        i = end;
      } else {
        i += size;
      }
    }
  }

  private static int wordEnd(byte[] b, int from, int n) {
    int i = from;
    while (i < n) {
      int c = b[i];
      if (c >= 0) {
        if (ASCII[c] == UnicodeTable.WORD) {
          i++;
        } else if (c == '.' && i + 1 < n && classAt(b, i + 1) == UnicodeTable.WORD) {
          i++;
          i += size(b[i]);
        } else if (c == ':'
            && i + 2 < n
            && b[i + 1] == ':'
            && classAt(b, i + 2) == UnicodeTable.WORD) {
          i += 2;
          i += size(b[i]);
        } else {
          return i;
        }
      } else {
        int size = size(b[i]);
        int k = UnicodeTable.classOf(decode(b, i, size));
        if (k != UnicodeTable.WORD && k != UnicodeTable.MARK) {
          return i;
        }
        i += size;
      }
    }
    return i;
  }

  private static int classAt(byte[] b, int i) {
    return b[i] >= 0 ? ASCII[b[i]] : UnicodeTable.classOf(decode(b, i, size(b[i])));
  }

  private static int size(byte lead) {
    return lead >= 0 ? 1 : lead < (byte) 0xE0 ? 2 : lead < (byte) 0xF0 ? 3 : 4;
  }

  private static int decode(byte[] b, int i, int size) {
    return switch (size) {
      case 2 -> ((b[i] & 0x1F) << 6) | (b[i + 1] & 0x3F);
      case 3 -> ((b[i] & 0x0F) << 12) | ((b[i + 1] & 0x3F) << 6) | (b[i + 2] & 0x3F);
      default ->
          ((b[i] & 0x07) << 18)
              | ((b[i + 1] & 0x3F) << 12)
              | ((b[i + 2] & 0x3F) << 6)
              | (b[i + 3] & 0x3F);
    };
  }

  /** Over all code points that NFKC may change, each between letters, and over some texts. */
  static String selfDigest() {
    MessageDigest digest = Resources.sha256();
    Scratch w = new Scratch();
    StringBuilder line = new StringBuilder();
    for (int c = 0x80; c <= Character.MAX_CODE_POINT; c++) {
      if (!UnicodeTable.isStable(c)) {
        line.append("e ").appendCodePoint(c).append('o').appendCodePoint(c).append('\n');
        if (line.length() > 2000) {
          digest(line, w, digest);
        }
      }
    }
    line.append(
            "std::vector<int> v; os.path.join(a) C++ a->b don't 1,234 İIıi ΣΑΣ straße ½ x² ﬁ ™\n")
        .append("In [3]:\n```java\n\u001b[31mred\u001b[0m page 3 of 4\nユーザー ภาษาไทย 한국어 हिन्दी\n");
    digest(line, w, digest);
    return HexFormat.of().formatHex(digest.digest());
  }

  private static void digest(StringBuilder line, Scratch w, MessageDigest digest) {
    run(line.toString(), w);
    digest.update(w.bytes, 0, w.length);
    for (int i = 0; i < w.tokens; i++) {
      digest.update(w.bytes, w.starts[i], w.ends[i] - w.starts[i]);
      digest.update((byte) 0);
    }
    line.setLength(0);
  }
}

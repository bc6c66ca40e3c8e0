package dev.petunia.lexical;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.text.Normalizer;
import org.apache.lucene.analysis.CharFilter;
import org.jspecify.annotations.Nullable;

/**
 * Makes texts that look alike equal before they are cut into words.
 *
 * <ul>
 *   <li>Unicode NFKC: composed and decomposed accents, ligatures as PDF files have them, full-width
 *       letters, Arabic presentation forms.
 *   <li>Characters that nobody sees are left out: soft hyphen, byte order mark, word joiner, left
 *       and right marks. (Zero-width joiners stay: emoji are made with them.)
 *   <li>The typographic apostrophe U+2019 becomes {@code '}.
 * </ul>
 *
 * <p>Offsets are those of the normalised text; nothing here stores them.
 */
final class NormalizingCharFilter extends CharFilter {
  private @Nullable Reader normalized;

  NormalizingCharFilter(Reader input) {
    super(input);
  }

  @Override
  public int read(char[] buffer, int offset, int length) throws IOException {
    Reader r = normalized;
    if (r == null) {
      StringWriter text = new StringWriter();
      input.transferTo(text);
      r = new StringReader(normalize(text.toString()));
      normalized = r;
    }
    return r.read(buffer, offset, length);
  }

  @Override
  protected int correct(int offset) {
    return offset;
  }

  static String normalize(String text) {
    String s =
        Normalizer.isNormalized(text, Normalizer.Form.NFKC)
            ? text
            : Normalizer.normalize(text, Normalizer.Form.NFKC);
    StringBuilder changed = null;
    for (int i = 0; i < s.length(); i++) {
      char c = s.charAt(i);
      boolean invisible = isInvisible(c);
      if ((invisible || c == '\u2019') && changed == null) {
        changed = new StringBuilder(s.length()).append(s, 0, i);
      }
      if (changed != null && !invisible) {
        changed.append(c == '\u2019' ? '\'' : c);
      }
    }
    return changed == null ? s : changed.toString();
  }

  private static boolean isInvisible(char c) {
    return switch (c) {
      case '\u00AD', '\u200E', '\u200F', '\u2060', '\uFEFF' -> true;
      default -> false;
    };
  }
}

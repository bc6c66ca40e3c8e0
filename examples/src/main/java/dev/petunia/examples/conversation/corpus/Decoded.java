package dev.petunia.examples.conversation.corpus;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text of a file. It is taken for UTF-8, or what its byte order mark says. When it isn't valid
 * UTF-8, the charset that an HTML file declares is tried, then windows-1252.
 *
 * @param text without a byte order mark
 * @param charset that it was read with
 */
record Decoded(String text, Charset charset) {
  private static final Pattern DECLARED =
      Pattern.compile("charset\\s*=\\s*[\"']?\\s*([\\w.:-]+)", Pattern.CASE_INSENSITIVE);
  private static final int HEAD = 4_096;

  /** More control characters than two, and one in this many chars, and it is no text. */
  private static final int CONTROLS = 100;

  /** Reads; null when the bytes are no text. */
  static @Nullable Decoded of(byte[] bytes, boolean html) {
    Charset marked = mark(bytes);
    if (marked != null) {
      String text = strict(bytes, marked);
      return text == null ? null : checked(text.substring(1), marked);
    }
    String text = strict(bytes, StandardCharsets.UTF_8);
    if (text != null) {
      return checked(text, StandardCharsets.UTF_8);
    }
    Charset declared = html ? declared(bytes) : null;
    if (declared != null) {
      text = strict(bytes, declared);
      if (text != null) {
        return checked(text, declared);
      }
    }
    // windows-1252 has five undefined bytes, ISO-8859-1 none
    for (Charset c : List.of(Charset.forName("windows-1252"), StandardCharsets.ISO_8859_1)) {
      text = strict(bytes, c);
      if (text != null) {
        return checked(text, c);
      }
    }
    throw new IllegalStateException("ISO-8859-1 decodes any bytes");
  }

  private static @Nullable Charset mark(byte[] b) {
    if (b.length >= 3 && b[0] == (byte) 0xEF && b[1] == (byte) 0xBB && b[2] == (byte) 0xBF) {
      return StandardCharsets.UTF_8;
    }
    if (b.length >= 2 && b[0] == (byte) 0xFF && b[1] == (byte) 0xFE) {
      return StandardCharsets.UTF_16LE;
    }
    if (b.length >= 2 && b[0] == (byte) 0xFE && b[1] == (byte) 0xFF) {
      return StandardCharsets.UTF_16BE;
    }
    return null;
  }

  private static @Nullable Charset declared(byte[] bytes) {
    String head = new String(bytes, 0, Math.min(HEAD, bytes.length), StandardCharsets.ISO_8859_1);
    Matcher m = DECLARED.matcher(head);
    try {
      return m.find() ? Charset.forName(m.group(1)) : null;
    } catch (IllegalArgumentException unknown) {
      return null;
    }
  }

  private static @Nullable String strict(byte[] bytes, Charset charset) {
    try {
      return charset.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  private static @Nullable Decoded checked(String text, Charset charset) {
    long controls =
        text.chars().filter(c -> Character.isISOControl(c) && !Character.isWhitespace(c)).count();
    boolean binary = text.indexOf('\0') >= 0 || controls > 2 + text.length() / CONTROLS;
    return binary ? null : new Decoded(text, charset);
  }
}

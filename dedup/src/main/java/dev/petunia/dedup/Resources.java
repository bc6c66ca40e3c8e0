package dev.petunia.dedup;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** The frozen tables that are packed beside the classes. */
final class Resources {
  private Resources() {}

  /**
   * The lines of a table, without comments and empty lines.
   *
   * @throws IllegalStateException when the table is missing or is not the one that was frozen
   */
  static List<String> frozen(String name, String sha256) {
    try (InputStream in = Resources.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the table " + name + " is missing from petunia-dedup");
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      String actual = sha256(text.getBytes(StandardCharsets.UTF_8));
      if (!actual.equals(sha256)) {
        throw new IllegalStateException(
            "the table "
                + name
                + " has SHA-256 "
                + actual
                + ", frozen was "
                + sha256
                + "; shingles made with another table can't be compared");
      }
      return text.lines().filter(l -> !l.isEmpty() && l.charAt(0) != '#').toList();
    } catch (IOException e) {
      throw new UncheckedIOException("the table " + name + " can't be read: " + e, e);
    }
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java has no SHA-256", e);
    }
  }

  static String sha256(byte[] bytes) {
    return HexFormat.of().formatHex(sha256().digest(bytes));
  }
}

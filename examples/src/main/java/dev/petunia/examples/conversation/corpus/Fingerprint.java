package dev.petunia.examples.conversation.corpus;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of a few facts, shortened to 128 bits. */
final class Fingerprint {
  private final MessageDigest digest;

  Fingerprint() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Adds a fact; the length keeps "ab", "c" and "a", "bc" apart. */
  Fingerprint add(Object fact) {
    byte[] bytes = fact.toString().getBytes(StandardCharsets.UTF_8);
    digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
    digest.update(bytes);
    return this;
  }

  /** 32 hex digits. */
  String hex() {
    return HexFormat.of().formatHex(digest.digest(), 0, 16);
  }
}

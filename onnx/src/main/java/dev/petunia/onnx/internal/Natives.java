package dev.petunia.onnx.internal;

import ai.djl.huggingface.tokenizers.jni.LibUtils;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import dev.petunia.onnx.ModelException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Loads the two native libraries. Both open no connection: what would have made them do so is
 * switched off here, before their classes are loaded ({@link Silence}).
 */
final class Natives {
  private static final String SUPPORTED =
      "Linux x64 and aarch64 with glibc, macOS aarch64, Windows x64";

  private static @Nullable OrtEnvironment environment;

  private Natives() {}

  /**
   * ONNX Runtime's environment: one per process.
   *
   * @throws ModelException when its library doesn't load here
   */
  static synchronized OrtEnvironment onnxRuntime() {
    if (environment == null) {
      environment = makeEnvironment();
    }
    return environment;
  }

  private static OrtEnvironment makeEnvironment() {
    Silence.beforeOnnxRuntime();
    OrtEnvironment env;
    try {
      env = OrtEnvironment.getEnvironment();
    } catch (LinkageError | RuntimeException e) {
      throw doesNotLoad("ONNX Runtime", e);
    }
    try {
      env.setTelemetry(false);
    } catch (OrtException e) {
      throw new ModelException("ONNX Runtime's telemetry can't be switched off", e);
    }
    SafeExit.install();
    return env;
  }

  /**
   * Loads DJL's tokenizers.
   *
   * @throws ModelException when their library doesn't load here
   */
  static void tokenizers() {
    Silence.beforeTokenizers();
    try {
      LibUtils.checkStatus();
    } catch (LinkageError | RuntimeException e) {
      throw doesNotLoad("the Hugging Face tokenizers of DJL", e);
    }
  }

  private static ModelException doesNotLoad(String library, Throwable e) {
    return new ModelException(
        "the native library of "
            + library
            + " doesn't load on "
            + platform()
            + ". It exists for "
            + SUPPORTED
            + ". Cause: "
            + rootOf(e),
        e);
  }

  private static Throwable rootOf(Throwable e) {
    Throwable t = e;
    while (t.getCause() != null) {
      t = t.getCause();
    }
    return t;
  }

  /** Such as {@code Linux amd64 (musl)}. */
  static String platform() {
    String os = System.getProperty("os.name", "?");
    String s = os + ' ' + System.getProperty("os.arch", "?");
    return os.toLowerCase(Locale.ROOT).contains("linux") && musl(Path.of("/lib"))
        ? s + " (musl)"
        : s;
  }

  /** Musl's loader is where Alpine and Void put it. */
  static boolean musl(Path lib) {
    try (Stream<Path> files = Files.list(lib)) {
      return files.anyMatch(f -> f.getFileName().toString().startsWith("ld-musl-"));
    } catch (IOException e) {
      return false;
    }
  }
}

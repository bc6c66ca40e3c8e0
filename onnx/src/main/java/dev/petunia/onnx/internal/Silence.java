package dev.petunia.onnx.internal;

import ai.onnxruntime.OrtEnvironment;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Keeps both native libraries off the network. A value that the user has set, as environment
 * variable or system property, is left as it is.
 *
 * <ul>
 *   <li>Each tokenizer that DJL makes asks 169.254.169.254 for EC2 metadata and, on EC2, reports to
 *       S3, unless {@code OPT_OUT_TRACKING} is true.
 *   <li>On a machine with CUDA, DJL downloads another build of the tokenizers, unless {@code
 *       RUST_FLAVOR} is cpu.
 *   <li>ONNX Runtime sends telemetry on Linux and macOS from 1.29.0 on, unless the environment
 *       variable {@code ORT_DISABLE_TELEMETRY} is 1. Java can't set that for its own process, so
 *       Petunia stays with 1.28, which has no network code, and warns about a newer one.
 * </ul>
 */
final class Silence {
  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*");

  private Silence() {}

  static void beforeTokenizers() {
    setUnlessSet("OPT_OUT_TRACKING", "true");
    setUnlessSet("RUST_FLAVOR", "cpu");
  }

  private static void setUnlessSet(String name, String value) {
    if (System.getenv(name) == null && System.getProperty(name) == null) {
      System.setProperty(name, value);
    }
  }

  static void beforeOnnxRuntime() {
    // From the jar's manifest: asking the library itself would load it.
    String version = OrtEnvironment.class.getPackage().getImplementationVersion();
    String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    if (sendsTelemetry(version, os, System.getenv("ORT_DISABLE_TELEMETRY"))) {
      LoggerFactory.getLogger(Silence.class)
          .warn(
              "ONNX Runtime {} sends telemetry unless the environment variable"
                  + " ORT_DISABLE_TELEMETRY is 1. Petunia is made for 1.28.0, which doesn't.",
              version);
    }
  }

  static boolean sendsTelemetry(@Nullable String version, String os, @Nullable String disabled) {
    if (version == null || os.contains("windows") || "1".equals(disabled)) {
      return false;
    }
    Matcher m = VERSION.matcher(version);
    if (!m.matches()) {
      return false;
    }
    int major = Integer.parseInt(m.group(1));
    return major > 1 || (major == 1 && Integer.parseInt(m.group(2)) >= 29);
  }
}

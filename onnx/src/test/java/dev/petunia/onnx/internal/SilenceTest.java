package dev.petunia.onnx.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OrtEnvironment;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SilenceTest {
  /** Version 1.29.0 fails here: it brought libcurl along. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "linux-x64/libonnxruntime.so",
        "linux-aarch64/libonnxruntime.so",
        "osx-aarch64/libonnxruntime.dylib"
      })
  void theNativeLibraryOfOnnxRuntimeHasNoNetworkCode(String library) throws Exception {
    byte[] code;
    try (InputStream in =
        OrtEnvironment.class.getResourceAsStream("/ai/onnxruntime/native/" + library)) {
      code = assertNotNullAnd(in).readAllBytes();
    }
    String text = new String(code, StandardCharsets.ISO_8859_1);
    assertTrue(text.contains("onnxruntime"));
    for (String name : new String[] {"getaddrinfo", "libcurl", "ORT_DISABLE_TELEMETRY"}) {
      assertFalse(text.contains(name), name);
    }
  }

  private static InputStream assertNotNullAnd(InputStream in) {
    assertNotNull(in);
    return in;
  }

  @ParameterizedTest
  @CsvSource({
    "1.28.0, linux, , false",
    "1.9.1, linux, , false",
    "1.29.0, linux, , true",
    "1.29.0, mac os x, , true",
    "1.29.0, windows 11, , false",
    "1.29.0, linux, 1, false",
    "1.29.0, linux, 0, true",
    "1.30.1-rc1, linux, , true",
    "2.0.0, linux, , true",
    "unknown, linux, , false",
    ", linux, , false",
  })
  void aVersionThatSendsTelemetryIsKnown(
      String version, String os, String disabled, boolean expected) {
    assertEquals(expected, Silence.sendsTelemetry(version, os, disabled));
  }

  @Test
  void thisBuildUsesAVersionThatSendsNone() {
    String version = OrtEnvironment.class.getPackage().getImplementationVersion();
    assertNotNull(version);
    assertFalse(Silence.sendsTelemetry(version, "linux", null), version);
  }
}

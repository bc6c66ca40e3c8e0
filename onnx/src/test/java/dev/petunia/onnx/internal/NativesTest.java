package dev.petunia.onnx.internal;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NativesTest {
  @Test
  void muslIsRecognisedByItsLoader(@TempDir Path lib) throws Exception {
    assertFalse(Natives.musl(lib));
    assertFalse(Natives.musl(lib.resolve("absent")));
    Files.createFile(lib.resolve("ld-musl-x86_64.so.1"));
    assertTrue(Natives.musl(lib));
  }

  @Test
  void thePlatformIsNamed() {
    assertTrue(Natives.platform().startsWith(System.getProperty("os.name")), Natives.platform());
  }

  @Test
  void thereIsOneEnvironment() {
    assertSame(Natives.onnxRuntime(), Natives.onnxRuntime());
  }
}

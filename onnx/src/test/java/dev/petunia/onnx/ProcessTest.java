package dev.petunia.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only shows in a process of its own: connections, files, exit. */
class ProcessTest {
  @TempDir Path home;

  @Test
  void anEmbedderOpensNoConnectionAndLetsTheJvmEndWithoutBeingClosed() throws Exception {
    ChildJvm.Outcome child = ChildJvm.run(home, ChildPrograms.Connections.class, List.of());
    assertEquals(0, child.exit(), child.out());
    assertFalse(child.out().contains("CONNECT"), child.out());
    assertTrue(child.out().contains("OPT_OUT_TRACKING=true"), child.out());
    assertTrue(child.out().contains("RUST_FLAVOR=cpu"), child.out());
    // ONNX Runtime's telemetry would keep a database and a log.
    assertEquals(List.of(), filesOf("mat-debug", "onnxruntime.db", "Microsoft"));
  }

  /** Shows that the test above can fail, and that a value the user has set is left alone. */
  @Test
  void whoeverAsksForDjlsTelemetryGetsIt() throws Exception {
    ChildJvm.Outcome child =
        ChildJvm.run(home, ChildPrograms.Connections.class, List.of("-DOPT_OUT_TRACKING=false"));
    assertEquals(0, child.exit(), child.out());
    assertTrue(child.out().contains("CONNECT http://169.254.169.254/"), child.out());
    assertTrue(child.out().contains("OPT_OUT_TRACKING=false"), child.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "exit"})
  void theJvmEndsNormallyWhileTextsAreInTheModel(String how) throws Exception {
    String[] args = how.isEmpty() ? new String[0] : new String[] {how};
    ChildJvm.Outcome child =
        ChildJvm.run(home, ChildPrograms.LeaveWhileRunning.class, List.of(), args);
    assertTrue(child.out().contains("LEAVING"), child.out());
    assertEquals(0, child.exit(), child.out());
    assertFalse(child.out().contains("SIGSEGV"), child.out());
  }

  @Test
  void aPlatformWithoutNativeLibrariesIsNamed() throws Exception {
    List<String> riscv = List.of("-Dos.arch=riscv64");
    ChildJvm.Outcome session = ChildJvm.run(home, ChildPrograms.Platform.class, riscv, "session");
    for (String start : List.of("ERROR 1 ", "ERROR 2 ")) {
      assertTrue(
          session.out().contains(start + "the native library of ONNX Runtime"), session.out());
    }
    assertTrue(session.out().contains("riscv64"), session.out());
    assertTrue(session.out().contains("Linux x64 and aarch64 with glibc"), session.out());
    ChildJvm.Outcome embedder = ChildJvm.run(home, ChildPrograms.Platform.class, riscv, "embedder");
    for (String start : List.of("ERROR 1 ", "ERROR 2 ")) {
      assertTrue(
          embedder.out().contains(start + "the native library of the Hugging Face tokenizers"),
          embedder.out());
    }
    assertTrue(embedder.out().contains("riscv64"), embedder.out());
  }

  private List<Path> filesOf(String... parts) throws IOException {
    try (Stream<Path> all = Files.walk(home)) {
      return all.filter(p -> Stream.of(parts).anyMatch(p.getFileName().toString()::contains))
          .toList();
    }
  }
}

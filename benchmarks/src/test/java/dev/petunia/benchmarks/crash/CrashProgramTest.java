package dev.petunia.benchmarks.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.benchmarks.Options;
import dev.petunia.benchmarks.Report;
import dev.petunia.benchmarks.ann.Folders;
import dev.petunia.hnsw.HnswIndex;
import dev.petunia.hnsw.Quantization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrashProgramTest {
  @TempDir Path folder;

  private Report run(String... args) throws Exception {
    Report report = new Report("crash");
    new CrashProgram().run(Options.parse(List.of(args), Set.of("quick")), report);
    return report;
  }

  @Test
  void aFewKillsLoseNothingAndLeaveNothingBehind() throws Exception {
    Report report = run("--runs", "6", "--lanes", "2", "--folder", folder.toString());
    assertEquals(6, report.value("ann.crash.runs").orElseThrow(), 0);
    assertEquals(0, report.value("ann.crash.lost").orElseThrow(), 0);
    assertTrue(report.value("ann.crash.commits").orElseThrow() > 0);
    try (var left = Files.list(folder)) {
      assertEquals(0, left.count());
    }
  }

  /** Between two kills somebody takes the directory's content away: that must not go unseen. */
  @Test
  void aCommitThatIsGoneIsFound() throws Exception {
    try (ScheduledExecutorService killer = Executors.newSingleThreadScheduledExecutor()) {
      CrashLane lane =
          new CrashLane(0, folder, new ChildJvm(folder), killer, 200_000, 200_000, 1) {
            @Override
            void beforeChild(Path directory, int kills) throws IOException {
              if (kills == 1) {
                empty(directory);
              }
            }
          };
      lane.run(2);
      assertFalse(lane.failures().isEmpty());
      assertTrue(lane.failures().getFirst().contains("is gone"), lane.failures().toString());
    }
  }

  private static void empty(Path directory) throws IOException {
    Folders.delete(directory);
    try (HnswIndex index = HnswIndex.open(directory, CrashChild.config(Quantization.NONE))) {
      assertEquals(0, index.size());
    }
  }

  @Test
  void wrongOptionsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> run("--least-ms", "50", "--most-ms", "20"));
    assertThrows(IllegalArgumentException.class, () -> run("--folder", "/no/such/folder"));
    assertThrows(IllegalArgumentException.class, () -> run("--run", "3"));
  }
}

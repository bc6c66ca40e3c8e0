package dev.petunia.benchmarks.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** After a child has committed somebody takes the content away: that must not go unseen. */
  @Test
  void aCommitThatIsGoneIsFound() throws Exception {
    AtomicBoolean damaged = new AtomicBoolean();
    try (ScheduledExecutorService killer = Executors.newSingleThreadScheduledExecutor()) {
      CrashLane lane =
          new CrashLane(0, folder, new ChildJvm(folder), killer, 400_000, 400_000, 1) {
            @Override
            void beforeChild(Path directory) throws IOException {
              if (commits() > 0 && damaged.compareAndSet(false, true)) {
                empty(directory);
              }
            }
          };
      for (int kills = 1; !damaged.get(); kills++) {
        assertTrue(kills < 50, "no child has committed");
        lane.run(kills);
      }
      assertEquals(1, lane.failures().size(), lane.failures().toString());
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

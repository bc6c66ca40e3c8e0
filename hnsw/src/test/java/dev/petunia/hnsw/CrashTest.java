package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.testing.Threads;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills (SIGKILL) a process that does nothing but change, commit and compact, at random moments,
 * over and over in the same directory, one with codes and one without. What opens afterwards is the
 * last commit that the process knew to be done, or the one that it was making, whole.
 */
class CrashTest {
  /** Kills in all; more by {@code -Dpetunia.test.kills=1000}. */
  private static final int KILLS = Integer.getInteger("petunia.test.kills", 24);

  private static final int DIRECTORIES = 2;

  @TempDir Path folder;

  /** What a child had said when it ended. */
  private static final class Said {
    /** The content of each generation that was begun. */
    final Map<Long, Long> contents = new HashMap<>();

    long opened;
    long done;
    long begun;

    void line(String line) {
      String[] words = line.split(" ");
      long generation = Long.parseLong(words[1]);
      if (words[0].equals("done")) {
        done = generation;
      } else {
        begun = generation;
        contents.put(generation, Long.parseLong(words[2]));
        if (words[0].equals("open")) {
          opened = generation;
          done = generation;
        }
      }
    }
  }

  @Test
  void killingAProcessThatCommitsLeavesTheLastCommitOrTheOneBeingMade() throws Exception {
    AtomicInteger undecided = new AtomicInteger();
    AtomicInteger commits = new AtomicInteger();
    Threads.run(
        DIRECTORIES,
        thread -> {
          Path directory = folder.resolve("index-" + thread);
          Quantization kind = thread % 2 == 0 ? Quantization.NONE : Quantization.BITS2;
          SplittableRandom random = Given.random(thread);
          long generation = 0;
          long content = empty();
          for (int kill = thread; kill < KILLS; kill += DIRECTORIES) {
            Said said = run(directory, kind, random.nextLong(60_000_000L));
            // what the child found is what its predecessor left
            assertEquals(content, said.contents.get(generation), "kill " + kill);
            try (HnswIndex index = HnswIndex.open(directory, Contents.config(kind))) {
              index.verify();
              generation = index.generation();
              content = Contents.fingerprint(index);
            }
            String what = "kill " + kill + ", done " + said.done + ", begun " + said.begun;
            assertTrue(generation == said.done || generation == said.begun, what);
            assertEquals(said.contents.get(generation), content, what);
            undecided.addAndGet(said.begun > said.done ? 1 : 0);
            commits.addAndGet((int) (said.done - said.opened));
          }
        });
    assertTrue(undecided.get() > 0, () -> "no kill met a commit under way, of " + KILLS);
    assertTrue(commits.get() >= KILLS, () -> commits + " commits");
  }

  private static long empty() {
    try (HnswIndex index = HnswIndex.inMemory(Contents.config())) {
      return Contents.fingerprint(index);
    }
  }

  /** Starts a child, kills it so many nanoseconds after its first commit, hears it out. */
  private static Said run(Path directory, Quantization kind, long nanos)
      throws IOException, InterruptedException {
    Said said = new Said();
    Process child = StoreChild.start("commit", directory, kind);
    try (BufferedReader lines = StoreChild.output(child)) {
      boolean armed = false;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said.line(line);
        if (line.startsWith("done") && !armed) {
          armed = true;
          Thread.ofVirtual()
              .start(
                  () -> {
                    LockSupport.parkNanos(nanos);
                    child.toHandle().destroyForcibly(); // by the handle: the pipe stays readable
                  });
        }
      }
      assertTrue(armed, "the child ended by itself");
    } finally {
      child.destroyForcibly();
    }
    assertTrue(child.waitFor(60, TimeUnit.SECONDS));
    return said;
  }
}

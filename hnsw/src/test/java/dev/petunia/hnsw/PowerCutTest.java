package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Cuts the power after each change to the disk that commits, compactions and openings make, with
 * unforced writes lost, torn and in another order. What opens is the last commit or the one under
 * way, and the commit before it opens too.
 */
class PowerCutTest {
  /** Cuts at each place (of large files one); more by {@code -Dpetunia.test.runs=10}. */
  private static final int RUNS = 2 * Integer.getInteger("petunia.test.runs", 1);

  @TempDir Path folder;
  private final FaultyFileSystem disk = new FaultyFileSystem();
  private final PowerCut power = new PowerCut();
  private final List<Step> steps = new ArrayList<>();

  /**
   * What brought the directory from one commit to another.
   *
   * @param begun changes before
   * @param done changes until it returned
   * @param before the content of the commit before this one; null when it is not kept
   */
  private record Step(int begun, int done, long generation, long print, @Nullable Long before) {}

  private void step(HnswIndex index, Runnable work) {
    int begun = power.size();
    Step last = steps.getLast();
    work.run();
    Long before = last.generation == 0 || last.generation == index.generation() ? null : last.print;
    steps.add(
        new Step(begun, power.size(), index.generation(), Contents.fingerprint(index), before));
  }

  private void work(Path directory, HnswConfig config) {
    steps.add(new Step(0, 0, 0, Contents.fingerprint(HnswIndex.inMemory(config)), null));
    try (HnswIndex index = HnswIndex.open(directory, config)) {
      Contents.change(index, 1);
      step(index, index::compact); // the very first commit
      for (int i = 2; i < 5; i++) {
        Contents.change(index, i);
        step(index, index::commit);
      }
      step(index, index::commit); // nothing has changed
      Contents.change(index, 5);
      step(index, index::compact);
      Contents.change(index, 6);
      step(index, index::commit);
    }
    try (HnswIndex index = HnswIndex.open(directory, config)) {
      Contents.change(index, 7);
      step(index, index::commit);
    }
    // rolls back, and goes on from there
    int begun = power.size();
    Step back = steps.get(steps.size() - 2);
    try (HnswIndex index = HnswIndex.open(directory, config, back.generation)) {
      steps.add(new Step(begun, power.size(), back.generation, back.print, null));
      Contents.change(index, 8);
      step(index, index::commit);
      Contents.change(index, 9);
      step(index, index::commit);
    }
  }

  @ParameterizedTest
  @EnumSource(Contents.Kind.class)
  void whateverTheDiskKeepsOfUnforcedWritesACommitOpens(Contents.Kind kind) throws IOException {
    Path directory = Files.createDirectory(folder.resolve("index"));
    disk.maps = kind == Contents.Kind.WIDE;
    disk.set(power);
    work(disk.wrap(directory), kind.config());
    int newer = 0;
    for (int cut = 0; cut <= power.size(); cut++) {
      for (int run = 0; run < (kind == Contents.Kind.WIDE ? RUNS / 2 : RUNS); run++) {
        long seed = 1_000L * cut + run;
        Path left = folder.resolve("left");
        power.cut(cut, new Random(seed), 50 * ((cut + run) % 3), directory, left);
        String what =
            "seed " + seed + ", after " + (cut == 0 ? "nothing" : power.describe(cut - 1));
        newer += opens(left, kind.config(), cut, what) ? 1 : 0;
        remove(left);
      }
    }
    assertTrue(newer > 0, "no cut kept a commit under way");
  }

  /** Whether a commit under way opened. */
  private boolean opens(Path left, HnswConfig config, int cut, String what) {
    Step last = steps.getFirst();
    Step underWay = null;
    for (Step s : steps) {
      last = s.done <= cut ? s : last;
      underWay = s.begun < cut && cut < s.done ? s : underWay;
    }
    try (HnswIndex index = HnswIndex.open(left, config)) {
      index.verify();
      long print = Contents.fingerprint(index);
      boolean isNew =
          underWay != null && underWay.print == print && underWay.generation == index.generation();
      Step opened = isNew ? underWay : last;
      assertEquals(opened.print, print, what);
      assertEquals(opened.generation, index.generation(), what);
      if (opened.before != null) {
        try (HnswIndex before = HnswIndex.openReadOnly(left, config, index.generation() - 1)) {
          assertEquals(opened.before, Contents.fingerprint(before), what);
        }
      }
      if (cut % 4 == 0) { // it can be gone on with
        Contents.change(index, cut);
        index.commit();
        long now = Contents.fingerprint(index);
        try (HnswIndex again = HnswIndex.openReadOnly(left, config)) {
          again.verify();
          assertEquals(now, Contents.fingerprint(again), what);
        }
      }
      return isNew;
    } catch (RuntimeException e) {
      throw new AssertionError(what, e);
    }
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
  }
}

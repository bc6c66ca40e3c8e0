package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Disks that are full or break, at each operation of a commit and of a compaction. */
class FailingDiskTest {
  private static final FaultyFileSystem.Faults NONE = (operation, file) -> {};

  @TempDir Path folder;
  private final FaultyFileSystem disk = new FaultyFileSystem();
  private HnswConfig config = Contents.config();

  /** What fails. */
  private enum Work {
    /** The first commit of a directory. */
    FIRST,
    /** A commit that adds to the files of the one before. */
    ADD,
    /** A compaction, which writes new files. */
    COMPACT;

    long done() {
      return this == FIRST ? 1 : 3;
    }

    long generation(boolean done) {
      return done ? done() : done() - 1;
    }

    void run(HnswIndex index) {
      if (this == COMPACT) {
        index.compact();
      } else {
        index.commit();
      }
    }
  }

  private HnswIndex open(Path directory) {
    return HnswIndex.open(disk.wrap(directory), config);
  }

  /** An index that was changed since its last commit: number 2, or none. */
  private HnswIndex changed(Path directory, Work work) {
    HnswIndex index = open(directory);
    for (int g = 1; g < work.done(); g++) {
      Contents.change(index, g);
      index.commit();
    }
    Contents.change(index, 3);
    return index;
  }

  /** What a reader finds. */
  private long print(Path directory) {
    try (HnswIndex index = HnswIndex.openReadOnly(directory, config)) {
      index.verify();
      return Contents.fingerprint(index);
    } catch (IllegalArgumentException e) { // there is no commit
      assertTrue(String.valueOf(e.getMessage()).contains("a committed index"), e::toString);
      return Contents.fingerprint(HnswIndex.inMemory(config));
    }
  }

  private static boolean fails(Work work, HnswIndex index) {
    try {
      work.run(index);
      return false;
    } catch (UncheckedIOException e) {
      String message = String.valueOf(e.getMessage());
      assertTrue(message.matches("the (commit to|compaction) .*failed.*"), message);
      assertTrue(message.contains("No space left on device"), message);
      return true;
    }
  }

  /** Whether the rename that decides was made before the failure. */
  private static boolean decided(Work work, FailAt fault) {
    // before the first commit it is noted that there is none
    return fault.before("move commit") > (work == Work.FIRST ? 1 : 0);
  }

  @ParameterizedTest
  @CsvSource({
    "FIRST, NONE, false",
    "FIRST, BITS2, true",
    "ADD, NONE, false",
    "ADD, NONE, true",
    "ADD, BITS2, false",
    "COMPACT, NONE, true",
    "COMPACT, BITS2, false",
    "COMPACT, BITS2, true"
  })
  void workThatFailsAnywhereLeavesTheLastCommitAndAUsableIndex(
      Work work, Quantization kind, boolean forGood) throws IOException {
    config = Contents.config(kind);
    for (int step = 0; ; step++) {
      Path directory = folder.resolve("step-" + step);
      FailAt fault = new FailAt(step, forGood);
      try (HnswIndex index = changed(directory, work)) {
        long old = print(directory);
        long now = Contents.fingerprint(index);
        List<String> before = Contents.files(directory);
        disk.set(fault);
        boolean failed = fails(work, index);
        disk.set(NONE);
        if (!failed) {
          assertEquals(work.done(), index.generation());
          assertEquals(now, print(directory));
          // a file that could not be removed is only a stray, one that could not be mapped stays
          // in memory
          assertTrue(
              !fault.failed || fault.operation().matches("(delete|list|read) .*"),
              fault.done::toString);
          if (!fault.failed) {
            // graph written, forced, directory forced, commit written, forced, renamed, ...
            assertTrue(step >= 10, () -> "only " + fault.done);
            return;
          }
          continue;
        }
        assertEquals(work.done() - 1, index.generation());
        // only after the rename that decides is the new commit the one that opens
        assertEquals(decided(work, fault) ? now : old, print(directory), fault.operation());
        if (!forGood && !decided(work, fault) && !fault.operation().equals("move commit")) {
          // nothing is left that takes room
          List<String> after = Contents.files(directory);
          assertTrue(before.containsAll(after.stream().filter(f -> !f.equals("commit")).toList()));
        }
        // still usable, and can be tried again
        assertEquals(now, Contents.fingerprint(index));
        index.verify();
        Contents.change(index, 4);
        work.run(index);
        assertEquals(work.done(), index.generation());
        index.verify();
        assertEquals(Contents.fingerprint(index), print(directory));
        Contents.change(index, 5);
        index.commit();
        assertEquals(Contents.fingerprint(index), print(directory));
      }
      try (HnswIndex index = HnswIndex.open(directory, config)) {
        assertEquals(work.done() + 1, index.generation());
        index.verify();
        assertTrue(Contents.files(directory).size() <= 8, () -> "strays in " + directory);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Work.class)
  void aCrashAtAnyOperationLeavesTheLastCommitOrTheNewOne(Work work) {
    config = Contents.config(Quantization.BITS2);
    for (int step = 0; ; step++) {
      Path directory = folder.resolve("step-" + step);
      FailAt fault = new FailAt(step, true);
      HnswIndex index = changed(directory, work);
      long old = print(directory);
      long now = Contents.fingerprint(index);
      disk.set(fault);
      boolean failed = fails(work, index);
      index.close(); // nothing is written by this
      disk.set(NONE);
      try (HnswIndex again = HnswIndex.open(directory, config)) {
        again.verify();
        boolean decided = decided(work, fault);
        assertEquals(decided ? now : old, Contents.fingerprint(again));
        assertEquals(work.generation(decided), again.generation());
        Contents.change(again, 5);
        again.commit();
        again.verify();
      }
      if (!failed) {
        assertTrue(step >= 10);
        return;
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Work.class)
  void severalFailuresInARowAtTheLastStepLoseNothing(Work work) {
    Path directory = folder.resolve("index");
    try (HnswIndex index = changed(directory, work)) {
      for (int i = 0; i < 4; i++) {
        boolean[] moved = new boolean[1];
        int moves = work == Work.FIRST && i == 0 ? 2 : 1;
        int[] seen = new int[1];
        disk.set(
            (operation, file) -> {
              if (operation.equals("force") && moved[0]) {
                throw new FileSystemException(file.toString(), null, "No space left on device");
              }
              moved[0] |= operation.equals("move") && ++seen[0] == moves;
            });
        assertTrue(fails(work, index));
        disk.set(NONE);
        // on disk or not: it is whole
        long left = Contents.fingerprint(index);
        assertEquals(left, print(directory));
        Contents.change(index, 10 + i);
        // and stays so while another one is written
        disk.set(
            (operation, file) -> {
              if (operation.equals("write") && file.endsWith("commit.tmp")) {
                throw new FileSystemException(file.toString(), null, "No space left on device");
              }
            });
        assertTrue(fails(work, index));
        disk.set(NONE);
        assertEquals(left, print(directory));
      }
      work.run(index);
      assertEquals(Contents.fingerprint(index), print(directory));
      assertEquals(work.done(), index.generation());
      index.verify();
    }
  }

  // ---- full disks ----------------------------------------------------------------------------

  /** A disk on which so many bytes find room. */
  private static final class Room implements FaultyFileSystem.Faults {
    private long left;

    Room(long left) {
      this.left = left;
    }

    @Override
    public void before(String operation, Path file) throws IOException {
      if (operation.equals("write") && left == 0) {
        throw new FileSystemException(file.toString(), null, "No space left on device");
      }
    }

    @Override
    public int part(String operation, Path file, int bytes) {
      if (!operation.equals("write")) {
        return bytes;
      }
      int n = (int) Math.min(left, bytes);
      left -= n;
      return n;
    }
  }

  @ParameterizedTest
  @EnumSource(Work.class)
  void aDiskThatFillsUpAtAnyByteLosesNothing(Work work) {
    config = Contents.config(Quantization.INT8);
    for (int room = 0; ; room += 97) {
      Path directory = folder.resolve("room-" + room);
      try (HnswIndex index = changed(directory, work)) {
        long old = print(directory);
        disk.set(new Room(room));
        boolean failed = fails(work, index);
        disk.set(NONE);
        if (!failed) {
          assertTrue(room > 1000);
          return;
        }
        assertEquals(old, print(directory), "room for " + room);
        work.run(index);
        assertEquals(Contents.fingerprint(index), print(directory));
      }
    }
  }

  @Test
  void aDiskThatWritesAndReadsAFewBytesAtATimeMakesTheSameFiles() throws IOException {
    config = Contents.config(Quantization.BITS2);
    Path whole = folder.resolve("whole");
    Path parts = folder.resolve("parts");
    for (Path directory : List.of(whole, parts)) {
      int[] turn = new int[1];
      if (directory.equals(parts)) {
        disk.set(
            new FaultyFileSystem.Faults() {
              @Override
              public void before(String operation, Path file) {}

              @Override
              public int part(String operation, Path file, int bytes) {
                return Math.min(bytes, 1 + turn[0]++ % 13);
              }
            });
      }
      try (HnswIndex index = changed(directory, Work.ADD)) {
        index.commit();
        index.verify();
      }
      try (HnswIndex index = open(directory)) {
        index.verify();
        Contents.change(index, 4);
        index.compact();
        index.verify();
      }
    }
    assertEquals(Contents.files(whole), Contents.files(parts));
    for (String file : Contents.files(whole)) {
      assertArrayEquals(
          Files.readAllBytes(whole.resolve(file)), Files.readAllBytes(parts.resolve(file)), file);
    }
  }
}

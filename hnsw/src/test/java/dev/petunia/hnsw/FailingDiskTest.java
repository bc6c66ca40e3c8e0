package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Disks that are full, break or are read-only: at each operation of a commit and of an opening. */
class FailingDiskTest {
  private static final Set<String> CHANGES =
      Set.of("create", "write", "force", "move", "delete", "directory");

  @TempDir Path folder;
  private final FaultyFileSystem disk = new FaultyFileSystem();

  /** The operation of this number fails, and with {@code forGood} all after it too. */
  private static final class FailAt implements FaultyFileSystem.Faults {
    private final int failing;
    private final boolean forGood;
    private final List<String> done = new ArrayList<>();
    private boolean failed;

    FailAt(int failing, boolean forGood) {
      this.failing = failing;
      this.forGood = forGood;
    }

    @Override
    public void before(String operation, Path file) throws IOException {
      done.add(operation + " " + file.getFileName());
      if (done.size() - 1 == failing || (failed && forGood)) {
        failed = true;
        throw new FileSystemException(file.toString(), null, "No space left on device");
      }
    }
  }

  /** A directory with commits 1 and 2, of which the index is open and changed since. */
  private HnswIndex changed(Path directory) {
    HnswIndex index = HnswIndex.open(disk.wrap(directory), Contents.config());
    for (int g = 1; g <= 2; g++) {
      Contents.change(index, g);
      index.commit();
    }
    Contents.change(index, 3);
    return index;
  }

  private static long print(Path directory) {
    try (HnswIndex index = HnswIndex.openReadOnly(directory, Contents.config())) {
      index.verify();
      return Contents.fingerprint(index);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCommitThatFailsAnywhereLeavesTheLastOneAndAUsableIndex(boolean forGood) {
    for (int step = 0; ; step++) {
      Path directory = folder.resolve("step-" + step);
      FailAt fault = new FailAt(step, forGood);
      try (HnswIndex index = changed(directory)) {
        long old = print(directory);
        long now = Contents.fingerprint(index);
        disk.set(fault);
        if (!fails(index)) {
          disk.set((operation, file) -> {});
          assertEquals(3, index.generation());
          assertEquals(now, print(directory));
          // a file that could not be removed is only a stray, one that could not be mapped stays
          // in memory
          assertTrue(
              !fault.failed || fault.done.get(step).matches("(delete|list|read) .*"),
              fault.done::toString);
          if (!fault.failed) {
            // snapshot written, forced, renamed, directory forced; then the same for commit
            assertTrue(step >= 10, () -> "only " + fault.done);
            return;
          }
          continue;
        }
        disk.set((operation, file) -> {});
        assertEquals(2, index.generation());
        String failed = fault.done.get(step);
        long left = print(directory);
        // only after the rename that decides is the new commit the one that opens
        boolean decided = fault.done.subList(0, step).contains("move commit");
        assertEquals(decided ? now : old, left, failed);
        // still usable, and the commit can be tried again
        assertEquals(now, Contents.fingerprint(index));
        index.verify();
        Contents.change(index, 4);
        assertEquals(3, index.commit());
        index.verify();
        assertEquals(Contents.fingerprint(index), print(directory));
      }
      try (HnswIndex index = HnswIndex.open(directory, Contents.config())) {
        assertEquals(3, index.generation());
        index.verify();
      }
    }
  }

  private static boolean fails(HnswIndex index) {
    try {
      index.commit();
      return false;
    } catch (UncheckedIOException e) {
      String message = String.valueOf(e.getMessage());
      assertTrue(message.contains("the commit to") && message.contains("failed"), message);
      assertTrue(message.contains("No space left on device"), message);
      return true;
    }
  }

  @Test
  void aCrashAtAnyOperationLeavesTheLastCommitOrTheNewOne() {
    for (int step = 0; ; step++) {
      Path directory = folder.resolve("step-" + step);
      FailAt fault = new FailAt(step, true);
      HnswIndex index = changed(directory);
      long old = print(directory);
      long now = Contents.fingerprint(index);
      disk.set(fault);
      boolean failed = fails(index);
      index.close(); // nothing is written by this
      disk.set((operation, file) -> {});
      try (HnswIndex again = HnswIndex.open(directory, Contents.config())) {
        again.verify();
        boolean decided =
            fault.done.subList(0, Math.min(step, fault.done.size())).contains("move commit");
        assertEquals(decided ? now : old, Contents.fingerprint(again));
        assertEquals(decided ? 3 : 2, again.generation());
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

  @Test
  void anOpeningThatFailsAnywhereReleasesTheLockAndDiscardsNothing() {
    Path directory = folder.resolve("index");
    changed(directory).close();
    long old = print(directory);
    int failures = 0;
    for (int step = 0; ; step++) {
      FailAt fault = new FailAt(step, true);
      disk.set(fault);
      try (HnswIndex index = HnswIndex.open(disk.wrap(directory), Contents.config(), 2)) {
        assertEquals(old, Contents.fingerprint(index));
        if (!fault.failed) {
          break;
        }
      } catch (UncheckedIOException e) {
        failures++;
        assertTrue(String.valueOf(e.getMessage()).contains("No space left"), e::toString);
      }
      disk.set((operation, file) -> {});
      try (HnswIndex index = HnswIndex.open(directory, Contents.config())) { // not locked
        assertEquals(old, Contents.fingerprint(index));
      }
    }
    assertTrue(failures >= 4, failures + " failures");
  }

  @Test
  void rollingBackFailsWithoutLoss() {
    for (int step = 0; ; step++) {
      Path directory = folder.resolve("step-" + step);
      changed(directory).close();
      long newer = print(directory);
      FailAt fault = new FailAt(step, true);
      disk.set(fault);
      boolean done = true;
      try (HnswIndex index = HnswIndex.open(disk.wrap(directory), Contents.config(), 1)) {
        assertEquals(1, index.generation());
      } catch (UncheckedIOException e) {
        done = false;
      }
      disk.set((operation, file) -> {});
      boolean decided =
          fault.done.subList(0, Math.min(step, fault.done.size())).contains("move commit");
      if (decided) {
        try (HnswIndex index = HnswIndex.open(directory, Contents.config())) {
          assertEquals(1, index.generation());
          index.verify();
        }
      } else {
        assertFalse(done);
        assertEquals(newer, print(directory));
      }
      if (done && !fault.failed) {
        return;
      }
    }
  }

  // ---- read-only -----------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(strings = {"read-only file system", "permission denied"})
  void aDirectoryThatCantBeWrittenIsNamedAndCanStillBeRead(String why) {
    Path directory = folder.resolve("index");
    changed(directory).close();
    long print = print(directory);
    disk.set(
        (operation, file) -> {
          if (CHANGES.contains(operation)) {
            throw why.startsWith("read-only")
                ? new FileSystemException(file.toString(), null, "Read-only file system")
                : new AccessDeniedException(file.toString());
          }
        });
    UncheckedIOException e =
        assertThrows(
            UncheckedIOException.class,
            () -> HnswIndex.open(disk.wrap(directory), Contents.config()));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains(directory.toString()), message);
    assertTrue(message.contains("can't be opened for writing"), message);
    try (HnswIndex index = HnswIndex.openReadOnly(disk.wrap(directory), Contents.config())) {
      assertEquals(print, Contents.fingerprint(index));
      index.verify();
    }
    assertThrows(
        UncheckedIOException.class,
        () -> HnswIndex.open(disk.wrap(folder.resolve("new")), Contents.config()));
  }

  @Test
  void aDirectoryWithoutWritePermissionIsNamedAndCanStillBeRead() throws IOException {
    assumeTrue(
        Files.getFileStore(folder).supportsFileAttributeView("posix"), "no permissions here");
    Path directory = folder.resolve("index");
    changed(directory).close();
    long print = print(directory);
    Files.delete(directory.resolve("write.lock"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("r-xr-xr-x"));
    try {
      assumeFalse(Files.isWritable(directory), "permissions don't bind this user (root)");
      UncheckedIOException e =
          assertThrows(
              UncheckedIOException.class, () -> HnswIndex.open(directory, Contents.config()));
      assertTrue(String.valueOf(e.getMessage()).contains("can't be opened for writing"));
      assertEquals(print, print(directory));
    } finally {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }
}

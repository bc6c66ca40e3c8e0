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

/** Disks that break or are read-only at an opening: at each operation of it. */
class FailingOpeningTest {
  private static final Set<String> CHANGES =
      Set.of("create", "write", "force", "move", "delete", "directory");

  @TempDir Path folder;
  private final FaultyFileSystem disk = new FaultyFileSystem();

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
      boolean decided = fault.before("move commit") > 0;
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

  @Test
  void theNamesOfNewDirectoriesAreForcedToo() {
    List<String> done = new ArrayList<>();
    disk.set(
        (operation, file) -> {
          if (operation.equals("force") || operation.equals("directory")) {
            done.add(operation + " " + file.getFileName());
          }
        });
    HnswIndex.open(disk.wrap(folder.resolve("above").resolve("index")), Contents.config()).close();
    assertEquals(
        List.of(
            "directory above", "force " + folder.getFileName(), "directory index", "force above"),
        done);
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

package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.IndexLockedException;
import dev.petunia.core.testing.Threads;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One writer, any number of readers beside it. */
class LockTest {
  @TempDir Path folder;

  private Path directory() {
    return folder.resolve("index");
  }

  private static void locked(Path directory) {
    IndexLockedException e =
        assertThrows(
            IndexLockedException.class, () -> HnswIndex.open(directory, Contents.config()));
    assertTrue(String.valueOf(e.getMessage()).contains(directory.toString()), e::toString);
    assertTrue(String.valueOf(e.getMessage()).contains("open for writing elsewhere"));
  }

  @Test
  void aSecondWriterInThisProcessIsRefusedUntilTheFirstIsClosed() throws IOException {
    Path link = folder.resolve("link");
    try (HnswIndex first = HnswIndex.open(directory(), Contents.config())) {
      Contents.change(first, 1);
      locked(directory());
      locked(directory());
      locked(folder.resolve("index/../index"));
      Files.createSymbolicLink(link, directory());
      locked(link);
      assertEquals(1, first.commit()); // the attempts did not release the lock
      locked(directory());
    }
    try (HnswIndex second = HnswIndex.open(link, Contents.config())) {
      assertEquals(1, second.generation());
    }
  }

  @Test
  void aSecondWriterInAnotherProcessIsRefused() throws IOException, InterruptedException {
    try (HnswIndex first = HnswIndex.open(directory(), Contents.config())) {
      Contents.change(first, 1);
      Process child = StoreChild.start("hold", directory(), Quantization.NONE);
      try (BufferedReader lines = StoreChild.output(child)) {
        assertEquals("locked", lines.readLine());
      }
      assertTrue(child.waitFor(60, TimeUnit.SECONDS));
      assertEquals(1, first.commit());
    }
    Process child = StoreChild.start("hold", directory(), Quantization.NONE);
    try (BufferedReader lines = StoreChild.output(child)) {
      assertEquals("open", lines.readLine());
      locked(directory());
      try (HnswIndex reader = HnswIndex.openReadOnly(directory(), Contents.config())) {
        assertEquals(1, reader.generation()); // reading goes on
      }
    } finally {
      child.destroyForcibly();
    }
    assertTrue(child.waitFor(60, TimeUnit.SECONDS));
    HnswIndex.open(directory(), Contents.config()).close(); // a killed writer leaves no lock
  }

  @Test
  void readersBesideAWriterKeepTheCommitTheyOpened() {
    try (HnswIndex writer = HnswIndex.open(directory(), Contents.config())) {
      Contents.change(writer, 1);
      writer.commit();
      long first = Contents.fingerprint(writer);
      try (HnswIndex early = HnswIndex.openReadOnly(directory(), Contents.config())) {
        for (int g = 2; g <= 6; g++) {
          Contents.change(writer, g);
          assertEquals(first, Contents.fingerprint(early));
          writer.commit();
          early.verify(); // also when its file is gone, after two commits more
          assertEquals(first, Contents.fingerprint(early));
          assertEquals(1, early.generation());
          try (HnswIndex late = HnswIndex.openReadOnly(directory(), Contents.config())) {
            assertEquals(g, late.generation());
            assertEquals(Contents.fingerprint(writer), Contents.fingerprint(late));
            late.verify();
          }
        }
      }
    }
  }

  @Test
  void readersThatOpenWhileCommitsFollowEachOtherAlwaysGetOne() throws InterruptedException {
    try (HnswIndex writer = HnswIndex.open(directory(), Contents.config())) {
      Contents.change(writer, 0);
      writer.commit();
      AtomicBoolean stop = new AtomicBoolean();
      Threads.run(
          3,
          thread -> {
            if (thread == 0) {
              for (int i = 1; i <= 60; i++) {
                Contents.change(writer, i);
                writer.commit();
              }
              stop.set(true);
              return;
            }
            long last = 0;
            while (!stop.get()) {
              try (HnswIndex reader = HnswIndex.openReadOnly(directory(), Contents.config())) {
                assertTrue(reader.generation() >= last, "generations go up");
                last = reader.generation();
                reader.verify();
              }
            }
          });
    }
  }
}

package dev.petunia.dedup;

import static dev.petunia.dedup.Findings.CONFIG;
import static dev.petunia.dedup.Findings.documents;
import static dev.petunia.dedup.Findings.edges;
import static dev.petunia.dedup.Findings.prose;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.ProgressListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders in which something is missing or wrong, and commits that fail. */
class DamagedFolderTest {
  @TempDir Path temp;
  private int next;

  private Path made() {
    Path directory = temp.resolve("i" + next++);
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      index.ingest(documents(prose(1, 60), prose(1, 60)));
      index.judge("t0", "t1", false, "by a person");
      index.commit();
    }
    return directory;
  }

  private static void corrupt(
      Path file, String problem, org.junit.jupiter.api.function.Executable open) {
    CorruptIndexException e = assertThrows(CorruptIndexException.class, open);
    assertEquals(file, e.file());
    assertTrue(e.getMessage().contains(problem), e.getMessage());
  }

  @Test
  void folderWhoseCommitWasLostIsCorruptAndKeepsItsFiles() throws IOException {
    for (List<String> left :
        List.of(
            List.of("log.pd"),
            List.of("sets.pd"),
            List.of("bands-0000000001.pd"),
            List.of("log.pd", "sets.pd", "bands-0000000001.pd"))) {
      Path directory = made();
      long length = 0;
      try (Stream<Path> files = Files.list(directory)) {
        for (Path p : files.toList()) {
          if (left.contains(p.getFileName().toString())) {
            length += Files.size(p);
          } else {
            Files.delete(p);
          }
        }
      }
      corrupt(
          directory.resolve("commit"),
          "is missing, but " + left.getFirst() + " is there",
          () -> DedupIndex.open(directory, CONFIG));
      long after = 0;
      for (String name : left) {
        after += Files.size(directory.resolve(name));
      }
      assertEquals(length, after, "nothing was cut off");
    }
  }

  @Test
  void newFolderHasACommitOfNothingAtOnce() throws IOException {
    Path directory = temp.resolve("new");
    DedupIndex.open(directory, CONFIG).close();
    try (DedupIndex reader = DedupIndex.openReadOnly(directory, CONFIG)) {
      assertEquals(0, reader.stats().chunks());
      reader.verify(ProgressListener.NONE);
    }
    // as a crash before that first commit leaves it
    Files.delete(directory.resolve("commit"));
    DedupIndex.open(directory, CONFIG).close();
    assertTrue(DedupIndex.hasCommit(directory));
  }

  @Test
  void missingOrShortFilesAreNamedToReadersAndWriters() throws IOException {
    for (String name : List.of("log.pd", "sets.pd")) {
      for (boolean isMissing : new boolean[] {true, false}) {
        Path directory = made();
        Path file = directory.resolve(name);
        if (isMissing) {
          Files.delete(file);
        } else {
          byte[] all = Files.readAllBytes(file);
          Files.write(file, Arrays.copyOf(all, all.length / 2));
        }
        String problem = isMissing ? "is missing, but " : "ends here, but ";
        corrupt(file, problem, () -> DedupIndex.openReadOnly(directory, CONFIG));
        corrupt(file, problem, () -> DedupIndex.open(directory, CONFIG));
      }
    }
    Path directory = made();
    Path file = directory.resolve("bands-0000000001.pd");
    Files.delete(file);
    corrupt(file, "is missing, but ", () -> DedupIndex.open(directory, CONFIG));
  }

  /** A folder whose log has one frame, with a checksum that is right. */
  private Path logged(Consumer<Records> records) throws IOException {
    Path directory = temp.resolve("i" + next++);
    DedupIndex.open(directory, CONFIG).close();
    Records r = new Records(true);
    records.accept(r);
    ByteBuffer frame = r.drain();
    long length = Log.append(directory.resolve("log.pd"), 0, frame);
    new CommitFile(length, 8, 9, 1, 0, List.of(new int[] {0, 1}), List.of(1L))
        .write(directory, LshParameters.DEFAULT);
    CommitFile.rename(directory);
    Files.write(directory.resolve("sets.pd"), new byte[8], StandardOpenOption.WRITE);
    return directory;
  }

  private void senseless(String problem, Consumer<Records> records) throws IOException {
    Path directory = logged(records);
    CorruptIndexException e =
        assertThrows(CorruptIndexException.class, () -> DedupIndex.openReadOnly(directory, CONFIG));
    assertEquals(directory.resolve("log.pd"), e.file());
    assertTrue(e.offset() >= 8, e.getMessage());
    assertTrue(e.getMessage().contains(problem), e.getMessage());
  }

  /** A state with a chunk of these numbers, to write. */
  private static State chunk(int group, int run) {
    State s = new State();
    for (int g = 0; g <= group; g++) {
      s.addGroup(g, 1, 1, 0);
    }
    s.addDoc("c", 0, group, run, new byte[32]);
    return s;
  }

  @Test
  void numbersInTheLogThatNothingHasAreCorrupt() throws IOException {
    senseless("run 0 has no record", r -> r.document(0, chunk(State.NONE, 0)));
    senseless("run 1 of 1", r -> r.document(0, chunk(State.NONE, 1)));
    senseless("group 0 of 0", r -> r.document(0, chunk(0, 0)));
    senseless("chunk 0 of 0", r -> r.removed(0));
    senseless("chunk -1 of 0", r -> r.removed(-1));
    senseless(
        "group 1 of 1",
        r -> {
          r.group(1, 1, 1, 0);
          r.pair(1, 0, 1, 1, 0);
        });
    senseless(
        "intersection 2 of 2",
        r -> {
          r.group(1, 1, 1, 0);
          r.group(2, 1, 1, 0);
          r.pair(1, 0, 2, 2, 0);
        });
    senseless("shingles 0 of", r -> r.group(1, 0, 1, 0));
  }

  @Test
  void commitThatFailsBeforeItsLastStepCanBeTriedAgain() throws IOException {
    Path directory = made();
    Path sets = directory.resolve("sets.pd");
    Path away = temp.resolve("away");
    List<String> edges;
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      index.ingest(List.of(new Document("a", prose(2, 60)), new Document("b", prose(2, 60))));
      Files.move(sets, away);
      assertThrows(UncheckedIOException.class, () -> index.commit(5)); // the log is written by then
      assertEquals(0, index.mark());
      index.ingest(List.of(new Document("c", prose(2, 60)), new Document("d", prose(3, 60))));
      index.remove("t0");
      assertThrows(UncheckedIOException.class, () -> index.commit(6));
      Files.move(away, sets);
      index.commit(7);
      index.ingest(List.of(new Document("e", prose(3, 60))));
      index.commit(8);
      edges = edges(index);
      index.verify(ProgressListener.NONE);
    }
    assertEquals(3, edges.size());
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      assertEquals(edges, edges(index));
      assertEquals(8, index.mark());
      assertEquals(4, index.runs().size());
      index.verify(ProgressListener.NONE);
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertTrue(files.noneMatch(p -> p.toString().endsWith(".tmp")));
    }
  }

  @Test
  void commitThatFailsInItsLastStepIsRefusedUntilReopened() throws IOException {
    Path directory = made();
    Path commit = directory.resolve("commit");
    Path away = temp.resolve("away");
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      index.ingest(List.of(new Document("a", prose(2, 60))));
      Files.move(commit, away);
      Files.createDirectories(commit.resolve("full")); // can't be renamed over
      assertThrows(UncheckedIOException.class, index::commit);
      Files.delete(commit.resolve("full"));
      Files.delete(commit);
      Files.move(away, commit);
      assertThrows(IllegalStateException.class, index::commit);
    }
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      assertEquals(2, index.stats().chunks());
      index.ingest(List.of(new Document("a", prose(2, 60))));
      index.commit();
    }
  }

  @Test
  void interruptedThreadCommitsAllTheSameAndStaysInterrupted() {
    Path directory = made();
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      for (int i = 0; i < 3; i++) {
        index.ingest(List.of(new Document("a" + i, prose(2, 60))));
        Thread.currentThread().interrupt();
        index.commit(i);
        assertTrue(Thread.interrupted());
      }
    }
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      assertEquals(5, index.stats().chunks());
      assertEquals(2, index.mark());
    }
  }
}

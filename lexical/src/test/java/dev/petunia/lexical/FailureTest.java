package dev.petunia.lexical;

import static dev.petunia.lexical.LexicalIndexTest.chunk;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Chunk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FailureTest {
  private static final LexicalConfig CONFIG = LexicalConfig.defaults();

  @TempDir Path temp;

  /** A disk that fills up, or can't make files durable, when told so. */
  private static final class Disk extends FilterDirectory {
    private volatile boolean full;
    private volatile boolean broken;

    Disk(Path path) throws IOException {
      super(FSDirectory.open(path));
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      refuseIf(full, "no space left on device");
      return in.createOutput(name, context);
    }

    @Override
    public void sync(Collection<String> names) throws IOException {
      refuseIf(broken, "input/output error");
      in.sync(names);
    }

    private static void refuseIf(boolean failing, String message) throws IOException {
      if (failing) {
        throw new IOException(message);
      }
    }
  }

  private Store open(Disk disk) {
    return Store.openForWriting(new Place(temp, disk), CONFIG);
  }

  private static void assertHasCause(Throwable e, String message) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (message.equals(t.getMessage())) {
        return;
      }
    }
    throw new AssertionError("no cause says: " + message, e);
  }

  @Test
  void aFullDiskIsReportedAndTheLastCommitIsKept() throws IOException {
    Disk disk = new Disk(temp);
    LexicalIndex index = new LexicalIndex(open(disk));
    index.upsert(chunk("a", "kept"));
    index.commit(Map.of("g", "1"));
    index.upsert(chunk("b", "lost"));
    disk.full = true;
    UncheckedIOException e = assertThrows(UncheckedIOException.class, index::size);
    assertHasCause(e, "no space left on device");
    assertTrue(e.getMessage().contains(temp.toString()), e.getMessage());
    for (int i = 0; i < 3; i++) { // the writer has stopped, and goes on saying why
      UncheckedIOException again =
          assertThrows(UncheckedIOException.class, () -> index.upsert(chunk("c", "c")));
      assertHasCause(again, "no space left on device");
    }
    disk.full = false;
    index.close();
    try (LexicalIndex reopened = LexicalIndex.open(temp, CONFIG)) {
      assertEquals(List.of(chunk("a", "kept")), reopened.get(List.of("a", "b", "c")));
      assertEquals(Map.of("g", "1"), reopened.committedUserData());
    }
  }

  @Test
  void rollbackBringsAStoppedIndexBackToItsLastCommit() throws IOException {
    Disk disk = new Disk(temp);
    try (LexicalIndex index = new LexicalIndex(open(disk))) {
      index.upsert(chunk("a", "kept"));
      index.commit(Map.of("g", "1"));
      index.upsert(chunk("b", "lost"));
      disk.full = true;
      assertThrows(UncheckedIOException.class, index::size);
      disk.full = false;
      index.rollback();
      assertEquals(1, index.size());
      index.upsert(chunk("c", "again"));
      index.commit(Map.of("g", "2"));
    }
    try (LexicalIndex reopened = LexicalIndex.open(temp, CONFIG)) {
      assertEquals(2, reopened.size());
      assertEquals(Map.of("g", "2"), reopened.committedUserData());
    }
  }

  @Test
  void aCommitThatCannotBeMadeDurableIsNone() throws IOException {
    Disk disk = new Disk(temp);
    LexicalIndex index = new LexicalIndex(open(disk));
    index.upsert(chunk("a", "a"));
    index.commit(Map.of("g", "1"));
    index.upsert(chunk("b", "b"));
    disk.broken = true;
    UncheckedIOException e =
        assertThrows(UncheckedIOException.class, () -> index.commit(Map.of("g", "2")));
    assertHasCause(e, "input/output error");
    disk.broken = false;
    index.close();
    try (LexicalIndex reopened = LexicalIndex.open(temp, CONFIG)) {
      assertEquals(1, reopened.size());
      assertEquals(Map.of("g", "1"), reopened.committedUserData());
    }
  }

  @Test
  void aBatchThatAnAnalyzerBreaksChangesNothing() {
    TextAnalysis whole =
        TextAnalysis.custom("whole text", new KeywordAnalyzer(), new KeywordAnalyzer());
    LexicalConfig config = LexicalConfig.builder().analysis(whole).build();
    try (LexicalIndex index = LexicalIndex.open(temp, config)) {
      Chunk before = chunk("a", "before");
      index.upsert(before);
      List<Chunk> batch =
          List.of(chunk("a", "after"), chunk("b", "b"), chunk("c", "x".repeat(40_000)));
      assertThrows(IllegalArgumentException.class, () -> index.upsert(batch));
      assertEquals(List.of(before), index.get(List.of("a", "b", "c")));
      index.upsert(batch.subList(0, 2));
      assertEquals(batch.subList(0, 2), index.get(List.of("a", "b")));
      assertEquals(2, index.size());
      index.commit(Map.of());
      assertFalse(index.hasUncommittedChanges());
    }
  }
}

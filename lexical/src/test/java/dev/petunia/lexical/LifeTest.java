package dev.petunia.lexical;

import static dev.petunia.lexical.LexicalIndexTest.chunk;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.petunia.core.Chunk;
import dev.petunia.core.Filter;
import dev.petunia.core.IndexClosedException;
import dev.petunia.core.IndexLockedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class LifeTest {
  private static final LexicalConfig CONFIG = LexicalConfig.defaults();

  @TempDir Path temp;

  private Path dir() {
    return temp.resolve("index");
  }

  private LexicalIndex open() {
    return LexicalIndex.open(dir(), CONFIG);
  }

  static List<Chunk> chunks(int n) {
    return IntStream.range(0, n)
        .mapToObj(i -> new Chunk("c" + i, "e" + i / 10, i, "word" + i, Map.of("n", i)))
        .toList();
  }

  @Test
  void reopeningGivesTheLastCommitWithItsData() {
    try (LexicalIndex index = open()) {
      assertEquals(Map.of(), index.committedUserData());
      index.upsert(chunks(100));
      assertEquals(100, index.size());
      index.commit(Map.of("g", "7"));
      assertEquals(Map.of("g", "7"), index.committedUserData());
    }
    try (LexicalIndex index = open()) {
      assertEquals(100, index.size());
      assertEquals(chunks(100).get(42), index.get("c42"));
      assertEquals(Map.of("g", "7"), index.committedUserData());
      assertEquals(1, index.search(LexicalQuery.builder("word42").build()).size());
      assertEquals(50, index.count(Filter.lt("n", 50)));
      index.commit(Map.of());
    }
    try (LexicalIndex index = open()) {
      assertEquals(Map.of(), index.committedUserData());
    }
  }

  @Test
  void closingWithoutCommitDropsTheChanges() {
    try (LexicalIndex index = open()) {
      index.upsert(chunks(10));
      assertEquals(10, index.size());
    }
    try (LexicalIndex index = open()) {
      assertEquals(0, index.size());
      index.upsert(chunks(10));
      index.commit(Map.of("g", "1"));
      index.delete(List.of("c1"));
      index.upsert(chunk("new", "new"));
      assertEquals(10, index.size());
    }
    try (LexicalIndex index = open()) {
      assertTrue(index.contains("c1"));
      assertFalse(index.contains("new"));
      assertEquals(Map.of("g", "1"), index.committedUserData());
    }
  }

  @Test
  void rollbackDropsTheChangesAndTheIndexGoesOn() {
    for (boolean memory : List.of(true, false)) {
      try (LexicalIndex index = memory ? LexicalIndex.inMemory(CONFIG) : open()) {
        index.upsert(chunk("lost", "lost"));
        assertTrue(index.hasUncommittedChanges());
        index.rollback();
        assertEquals(0, index.size());
        index.upsert(chunks(10));
        index.commit(Map.of("g", "1"));
        assertFalse(index.hasUncommittedChanges());
        index.deleteEntry("e0");
        assertEquals(0, index.size());
        index.rollback();
        assertEquals(10, index.size());
        assertEquals(Map.of("g", "1"), index.committedUserData());
        index.upsert(chunk("kept", "kept"));
        index.commit(Map.of("g", "2"));
        assertEquals(11, index.size());
      }
    }
    try (LexicalIndex index = open()) {
      assertTrue(index.contains("kept"));
      assertEquals(11, index.size());
    }
  }

  @Test
  void theFilesAsTheyAreInTheMidstOfChangesOpenAtTheLastCommit() throws IOException {
    try (LexicalIndex index =
        LexicalIndex.open(dir(), CONFIG.toBuilder().ramBufferMegabytes(1).build())) {
      index.upsert(chunks(50));
      index.commit(Map.of("g", "1"));
      for (int i = 0; i < 5; i++) {
        index.upsert(chunks(2_000));
        index.size(); // flushes a segment
        index.delete(List.of("c1", "c2"));
        Path copy = temp.resolve("copy" + i);
        copy(dir(), copy);
        try (LexicalIndex crashed = LexicalIndex.open(copy, CONFIG)) {
          crashed.verify();
          assertEquals(50, crashed.size());
          assertEquals(Map.of("g", "1"), crashed.committedUserData());
        }
      }
    }
  }

  static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path f : files.toList()) {
        Files.copy(f, to.resolve(f.getFileName().toString()));
      }
    }
  }

  @Test
  void aSecondWriterIsRefusedAndTheFirstGoesOn() {
    try (LexicalIndex index = open()) {
      IndexLockedException e = assertThrows(IndexLockedException.class, this::open);
      assertTrue(e.getMessage().contains(dir().toString()), e.getMessage());
      index.upsert(chunk("a", "a"));
      index.rollback();
      assertThrows(IndexLockedException.class, this::open);
      index.upsert(chunk("a", "a"));
      index.commit(Map.of());
    }
    try (LexicalIndex index = open()) {
      assertEquals(1, index.size());
    }
  }

  @Test
  void aForeignLuceneWriterCountsAsAWriterToo() throws IOException {
    open().close();
    try (FSDirectory d = FSDirectory.open(dir());
        IndexWriter foreign = new IndexWriter(d, new IndexWriterConfig())) {
      assertTrue(foreign.isOpen());
      assertThrows(IndexLockedException.class, this::open);
    }
  }

  @Test
  void aReaderBesideTheWriterSeesCommitsWhenItRefreshes() {
    try (LexicalIndex writer = open();
        LexicalIndex reader = LexicalIndex.openReadOnly(dir())) {
      assertEquals(0, reader.size());
      assertFalse(reader.refresh());
      writer.upsert(chunks(10));
      assertFalse(reader.refresh());
      writer.commit(Map.of("g", "1"));
      assertEquals(0, reader.size());
      assertTrue(reader.refresh());
      assertEquals(10, reader.size());
      assertEquals(Map.of("g", "1"), reader.committedUserData());
      writer.delete(List.of("c0"));
      writer.upsert(chunk("new", "fresh"));
      writer.commit(Map.of("g", "2"));
      assertEquals(chunks(10).getFirst(), reader.get("c0"));
      assertEquals(Map.of("g", "1"), reader.committedUserData());
      assertTrue(reader.refresh());
      assertFalse(reader.refresh());
      assertEquals(1, reader.search(LexicalQuery.builder("fresh").build()).size());
      assertFalse(reader.contains("c0"));
      assertEquals(Map.of("g", "2"), reader.committedUserData());
      assertFalse(writer.refresh());
    }
  }

  @Test
  void anIndexOpenForReadingRefusesChanges() {
    open().close();
    try (LexicalIndex reader = LexicalIndex.openReadOnly(dir())) {
      for (Executable change :
          List.<Executable>of(
              () -> reader.upsert(chunk("a", "a")),
              () -> reader.delete(List.of("a")),
              () -> reader.deleteEntry("a"),
              () -> reader.commit(Map.of()),
              reader::rollback)) {
        String message = assertThrows(UnsupportedOperationException.class, change).getMessage();
        assertTrue(message.contains("reading only"), message);
      }
      assertFalse(reader.hasUncommittedChanges());
    }
  }

  @Test
  void anotherAnalysisIsRefusedByName() {
    try (LexicalIndex index = open()) {
      index.commit(Map.of());
    }
    LexicalConfig plain = LexicalConfig.builder().analysis(TextAnalysis.plain()).build();
    for (Executable opening :
        List.<Executable>of(
            () -> LexicalIndex.open(dir(), plain), () -> LexicalIndex.openReadOnly(dir(), plain))) {
      String message = assertThrows(IllegalArgumentException.class, opening).getMessage();
      assertTrue(message.contains("\"plain-1\""), message);
      assertTrue(message.contains("\"english-1\""), message);
    }
    open().close(); // the refused one left no lock
  }

  @Test
  void aCustomAnalysisIsStoredByNameAndAskedFor() {
    TextAnalysis custom =
        TextAnalysis.custom("words", new WhitespaceAnalyzer(), new WhitespaceAnalyzer());
    LexicalConfig config = LexicalConfig.builder().analysis(custom).build();
    try (LexicalIndex index = LexicalIndex.open(dir(), config)) {
      index.upsert(chunk("a", "C++ is-not C#"));
      index.commit(Map.of());
      assertEquals(1, index.search(LexicalQuery.builder("C++").build()).size());
      assertEquals(0, index.search(LexicalQuery.builder("C").build()).size());
    }
    String message =
        assertThrows(IllegalArgumentException.class, () -> LexicalIndex.openReadOnly(dir()))
            .getMessage();
    assertTrue(message.contains("\"words\""), message);
    try (LexicalIndex reader = LexicalIndex.openReadOnly(dir(), config)) {
      assertEquals(1, reader.size());
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> TextAnalysis.custom("english-1", new WhitespaceAnalyzer(), new WhitespaceAnalyzer()));
  }

  @Test
  void theReaderTakesTheStoredAnalysis() {
    LexicalConfig plain = LexicalConfig.builder().analysis(TextAnalysis.plain()).build();
    try (LexicalIndex index = LexicalIndex.open(dir(), plain)) {
      index.upsert(chunk("a", "houses"));
      index.commit(Map.of());
    }
    try (LexicalIndex reader = LexicalIndex.openReadOnly(dir())) {
      assertEquals("plain-1", reader.config().analysis().name());
      assertEquals(0, reader.search(LexicalQuery.builder("house").build()).size());
    }
  }

  @Test
  void aClosedIndexSaysSoAtEveryCall() {
    LexicalIndex index = open();
    index.close();
    index.close();
    LexicalQuery query = LexicalQuery.builder("a").build();
    for (Executable call :
        List.<Executable>of(
            index::size,
            index::chunks,
            index::ids,
            index::rollback,
            index::refresh,
            index::verify,
            index::committedUserData,
            index::hasUncommittedChanges,
            () -> index.get("a"),
            () -> index.contains("a"),
            () -> index.entry("a"),
            () -> index.neighbours("a", 1, 1),
            () -> index.upsert(chunk("a", "a")),
            () -> index.delete(List.of("a")),
            () -> index.deleteEntry("a"),
            () -> index.commit(Map.of()),
            () -> index.search(query),
            () -> index.compile(Filter.exists("a")),
            () -> index.count(Filter.exists("a")),
            () -> index.termStats(List.of("a")),
            () -> index.rareTerms("a", 1, 1),
            () -> index.rareTermCandidates(query, RareTermOptions.DEFAULT))) {
      String message = assertThrows(IndexClosedException.class, call).getMessage();
      assertTrue(message.contains("is closed"), message);
    }
  }

  @Test
  void aPathThatIsOrLeadsThroughAFileIsRefused() throws IOException {
    Path file = Files.writeString(temp.resolve("file"), "x");
    for (Executable opening :
        List.<Executable>of(
            () -> LexicalIndex.open(file, CONFIG),
            () -> LexicalIndex.openReadOnly(file),
            () -> LexicalIndex.openReadOnly(temp.resolve("nowhere")))) {
      String message = assertThrows(IllegalArgumentException.class, opening).getMessage();
      assertTrue(message.contains(temp.toString()), message);
    }
    RuntimeException e =
        assertThrows(
            RuntimeException.class, () -> LexicalIndex.open(file.resolve("below"), CONFIG));
    assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
    assertTrue(
        e instanceof IllegalArgumentException || e instanceof UncheckedIOException, e::toString);
    assertEquals("x", Files.readString(file));
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsRefusedForWritingAndReadFine() throws IOException {
    try (LexicalIndex index = open()) {
      index.upsert(chunks(5));
      index.commit(Map.of());
    }
    assumeFalse(!dir().toFile().setWritable(false) || Files.isWritable(dir()), "root may write");
    try {
      UncheckedIOException e = assertThrows(UncheckedIOException.class, this::open);
      assertTrue(e.getMessage().contains(dir().toString()), e.getMessage());
      try (LexicalIndex reader = LexicalIndex.openReadOnly(dir())) {
        assertEquals(5, reader.size());
      }
    } finally {
      assertTrue(dir().toFile().setWritable(true));
    }
  }

  @Test
  void badUserDataIsRefusedAndNothingCommitted() {
    try (LexicalIndex index = open()) {
      index.upsert(chunks(5));
      assertThrows(IllegalArgumentException.class, () -> index.commit(Map.of("", "x")));
      assertThrows(IllegalArgumentException.class, () -> index.commit(Map.of("x", "\uD800")));
      assertTrue(index.hasUncommittedChanges());
    }
    try (LexicalIndex index = open()) {
      assertEquals(0, index.size());
    }
  }

  @Test
  void aStreamKeepsItsSnapshotAcrossRollbackAndClose() {
    LexicalIndex index = open();
    index.upsert(chunks(100));
    try (Stream<Chunk> before = index.chunks()) {
      index.rollback();
      assertEquals(0, index.size());
      assertEquals(100, before.count());
    }
    index.upsert(chunks(100));
    try (Stream<String> ids = index.ids()) {
      index.close();
      assertEquals(100, ids.count());
    }
  }
}

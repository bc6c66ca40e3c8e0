package dev.petunia.retriever;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.petunia.core.Chunk;
import dev.petunia.core.Filter;
import dev.petunia.core.testing.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QueryLogTest {
  @TempDir Path directory;

  private Retriever logging(QueryLogOptions options) {
    RetrieverConfig config =
        RetrieverConfig.builder(new WordsEmbedder())
            .reranker(new FakeReranker(t -> t.length()))
            .queryLog(options)
            .build();
    Retriever r = Retriever.open(directory.resolve("index"), config);
    if (r.size() == 0) {
      List<Chunk> chunks = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        chunks.add(new Chunk("c" + i, "e", i, "stone wall number" + i, Map.of("n", (long) i)));
      }
      r.ingest(chunks.iterator(), dev.petunia.core.ProgressListener.NONE, 5);
      r.commit();
    }
    return r;
  }

  private Path file() {
    return directory.resolve("logs").resolve("queries.jsonl");
  }

  /** Names of fields and values in order, after checking that it is one JSON object. */
  private static List<String> parsed(String line) throws IOException {
    List<String> values = new ArrayList<>();
    try (JsonParser p = new JsonFactory().createParser(line)) {
      assertEquals(JsonToken.START_OBJECT, p.nextToken());
      int depth = 1;
      while (depth > 0) {
        JsonToken t = p.nextToken();
        depth += t.isStructStart() ? 1 : t.isStructEnd() ? -1 : 0;
        values.add(p.getText());
      }
      assertEquals(null, p.nextToken());
    }
    return values;
  }

  @Test
  void aLineHoldsQuestionOptionsOutcomeAndFloor() throws IOException {
    try (Retriever r = logging(QueryLogOptions.in(file()))) {
      Floor floor =
          r.ask(
              FloorRequest.of("stone \"wall\"\nnumber3 \u0416\ud83d\ude00")
                  .filter(new Filter.In("n", List.of(2L, 3L))));
      assertEquals(2, floor.passages().size());
    }
    List<String> lines = Files.readAllLines(file());
    assertEquals(1, lines.size());
    List<String> values = parsed(lines.getFirst());
    assertTrue(values.contains("stone \"wall\"\nnumber3 \u0416\ud83d\ude00"), values::toString);
    assertTrue(values.containsAll(List.of("filter", "options", "densePool", "c2", "c3", "logit")));
    assertTrue(values.contains("fake fp64"));
    assertEquals("2", values.get(values.indexOf("total") + 1));
    assertEquals("false", values.get(values.indexOf("partial") + 1));
  }

  @Test
  void inHashModeNoTextAndNoIdIsInTheFile() throws IOException {
    try (Retriever r = logging(QueryLogOptions.in(file()).hashesOnly(true))) {
      r.ask(FloorRequest.of("stone").filter(new Filter.In("n", List.of(2L))));
    }
    String line = Files.readString(file());
    assertFalse(line.contains("stone") || line.contains("\"c2\"") || line.contains("In["), line);
    String hash = "dc3d50da8dac041f660e4ba85339928995e771d99c33cc868f5829800829e382";
    assertEquals(hash, parsed(line).get(parsed(line).indexOf("question") + 1));
  }

  @Test
  void aFileThatIsFullIsRenamedAndTheOldestGoes() throws IOException {
    try (Retriever r = logging(new QueryLogOptions(file(), 1024, 2, false))) {
      for (int i = 0; i < 8; i++) {
        r.ask(FloorRequest.of("stone question" + i));
      }
    }
    List<String> all = new ArrayList<>();
    for (String suffix : List.of(".2", ".1", "")) {
      Path part = file().resolveSibling("queries.jsonl" + suffix);
      assertTrue(Files.size(part) <= 1024 || Files.readAllLines(part).size() == 1);
      for (String line : Files.readAllLines(part)) {
        all.add(parsed(line).get(parsed(line).indexOf("question") + 1));
      }
    }
    assertFalse(Files.exists(file().resolveSibling("queries.jsonl.3")));
    assertEquals("stone question7", all.getLast());
    for (int i = 1; i < all.size(); i++) {
      assertTrue(all.get(i - 1).compareTo(all.get(i)) < 0, all::toString);
    }
  }

  @Test
  void aLineThatACrashCutIsEndedAndTheNextIsWhole() throws IOException {
    Files.createDirectories(file().getParent());
    Files.writeString(file(), "{\"time\":\"2026");
    try (Retriever r = logging(QueryLogOptions.in(file()))) {
      r.ask(FloorRequest.of("stone"));
    }
    List<String> lines = Files.readAllLines(file());
    assertEquals(2, lines.size());
    parsed(lines.getLast());
  }

  @Test
  void linesOfSeveralThreadsAreWholeAndNoneIsLost() throws Exception {
    try (Retriever r = logging(new QueryLogOptions(file(), 8192, 100, false))) {
      Threads.run(
          4,
          thread -> {
            for (int i = 0; i < 25; i++) {
              r.ask(FloorRequest.of("stone t" + thread + "i" + i));
            }
          });
    }
    List<String> questions = new ArrayList<>();
    try (var files = Files.list(file().getParent())) {
      for (Path part : files.toList()) {
        for (String line : Files.readAllLines(part)) {
          questions.add(parsed(line).get(parsed(line).indexOf("question") + 1));
        }
      }
    }
    assertEquals(100, questions.size());
    assertEquals(100, questions.stream().distinct().count());
  }

  @Test
  void aLineThatCantBeWrittenIsSaidInTheFloorAndAFileThatCantBeMadeRefusesTheOpening()
      throws IOException {
    try (Retriever r = logging(new QueryLogOptions(file(), 1024, 1, false))) {
      r.ask(FloorRequest.of("stone"));
      // something that can't be replaced stands where the old file should go
      Files.createDirectories(file().resolveSibling("queries.jsonl.1").resolve("full"));
      Floor floor = r.ask(FloorRequest.of("stone"));
      assertEquals(5, floor.passages().size());
      assertTrue(floor.notes().getLast().startsWith("this request is missing in the query log"));
    }
    Files.writeString(directory.resolve("plain"), "a file, not a folder");
    assertThrows(
        UncheckedIOException.class,
        () -> logging(QueryLogOptions.in(directory.resolve("plain").resolve("log"))));
    // and nothing stays locked
    logging(QueryLogOptions.in(file())).close();
  }

  @Test
  void aSecondRetrieverOnTheSameFileIsRefusedAndTheFirstGoesOn() throws IOException {
    try (Retriever r = logging(QueryLogOptions.in(file()))) {
      RetrieverConfig other =
          RetrieverConfig.builder(new WordsEmbedder()).queryLog(QueryLogOptions.in(file())).build();
      String said =
          assertThrows(
                  UncheckedIOException.class,
                  () -> Retriever.openReadOnly(directory.resolve("index"), other))
              .getMessage();
      assertTrue(said.endsWith("another retriever of this process writes to it"), said);
      r.ask(FloorRequest.of("stone"));
    }
    assertEquals(1, Files.readAllLines(file()).size());
    logging(QueryLogOptions.in(file())).close(); // the lock went with the retriever
  }

  @Test
  void aFileThatSomebodyCutIsContinuedAtItsEnd() throws IOException {
    try (Retriever r = logging(QueryLogOptions.in(file()))) {
      r.ask(FloorRequest.of("stone first"));
      try (FileChannel c = FileChannel.open(file(), StandardOpenOption.WRITE)) {
        c.truncate(0);
      }
      r.ask(FloorRequest.of("stone second"));
      try (FileChannel c = FileChannel.open(file(), StandardOpenOption.WRITE)) {
        c.truncate(c.size() - 10);
      }
      r.ask(FloorRequest.of("stone third"));
    }
    List<String> lines = Files.readAllLines(file());
    assertEquals(2, lines.size());
    assertTrue(lines.getFirst().startsWith("{\"time\"") && lines.getFirst().contains("second"));
    assertTrue(parsed(lines.getLast()).contains("stone third"));
  }

  @Test
  void aRequestThatOutlivesTheRetrieverDoesNotOpenTheFileAgain() throws IOException {
    QueryLog log = QueryLog.open(QueryLogOptions.in(file()));
    RetrieverConfig config = RetrieverConfig.builder(new WordsEmbedder()).build();
    FloorRequest request = FloorRequest.of("stone");
    Floor floor;
    try (Retriever r = Retriever.open(directory.resolve("index"), config)) {
      floor = r.ask(request);
    }
    log.close();
    Files.delete(file());
    Floor late = log.append(request, config, floor);
    assertTrue(late.notes().getLast().contains("the query log is closed"), late::toString);
    assertFalse(Files.exists(file()));
  }

  @Test
  void aGapBetweenOldFilesIsFilledBeforeAnyIsPushedOut() throws IOException {
    Files.createDirectories(file().getParent());
    for (int i = 2; i <= 3; i++) {
      Files.writeString(file().resolveSibling("queries.jsonl." + i), "old " + i);
    }
    try (Retriever r = logging(new QueryLogOptions(file(), 1024, 3, false))) {
      for (int i = 0; Files.notExists(file().resolveSibling("queries.jsonl.1")); i++) {
        assertTrue(i < 10);
        r.ask(FloorRequest.of("stone"));
      }
    }
    for (int i = 2; i <= 3; i++) {
      assertEquals("old " + i, Files.readString(file().resolveSibling("queries.jsonl." + i)));
    }
  }

  @Test
  void optionsOutsideTheirRangesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new QueryLogOptions(file(), 1023, 1, false));
    assertThrows(
        IllegalArgumentException.class, () -> new QueryLogOptions(file(), 2000, -1, false));
  }
}

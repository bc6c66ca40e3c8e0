package dev.petunia.retriever;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.CandidateSource;
import dev.petunia.core.Chunk;
import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.Deadline;
import dev.petunia.core.Filter;
import dev.petunia.core.IndexClosedException;
import dev.petunia.core.IndexLockedException;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.Similarity;
import dev.petunia.core.TextForm;
import dev.petunia.core.VectorQuery;
import dev.petunia.hnsw.HnswConfig;
import dev.petunia.hnsw.HnswIndex;
import dev.petunia.retriever.RetrievalRequest.Mode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetrieverTest {
  private static final List<String> TOPICS =
      List.of("garden", "engine", "violin", "glacier", "bread", "harbour", "comet", "ledger");

  @TempDir Path directory;

  private static RetrieverConfig config() {
    return RetrieverConfig.builder(new WordsEmbedder()).build();
  }

  /** Eight topics of ten chunks; each chunk has its topic's word thrice and a word of its own. */
  private static List<Chunk> chunks() {
    List<Chunk> chunks = new ArrayList<>();
    for (String topic : TOPICS) {
      for (int i = 0; i < 10; i++) {
        chunks.add(
            new Chunk(
                topic + "#" + i,
                topic,
                i,
                topic + " " + topic + " " + topic + " detail" + i + " " + topic + "x" + i,
                Map.of("topic", topic, "number", (long) i)));
      }
    }
    return chunks;
  }

  private Retriever filled() {
    Retriever r = Retriever.open(directory, config());
    List<Chunk> chunks = chunks();
    r.ingest(chunks.iterator(), ProgressListener.NONE, chunks.size());
    return r;
  }

  private static List<String> ids(RetrievalResult result) {
    return result.passages().stream().map(p -> p.chunk().id()).toList();
  }

  @Test
  void anIngestedCorpusIsFoundByBothChannelsAndByEach() {
    try (Retriever r = filled()) {
      assertEquals(80, r.size());
      for (Mode mode : Mode.values()) {
        RetrievalResult result = r.search(RetrievalRequest.of("violin").mode(mode).limit(10));
        assertEquals(10, result.passages().size(), mode.name());
        for (Passage p : result.passages()) {
          assertEquals("violin", p.chunk().entryId(), mode.name());
          assertEquals(mode != Mode.LEXICAL, p.dense().isPresent(), mode.name());
          assertEquals(mode != Mode.LEXICAL, p.denseRank().isPresent(), mode.name());
          assertEquals(mode != Mode.DENSE, p.lexicalRank().isPresent(), mode.name());
        }
        assertEquals(mode != Mode.LEXICAL, result.trace().isPresent(), mode.name());
      }
      r.verify();
    }
  }

  @Test
  void chunksComeBackAsTheyWentIn() {
    try (Retriever r = filled()) {
      Passage p = r.search(RetrievalRequest.of("bread breadx7")).passages().getFirst();
      assertEquals(
          chunks().stream().filter(c -> c.id().equals("bread#7")).findFirst().orElseThrow(),
          p.chunk());
      assertEquals(p.chunk(), r.get("bread#7").orElseThrow());
      assertEquals(10, r.entry("bread").size());
    }
  }

  @Test
  void theFusedValueIsTheSumOfReciprocalRanks() {
    try (Retriever r = filled()) {
      for (Passage p : r.search(RetrievalRequest.of("glacier detail3").limit(20)).passages()) {
        double sum = 0;
        sum += p.denseRank().isPresent() ? 1.0 / (60 + p.denseRank().getAsInt()) : 0;
        sum += p.lexicalRank().isPresent() ? 1.0 / (60 + p.lexicalRank().getAsInt()) : 0;
        assertEquals(sum, p.fused(), 1e-12);
      }
    }
  }

  @Test
  void aConversationIsNeverServedTheSamePassageTwiceUntilTheTopicIsUsedUpAndBeyond() {
    try (Retriever r = filled()) {
      ConversationState state = ConversationState.start();
      Set<String> served = new HashSet<>();
      for (int turn = 0; turn < 10; turn++) {
        RetrievalResult result = r.search(RetrievalRequest.of("comet").in(state).limit(8));
        assertEquals(8, result.passages().size(), "turn " + turn);
        for (String id : ids(result)) {
          assertTrue(served.add(id), id + " again in turn " + turn);
        }
        state = result.next();
        assertEquals(turn + 1, state.turns());
        assertEquals(served, new HashSet<>(state.served()));
      }
      assertEquals(80, served.size());
      assertEquals(List.of(), r.search(RetrievalRequest.of("comet").in(state).limit(8)).passages());
    }
  }

  @Test
  void whatWasLeftOutIsWhatPlainSearchWouldHaveServedAgain() {
    try (Retriever r = filled()) {
      RetrievalResult first = r.search(RetrievalRequest.of("harbour").limit(4));
      RetrievalResult second = r.search(RetrievalRequest.of("harbour").in(first.next()).limit(4));
      assertTrue(Collections.disjoint(ids(first), ids(second)));
      assertFalse(second.leftOut().isEmpty());
      for (Passage p : second.leftOut()) {
        assertTrue(ids(first).contains(p.chunk().id()));
      }
      RetrievalResult again =
          r.search(RetrievalRequest.of("harbour").in(first.next()).limit(4).exclude(false));
      assertEquals(List.of(), again.leftOut());
      assertFalse(Collections.disjoint(ids(first), ids(again)));
    }
  }

  @Test
  void aFollowUpThatNamesNothingStaysWithTheConversationsTopic() {
    try (Retriever r = filled()) {
      RetrievalResult first = r.search(RetrievalRequest.of("tell me of the engine").limit(3));
      RetrievalResult second =
          r.search(RetrievalRequest.of("and what about detail5?").in(first.next()).limit(3));
      assertEquals("engine#5", ids(second).getFirst());
      assertEquals(List.of("question", "conversation"), second.targets());
      assertEquals(3, second.trace().orElseThrow().seedsUsed());
      assertTrue(second.lexicalText().contains("engine"));
      // alone it can't know which of eight is meant
      RetrievalResult plain = r.search(RetrievalRequest.of("and what about detail5?").limit(3));
      assertTrue(
          plain.passages().stream().filter(p -> p.chunk().entryId().equals("engine")).count() < 3);
    }
  }

  @Test
  void filtersHoldInEveryModeAndWithEverythingElse() {
    try (Retriever r = filled()) {
      Filter filter =
          Filter.and(Filter.in("topic", List.of("bread", "ledger")), Filter.gte("number", 5));
      RetrievalResult first = r.search(RetrievalRequest.of("ledger").filter(filter).limit(3));
      for (Mode mode : Mode.values()) {
        RetrievalResult result =
            r.search(
                RetrievalRequest.of("bread of the ledger")
                    .mode(mode)
                    .filter(filter)
                    .lambda(0.5)
                    .ef(50)
                    .in(first.next())
                    .limit(20));
        assertEquals(7, result.passages().size(), mode.name());
        for (Passage p : result.passages()) {
          assertTrue(filter.matches(p.chunk()));
        }
      }
    }
  }

  @Test
  void lambdaBelowOneTradesRelevanceForDifference() {
    try (Retriever r = filled()) {
      RetrievalRequest request = RetrievalRequest.of("garden engine").mode(Mode.DENSE).limit(6);
      List<String> plain = ids(r.search(request));
      assertEquals(plain, ids(r.search(request.lambda(1))));
      List<String> diverse = ids(r.search(request.lambda(0.3)));
      assertEquals(plain.getFirst(), diverse.getFirst());
      assertEquals(6, new HashSet<>(diverse).size());
      assertEquals(diverse, ids(r.search(request.lambda(0.3))), "the same each time");
      assertFalse(plain.equals(diverse));
    }
  }

  @Test
  void aCommitIsThereAfterReopeningAndWhatCameAfterItIsNot() {
    try (Retriever r = filled()) {
      r.commit();
      r.delete(List.of("bread#0", "bread#1", "nobody"));
      assertEquals(78, r.size());
    }
    try (Retriever r = Retriever.open(directory, config())) {
      assertEquals(80, r.size());
      r.verify();
      assertEquals(2, r.delete(List.of("bread#0", "bread#1", "nobody")));
      assertEquals(8, r.deleteEntry("bread"));
      r.commit();
    }
    try (Retriever r = Retriever.open(directory, config())) {
      assertEquals(70, r.size());
      assertTrue(
          r.search(RetrievalRequest.of("bread").limit(70)).passages().stream()
              .noneMatch(p -> p.chunk().entryId().equals("bread")));
      r.verify();
    }
  }

  @Test
  void anIndexNeverCommittedOpensEmpty() {
    filled().close();
    try (Retriever r = Retriever.open(directory, config())) {
      assertEquals(0, r.size());
      assertEquals(List.of(), r.search(RetrievalRequest.of("anything")).passages());
    }
  }

  @Test
  void vectorsCommittedWithoutTheTextsAreDiscarded() {
    try (Retriever r = filled()) {
      r.commit();
    }
    // as a crash between the two commits leaves it: the vectors are one commit ahead
    HnswConfig vectors = HnswConfig.builder(64, Similarity.COSINE).build();
    try (HnswIndex index = HnswIndex.open(directory.resolve("vectors"), vectors)) {
      index.delete("comet#3");
      index.add("stray", new WordsEmbedder().embed("stray", TextForm.DOCUMENT).vector());
      index.commit();
    }
    try (Retriever r = Retriever.open(directory, config())) {
      assertEquals(80, r.size());
      r.verify();
      assertTrue(r.get("comet#3").isPresent());
      r.commit();
    }
    try (Retriever r = Retriever.open(directory, config())) {
      assertEquals(80, r.size());
      r.verify();
    }
  }

  @Test
  void indexesThatDoNotBelongTogetherAreRefused() {
    try (Retriever r = filled()) {
      r.commit();
    }
    HnswConfig vectors = HnswConfig.builder(64, Similarity.COSINE).build();
    try (HnswIndex index = HnswIndex.open(directory.resolve("vectors"), vectors)) {
      index.delete("comet#3");
      index.commit();
      index.commit(); // now the commit that the texts name is gone
    }
    assertThrows(CorruptIndexException.class, () -> Retriever.open(directory, config()));
  }

  @Test
  void aReplacedChunkHasItsNewTextAndVectorOnly() {
    try (Retriever r = filled()) {
      IngestReport report =
          r.ingest(
              List.of(new Chunk("comet#0", "violin", 99, "violin violin bow")).iterator(),
              ProgressListener.NONE,
              1);
      assertEquals(1, report.replaced());
      assertEquals(80, r.size());
      assertEquals("comet#0", ids(r.search(RetrievalRequest.of("violin bow"))).getFirst());
      assertFalse(ids(r.search(RetrievalRequest.of("comet").limit(9))).contains("comet#0"));
      r.verify();
    }
  }

  @Test
  void aSecondWriterIsRefusedAndAReaderIsNot() {
    try (Retriever r = filled()) {
      assertThrows(IndexLockedException.class, () -> Retriever.open(directory, config()));
      assertThrows(
          IllegalArgumentException.class, () -> Retriever.openReadOnly(directory, config()));
      r.commit();
      try (Retriever reader = Retriever.openReadOnly(directory, config())) {
        assertEquals(80, reader.size());
        r.delete(List.of("comet#0"));
        r.commit();
        assertEquals(80, reader.size());
        assertEquals(8, reader.search(RetrievalRequest.of("comet")).passages().size());
        assertThrows(IllegalStateException.class, () -> reader.delete(List.of("comet#1")));
        assertThrows(IllegalStateException.class, reader::commit);
      }
    }
    try (Retriever r = Retriever.open(directory, config())) {
      assertEquals(79, r.size());
    }
  }

  @Test
  void anIndexOfAnotherModelOrDimensionIsRefusedByName() {
    try (Retriever r = filled()) {
      r.commit();
    }
    RetrieverConfig other = RetrieverConfig.builder(new WordsEmbedder(64, "other")).build();
    String message =
        assertThrows(IllegalArgumentException.class, () -> Retriever.open(directory, other))
            .getMessage();
    assertTrue(message.contains("other") && message.contains("words-64"), message);
    RetrieverConfig wide = RetrieverConfig.builder(new WordsEmbedder(65, "words-64")).build();
    message =
        assertThrows(IllegalArgumentException.class, () -> Retriever.open(directory, wide))
            .getMessage();
    assertTrue(message.contains("65") && message.contains("64"), message);
    Retriever.open(directory, config()).close(); // the refusals left no lock behind
  }

  @Test
  void aCancelledIngestKeepsWholeBatchesUncommitted() {
    List<Chunk> many = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      many.add(new Chunk("c" + i, "e", i, "word" + i));
    }
    try (Retriever r = Retriever.open(directory, config())) {
      assertThrows(
          CancellationException.class,
          () -> r.ingest(many.iterator(), (stage, done, total) -> done < 500, many.size()));
      assertEquals(512, r.size());
      r.verify();
      r.commit();
    }
    try (Retriever r = Retriever.open(directory, config())) {
      assertEquals(512, r.size());
      r.verify();
    }
  }

  @Test
  void aBadChunkChangesNothing() {
    try (Retriever r = filled()) {
      float[] good = new WordsEmbedder().embed("x", TextForm.DOCUMENT).vector();
      VectorChunk a = new VectorChunk(new Chunk("a", "e", 0, "new"), good);
      List<List<VectorChunk>> bad =
          List.of(
              List.of(a, new VectorChunk(new Chunk("b", "e", 1, ""), new float[63])),
              List.of(a, new VectorChunk(new Chunk("b", "e", 1, ""), new float[64])),
              List.of(a, a));
      for (List<VectorChunk> batch : bad) {
        assertThrows(IllegalArgumentException.class, () -> r.put(batch));
        assertEquals(80, r.size());
        assertTrue(r.get("a").isEmpty());
      }
      assertThrows(
          IllegalArgumentException.class,
          () -> new VectorChunk(new Chunk("b", "e", 1, ""), new float[] {Float.NaN}));
      r.verify();
      r.commit();
    }
  }

  @Test
  void badRequestsAreRefusedByName() {
    assertThrows(IllegalArgumentException.class, () -> RetrievalRequest.of(" "));
    assertThrows(IllegalArgumentException.class, () -> RetrievalRequest.of("\ud800"));
    RetrievalRequest r = RetrievalRequest.of("x");
    assertThrows(IllegalArgumentException.class, () -> r.limit(0));
    assertThrows(IllegalArgumentException.class, () -> r.limit(1001));
    assertThrows(IllegalArgumentException.class, () -> r.lambda(1.5));
    assertThrows(IllegalArgumentException.class, () -> r.ef(0));
    try (Retriever retriever = filled()) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> retriever.search(r.ef(1001)))
              .getMessage();
      assertTrue(message.contains("1001") && message.contains("1000"), message);
      ConversationState foreign =
          ConversationState.of(1, Optional.of(new float[3]), List.of(), List.of(), List.of());
      assertThrows(IllegalArgumentException.class, () -> retriever.search(r.in(foreign)));
    }
  }

  @Test
  void aClosedRetrieverSaysSoAndClosesItsEmbedder() {
    WordsEmbedder embedder = new WordsEmbedder();
    Retriever r = Retriever.open(directory, RetrieverConfig.builder(embedder).build());
    r.close();
    r.close();
    assertTrue(embedder.closed.get());
    assertThrows(IndexClosedException.class, r::size);
    assertThrows(IndexClosedException.class, r::commit);
    assertThrows(IndexClosedException.class, () -> r.search(RetrievalRequest.of("x")));
    assertThrows(IndexClosedException.class, () -> r.delete(List.of("x")));
  }

  @Test
  void aRetrieverWithoutEmbedderTakesVectorsAndAnswersLexicalRequests() {
    RetrieverConfig c = RetrieverConfig.builder(2, Similarity.EUCLIDEAN).build();
    try (Retriever r = Retriever.open(directory, c)) {
      r.put(
          List.of(
              new VectorChunk(new Chunk("a", "e", 0, "apple"), new float[] {0, 1}),
              new VectorChunk(new Chunk("b", "e", 1, "pear"), new float[] {3, 1})));
      assertEquals(List.of("b"), ids(r.search(RetrievalRequest.of("pear").mode(Mode.LEXICAL))));
      assertThrows(IllegalStateException.class, () -> r.search(RetrievalRequest.of("pear")));
      assertThrows(
          IllegalStateException.class,
          () -> r.ingest(chunks().iterator(), ProgressListener.NONE, -1));
      CandidateSource source = r.source();
      CandidateSource.Pools pools =
          source.candidates(
              new CandidateSource.Request(
                  VectorQuery.builder(new float[] {2, 1}).limit(2).build(),
                  new CandidateSource.Lexical("apple", Optional.empty(), Set.of(), 10, 10),
                  Set.of(CandidateSource.Field.VECTOR),
                  Deadline.NONE,
                  Set.of()));
      assertEquals("b", pools.dense().getFirst().item().id());
      assertNotNull(pools.dense().getFirst().hit());
      assertEquals(1f, Objects.requireNonNull(pools.dense().getFirst().hit()).distance());
      assertEquals("a", pools.lexical().getFirst().item().id());
      assertEquals(null, pools.lexical().getFirst().hit());
      assertEquals(2, source.termStats(List.of("pear")).documents());
      assertEquals(1L, source.termStats(List.of("pear")).frequency().get("pear"));
      r.commit();
    }
    assertThrows(
        IllegalArgumentException.class,
        () ->
            Retriever.open(directory, RetrieverConfig.builder(new WordsEmbedder(2, "w")).build()));
  }

  @Test
  void textInOtherScriptsIsFound() {
    try (Retriever r = Retriever.open(directory, config())) {
      List<Chunk> chunks =
          List.of(
              new Chunk("中文/1", "中文", 0, "花园里有很多牵牛花"),
              new Chunk("عربي", "ع", 0, "حديقة الزهور الجميلة"),
              new Chunk("😀", "emoji", 0, "petunia 🌸 garden"),
              new Chunk("empty", "empty", 0, ""));
      r.ingest(chunks.iterator(), ProgressListener.NONE, 4);
      r.commit();
      assertEquals("中文/1", ids(r.search(RetrievalRequest.of("牵牛花"))).getFirst());
      assertEquals("عربي", ids(r.search(RetrievalRequest.of("حديقة"))).getFirst());
      assertEquals("😀", ids(r.search(RetrievalRequest.of("petunia"))).getFirst());
    }
    try (Retriever r = Retriever.open(directory, config())) {
      assertEquals(4, r.size());
      assertEquals("花园里有很多牵牛花", r.get("中文/1").orElseThrow().text());
    }
  }

  @Test
  void aDirectoryThatIsAFileIsRefused() throws Exception {
    Path file = Files.writeString(directory.resolve("file"), "x");
    assertThrows(RuntimeException.class, () -> Retriever.open(file, config()));
    assertEquals("x", Files.readString(file));
  }

  private static RetrieverConfig.Builder options() {
    return RetrieverConfig.builder(new WordsEmbedder());
  }

  /** The centroid after some questions in a directory of its own. */
  private float[] centroid(RetrieverConfig config, List<String> questions) {
    ConversationState state = ConversationState.start();
    try (Retriever r = Retriever.open(directory, config)) {
      if (r.size() == 0) {
        List<Chunk> chunks = chunks();
        r.ingest(chunks.iterator(), ProgressListener.NONE, chunks.size());
        r.commit();
      }
      for (String question : questions) {
        state = r.search(RetrievalRequest.of(question).in(state).limit(3)).next();
      }
    }
    return state.centroid().orElseThrow();
  }

  private static float[] embedded(String text) {
    return new WordsEmbedder().embed(text, TextForm.QUERY).vector();
  }

  @Test
  void theCentroidIsMadeOfWhatWasAskedAndWhatWasServedByTheirShares() {
    List<String> violin = List.of("violin");
    assertArrayEquals(
        embedded("violin"), centroid(options().servedShare(0).build(), violin), 1e-6f);
    float[] served = centroid(options().servedShare(1).build(), violin);
    float[] both = centroid(options().servedShare(0.5).build(), violin);
    float[] expected = Vectors.unitSum(0.5, embedded("violin"), 0.5, served);
    assertArrayEquals(expected, both, 1e-6f);
    assertFalse(Arrays.equals(served, both));
  }

  @Test
  void theOldCentroidFadesByDecay() {
    RetrieverConfig.Builder asked = options().servedShare(0);
    List<String> two = List.of("violin", "glacier");
    assertArrayEquals(embedded("glacier"), centroid(asked.decay(0).build(), two), 1e-6f);
    assertArrayEquals(embedded("violin"), centroid(asked.decay(1).build(), two), 1e-6f);
    assertArrayEquals(
        Vectors.unitSum(0.25, embedded("violin"), 0.75, embedded("glacier")),
        centroid(asked.decay(0.25).build(), two),
        1e-6f);
  }

  @Test
  void theTextSearchOfAFollowUpCarriesAsManyQuestionsAsAskedFor() {
    ConversationState state =
        ConversationState.of(
            3, Optional.empty(), List.of(), List.of(), List.of("newest", "older", "oldest"));
    filled().close();
    List<String> expected = List.of("now", "now\nnewest", "now\nnewest\nolder");
    for (int carried = 0; carried < expected.size(); carried++) {
      try (Retriever r = Retriever.open(directory, options().carriedQuestions(carried).build())) {
        assertEquals(
            expected.get(carried), r.search(RetrievalRequest.of("now").in(state)).lexicalText());
      }
    }
  }
}

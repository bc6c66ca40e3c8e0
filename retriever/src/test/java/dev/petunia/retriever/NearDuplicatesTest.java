package dev.petunia.retriever;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Chunk;
import dev.petunia.core.Filter;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.testing.Threads;
import dev.petunia.dedup.Cluster;
import dev.petunia.dedup.PromotionPolicy;
import dev.petunia.dedup.RunReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the retriever knows of near-duplicates, and what becomes of them in answers. */
class NearDuplicatesTest {
  private static final List<String> WORDS =
      List.of(
          "amber", "basin", "cedar", "delta", "ember", "fjord", "grove", "haven", "inlet", "jetty",
          "knoll", "ledge", "marsh", "north", "ocean", "plain", "quarry", "ridge", "shore", "tide");

  @TempDir Path directory;

  private Retriever open(UnaryOperator<RetrieverConfig.Builder> options) {
    return open(directory, options);
  }

  private static Retriever open(Path at, UnaryOperator<RetrieverConfig.Builder> options) {
    return Retriever.open(
        at, options.apply(RetrieverConfig.builder(new WordsEmbedder()).threads(1)).build());
  }

  private Retriever open() {
    return open(b -> b);
  }

  private static void put(Retriever r, Chunk... chunks) {
    r.ingest(List.of(chunks).iterator(), ProgressListener.NONE, chunks.length);
  }

  private static Chunk chunk(String id, String text) {
    return new Chunk(id, id, 0, text, Map.of("version", id));
  }

  /** A text of 60 words about a subject, other words for each number. */
  private static String text(String subject, int number) {
    SplittableRandom random = new SplittableRandom(subject.hashCode() * 31L + number);
    StringBuilder text = new StringBuilder(subject);
    for (int i = 0; i < 60; i++) {
      text.append(' ').append(WORDS.get(random.nextInt(WORDS.size())));
    }
    return text.toString();
  }

  private static List<String> ids(RetrievalResult result) {
    return result.passages().stream().map(p -> p.chunk().id()).toList();
  }

  private static List<String> ids(Floor floor) {
    return floor.passages().stream().map(p -> p.chunk().id()).toList();
  }

  /** Three versions of one text, the third with a capital, and two other texts. */
  private Retriever threeVersions(UnaryOperator<RetrieverConfig.Builder> options) {
    Retriever r = open(options);
    put(
        r,
        chunk("v1", text("harbour", 1)),
        chunk("v2", text("harbour", 1)),
        chunk("v3", "Harbour" + text("harbour", 1).substring("harbour".length())),
        chunk("other", text("harbour", 2)),
        chunk("far", text("violin", 3)));
    return r;
  }

  @Test
  void answerHasOneOfEachAndNamesThoseItLeftOut() {
    try (Retriever r = threeVersions(b -> b)) {
      RetrievalResult found = r.search(RetrievalRequest.of("harbour"));
      assertEquals(Set.of("v1", "other", "far"), Set.copyOf(ids(found)));
      Passage p =
          found.passages().stream()
              .filter(x -> x.chunk().id().equals("v1"))
              .findFirst()
              .orElseThrow();
      assertEquals(Set.of("v2", "v3"), Set.copyOf(p.duplicates()));
      Floor floor = r.ask(FloorRequest.of("harbour"));
      assertEquals(Set.of("v1", "other", "far"), Set.copyOf(ids(floor)));
      assertEquals(3, floor.total());
      assertEquals(
          Set.of("v2", "v3"),
          Set.copyOf(
              floor.passages().stream()
                  .filter(x -> x.chunk().id().equals("v1"))
                  .findFirst()
                  .orElseThrow()
                  .duplicates()));
    }
  }

  @Test
  void answerHasAllWhenAskedForAll() {
    try (Retriever r = threeVersions(b -> b)) {
      Set<String> all = Set.of("v1", "v2", "v3", "other", "far");
      RetrievalResult found = r.search(RetrievalRequest.of("harbour").collapse(false));
      assertEquals(all, Set.copyOf(ids(found)));
      assertTrue(found.passages().stream().allMatch(p -> p.duplicates().isEmpty()));
      assertEquals(all, Set.copyOf(ids(r.ask(FloorRequest.of("harbour").collapse(false)))));
    }
  }

  @Test
  void filterThatLeavesTheCanonicalOutStillFindsTheOthers() {
    try (Retriever r = threeVersions(b -> b)) {
      Filter later = new Filter.In("version", List.of("v2", "v3"));
      assertEquals(1, ids(r.search(RetrievalRequest.of("harbour").filter(later))).size());
      assertEquals(1, ids(r.ask(FloorRequest.of("harbour").filter(later))).size());
      assertEquals(
          List.of("v3"),
          ids(r.search(RetrievalRequest.of("harbour").filter(Filter.eq("version", "v3")))));
    }
  }

  @Test
  void conversationIsNotServedANearDuplicateOfWhatItWasServed() {
    try (Retriever r = threeVersions(b -> b)) {
      Filter two = Filter.eq("version", "v2");
      ConversationState served = r.search(RetrievalRequest.of("harbour").filter(two)).next();
      RetrievalResult next = r.search(RetrievalRequest.of("harbour").in(served));
      assertEquals(Set.of("other", "far"), Set.copyOf(ids(next)));
      assertEquals(1, next.leftOut().size());
      assertTrue(Set.of("v1", "v2", "v3").contains(next.leftOut().getFirst().chunk().id()));
      assertEquals(
          Set.of("other", "far"), Set.copyOf(ids(r.ask(FloorRequest.of("harbour").in(served)))));
      // both ways to have it again
      assertEquals(
          Set.of("v1", "v3", "other", "far"),
          Set.copyOf(ids(r.search(RetrievalRequest.of("harbour").in(served).collapse(false)))));
      assertEquals(
          3, ids(r.search(RetrievalRequest.of("harbour").in(served).exclude(false))).size());
    }
  }

  @Test
  void poolsFullOfCopiesAreWidenedUntilTheAnswerIsFull() {
    try (Retriever r = open()) {
      List<Chunk> chunks = new ArrayList<>();
      for (int i = 0; i < 700; i++) {
        chunks.add(chunk("copy" + i, text("lantern lantern lantern", 1)));
      }
      for (int i = 0; i < 40; i++) {
        chunks.add(chunk("one" + i, text("lantern", 100 + i)));
      }
      r.ingest(chunks.iterator(), ProgressListener.NONE, chunks.size());
      Floor floor = r.ask(FloorRequest.of("lantern lantern lantern"));
      assertEquals(28, floor.passages().size());
      assertEquals(
          1, ids(floor).stream().filter(id -> id.startsWith("copy")).count(), ids(floor)::toString);
      assertTrue(
          floor.notes().stream().anyMatch(n -> n.startsWith("near-duplicates filled the pools")),
          floor.notes()::toString);
      assertEquals(8, r.search(RetrievalRequest.of("lantern lantern lantern")).passages().size());
      for (RetrievalRequest.Mode mode : RetrievalRequest.Mode.values()) {
        Floor byOne = r.ask(FloorRequest.of("lantern lantern lantern").mode(mode));
        assertEquals(28, byOne.passages().size(), mode.name());
      }
    }
  }

  @Test
  void templatesThatDifferInANumberAreNotLeftOut() {
    try (Retriever r = open()) {
      put(
          r,
          chunk("a", text("road", 1) + " number 1506"),
          chunk("b", text("road", 1) + " number 1507"));
      assertEquals(1, r.nearDuplicates().orElseThrow().clusters().size());
      assertEquals(2, r.search(RetrievalRequest.of("road")).passages().size());
      assertEquals(
          "differs in a number: 1506", r.nearDuplicates().orElseThrow().view().kept().get("b"));
    }
    Path other = directory.resolve("other");
    try (Retriever r = open(other, b -> b.promotionPolicy(PromotionPolicy.ONE_PER_CLUSTER))) {
      put(
          r,
          chunk("a", text("road", 1) + " number 1506"),
          chunk("b", text("road", 1) + " number 1507"));
      assertEquals(1, r.search(RetrievalRequest.of("road")).passages().size());
    }
  }

  @Test
  void whatAPersonSaysHoldsFromTheNextAnswerOn() {
    try (Retriever r = threeVersions(b -> b)) {
      NearDuplicates found = r.nearDuplicates().orElseThrow();
      assertEquals(3, r.search(RetrievalRequest.of("harbour")).passages().size());
      found.judge("v1", "v2", false, "a reader");
      assertEquals(4, r.search(RetrievalRequest.of("harbour")).passages().size());
      found.judge("v1", "v2", true, "a reader, after a second look");
      assertEquals(3, r.search(RetrievalRequest.of("harbour")).passages().size());
      found.judge("v1", "v2", false, "a third");
      r.commit();
    }
    try (Retriever r = open()) {
      assertEquals(4, r.search(RetrievalRequest.of("harbour")).passages().size());
    }
  }

  @Test
  void ingestTellsWhatItFoundAndFindingsFollowChanges() {
    try (Retriever r = open()) {
      String text = text("harbour", 1);
      IngestReport report =
          r.ingest(
              List.of(
                      chunk("a", text),
                      chunk("b", text),
                      chunk("c", text.replace(' ', '-')),
                      chunk("d", "!!!"))
                  .iterator(),
              ProgressListener.NONE,
              4);
      assertEquals(new IngestReport.Duplicates(1, 1, 2, 1), report.duplicates());
      NearDuplicates found = r.nearDuplicates().orElseThrow();
      assertEquals(Map.of("b", "a", "c", "a"), found.canonicalMap().canonicalOf());
      r.delete(List.of("a"));
      assertEquals(Map.of("c", "b"), found.canonicalMap().canonicalOf());
      put(r, chunk("b", text("glacier", 7)));
      assertEquals(Map.of(), found.canonicalMap().canonicalOf());
      assertEquals(1.0, found.explain("b", "b").overlap().jaccard());
      assertTrue(found.runs().stream().map(RunReport::runId).distinct().count() >= 2);
      r.verify();
    }
  }

  @Test
  void withoutNearDuplicatesNothingIsFoundOrLeftOutAndTheyCatchUpWhenOpenedWith() {
    try (Retriever r = threeVersions(RetrieverConfig.Builder::noNearDuplicates)) {
      assertTrue(r.nearDuplicates().isEmpty());
      assertEquals(5, r.search(RetrievalRequest.of("harbour")).passages().size());
      assertEquals(5, r.ask(FloorRequest.of("harbour")).passages().size());
      r.commit();
    }
    try (Retriever r = open()) {
      r.verify();
      assertEquals(3, r.search(RetrievalRequest.of("harbour")).passages().size());
      put(r, chunk("v4", text("harbour", 1)));
      r.commit();
    }
    try (Retriever r = open(RetrieverConfig.Builder::noNearDuplicates)) {
      r.delete(List.of("v1"));
      put(r, chunk("v5", text("harbour", 1)));
      r.commit();
    }
    try (Retriever r = Retriever.openReadOnly(directory, config())) {
      // the findings are older than the chunks: what stood for others is gone, so they stay
      assertEquals(6, r.search(RetrievalRequest.of("harbour")).passages().size());
    }
    try (Retriever r = open()) {
      r.verify();
      Cluster c = r.nearDuplicates().orElseThrow().clusters().getFirst();
      assertEquals(Set.of("v2", "v3", "v4", "v5"), members(c));
      assertEquals(3, r.search(RetrievalRequest.of("harbour")).passages().size());
    }
  }

  private static RetrieverConfig config() {
    return RetrieverConfig.builder(new WordsEmbedder()).build();
  }

  private static Set<String> members(Cluster c) {
    return Set.copyOf(c.members().stream().map(Cluster.Member::id).toList());
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path p : all.sorted().toList()) {
        Path target = to.resolve(from.relativize(p));
        if (Files.isDirectory(p)) {
          Files.createDirectories(target);
        } else {
          Files.copy(p, target);
        }
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(p);
      }
    }
  }

  private static Set<Set<String>> findings(Retriever r) {
    return r.nearDuplicates().orElseThrow().clusters().stream()
        .map(NearDuplicatesTest::members)
        .collect(Collectors.toSet());
  }

  @Test
  void commitOfFindingsWithoutThatOfTheTextsIsTakenBackWhenOpened() throws IOException {
    try (Retriever r = threeVersions(b -> b)) {
      r.commit();
    }
    Path before = directory.resolveSibling(directory.getFileName() + "-before");
    copy(directory, before);
    Set<Set<String>> expected;
    try (Retriever r = open()) {
      expected = findings(r);
      put(r, chunk("late", text("harbour", 2)), chunk("v1", text("glacier", 9)));
      r.delete(List.of("v3"));
      r.commit();
    }
    // as after a kill between the two commits: findings of the later one, the rest of the earlier
    delete(before.resolve("duplicates"));
    copy(directory.resolve("duplicates"), before.resolve("duplicates"));
    try (Retriever r = open(before, b -> b)) {
      r.verify();
      assertEquals(expected, findings(r));
    }
    try (Retriever r = open(before, b -> b)) { // and it stays so
      r.verify();
    }
    delete(before);
  }

  @Test
  void readerBesideAWriterSeesTheFindingsOfTheLastCommit() {
    try (Retriever writer = threeVersions(b -> b)) {
      writer.commit();
      try (Retriever reader = Retriever.openReadOnly(directory, config())) {
        put(writer, chunk("v4", text("harbour", 1)));
        writer.commit();
        assertEquals(3, reader.search(RetrievalRequest.of("harbour")).passages().size());
        assertEquals(2, reader.nearDuplicates().orElseThrow().canonicalMap().canonicalOf().size());
        assertThrows(
            UnsupportedOperationException.class,
            () -> reader.nearDuplicates().orElseThrow().judge("v1", "v2", true, ""));
      }
    }
  }

  @Test
  void searchesBesideAWriterNeverShowTwoOfACluster() throws InterruptedException {
    try (Retriever r = open()) {
      put(r, chunk("first", text("harbour", 1)));
      AtomicInteger answers = new AtomicInteger();
      Threads.run(
          3,
          thread -> {
            for (int i = 0; i < 60; i++) {
              if (thread == 0) {
                put(r, chunk("copy" + i, text("harbour", 1)), chunk("new" + i, text("harbour", i)));
                if (i % 20 == 19) {
                  r.commit();
                  r.delete(List.of("copy" + (i - 3)));
                }
              } else {
                List<String> ids = ids(r.search(RetrievalRequest.of("harbour").limit(30)));
                long same =
                    ids.stream().filter(id -> id.equals("first") || id.startsWith("copy")).count();
                assertTrue(same <= 1, ids::toString);
                answers.incrementAndGet();
              }
            }
          });
      assertEquals(120, answers.get());
      r.verify();
    }
  }

  @Test
  void textIsThereWhileAPolicyDecidesThoughItsChunkIsBeingDeleted() throws InterruptedException {
    AtomicReference<Retriever> opened = new AtomicReference<>();
    AtomicReference<Thread> deleting = new AtomicReference<>();
    List<Boolean> known = new CopyOnWriteArrayList<>();
    PromotionPolicy slow =
        c -> {
          Retriever r = opened.get();
          Thread t = Thread.ofPlatform().start(() -> r.delete(List.of("copy")));
          deleting.set(t);
          try {
            // as far as it comes while this search looks at the findings
            for (int i = 0; i < 50 && r.get("copy").isPresent(); i++) {
              Thread.sleep(10);
            }
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          known.add(c.difference().get().isPresent());
          return PromotionPolicy.DEFAULT.decide(c);
        };
    try (Retriever r = open(b -> b.promotionPolicy(slow))) {
      opened.set(r);
      put(r, chunk("first", text("harbour", 1)), chunk("copy", text("harbour", 1)));
      List<String> ids = ids(r.search(RetrievalRequest.of("harbour")));
      deleting.get().join();
      assertEquals(List.of(true), known);
      assertEquals(1, ids.size(), ids::toString);
      assertEquals(1, r.size());
      r.verify();
    }
  }

  @Test
  void emptyTextsAndOtherScriptsAreChunksLikeOthers() {
    try (Retriever r = open()) {
      String arabic =
          "هذا نص قصير عن الميناء والسفن التي تبحر كل صباح من المدينة القديمة إلى الجزر";
      put(
          r,
          chunk("blank", " "),
          chunk("blank too", " "),
          chunk("emoji", "🌸🌸🌸"),
          chunk("ar", arabic),
          chunk("ar2", arabic),
          chunk("zh", "港口的早晨有很多船只驶向远方的岛屿"),
          chunk("zh2", "港口的早晨有很多船只驶向远方的岛屿"));
      r.verify();
      Map<String, String> canonical = r.nearDuplicates().orElseThrow().canonicalMap().canonicalOf();
      assertEquals(Map.of("ar2", "ar", "zh2", "zh"), canonical);
      Floor floor = r.ask(FloorRequest.of(arabic));
      assertEquals("ar", floor.passages().getFirst().chunk().id());
      assertTrue(floor.passages().getFirst().nearExact());
      assertFalse(ids(floor).contains("ar2"));
      // without words there is nothing to be similar by: both blank ones stay
      assertTrue(ids(floor).containsAll(List.of("blank", "blank too")), ids(floor)::toString);
      assertEquals(5, floor.passages().size(), ids(floor)::toString);
    }
  }
}

package dev.petunia.retriever;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Chunk;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.Reranker.Cause;
import dev.petunia.dedup.RescoreConfig;
import dev.petunia.lexical.LexicalConfig;
import dev.petunia.lexical.LexicalIndex;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jaccard similarity as the third signal of a floor. */
class FloorRescoreTest {
  private static final int CHUNKS = 150;
  private static final FloorOptions PLAIN = FloorOptions.builder().size(150).noRescore().build();
  private static final FloorOptions RESCORED =
      PLAIN.toBuilder().rescore(RescoreConfig.DEFAULT).build();

  @TempDir Path directory;

  /** 50 words of 30, so that all texts share words and none shares a row of five. */
  private static String text(int number) {
    SplittableRandom random = new SplittableRandom(number);
    StringBuilder text = new StringBuilder("text" + number);
    for (int i = 0; i < 50; i++) {
      text.append(" w").append(random.nextInt(30));
    }
    return text.toString();
  }

  private Retriever filled(UnaryOperator<RetrieverConfig.Builder> options) {
    Retriever r =
        Retriever.open(
            directory,
            options.apply(RetrieverConfig.builder(new WordsEmbedder()).threads(1)).build());
    if (r.size() == 0) {
      List<Chunk> chunks = new ArrayList<>();
      for (int i = 0; i < CHUNKS; i++) {
        chunks.add(new Chunk("c" + i, "e", i, text(i)));
      }
      r.ingest(chunks.iterator(), ProgressListener.NONE, CHUNKS);
      r.commit();
    }
    return r;
  }

  private static List<String> ids(Floor floor) {
    return floor.passages().stream().map(p -> p.chunk().id()).toList();
  }

  private static FloorPassage passage(Floor floor, String id) {
    return floor.passages().stream()
        .filter(p -> p.chunk().id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void pastedPassageHeadsTheFloorWhateverTheCrossEncoderSays() {
    FakeReranker hostile = new FakeReranker(t -> t.startsWith("text77 ") ? -9 : t.length());
    try (Retriever r = filled(b -> b.reranker(hostile))) {
      String pasted = text(77).replaceFirst(" w\\d+ ", " zebra ");
      Floor floor = r.ask(FloorRequest.of(pasted).options(RESCORED));
      FloorPassage first = floor.passages().getFirst();
      assertEquals("c77", first.chunk().id());
      assertTrue(first.nearExact());
      assertTrue(first.jaccard().orElseThrow() >= 0.6, () -> "J " + first.jaccard());
      assertEquals(-9, first.logit().orElseThrow(), 1e-9); // its own score is told all the same
      assertEquals(1, floor.passages().stream().filter(FloorPassage::nearExact).count());
      // without rescoring the cross-encoder puts it last
      Floor plain = r.ask(FloorRequest.of(pasted).options(PLAIN));
      assertEquals("c77", ids(plain).getLast());
      assertFalse(passage(plain, "c77").nearExact());
      assertTrue(plain.passages().stream().allMatch(p -> p.jaccard().isEmpty()));
    }
  }

  @Test
  void questionThatSharesNoFiveWordsInARowLeavesTheOrderOfFusionAsItIs() {
    try (Retriever r = filled(b -> b)) {
      for (String question : List.of("w1", "text9 w3", "w4 w9 w2 text12 w7 w7 w20 w1", "?!")) {
        Floor plain = r.ask(FloorRequest.of(question).options(PLAIN));
        Floor rescored = r.ask(FloorRequest.of(question).options(RESCORED));
        assertEquals(ids(plain), ids(rescored), question);
        for (FloorPassage p : rescored.passages()) {
          assertEquals(0, p.jaccard().orElse(0), question);
        }
      }
    }
  }

  @Test
  void similarityOrdersTheQueueOfTheCrossEncoderAndThePassagesItDidNotScore() {
    FakeReranker slow = new FakeReranker(3, Cause.DEADLINE, String::length);
    try (Retriever r = filled(b -> b.reranker(slow))) {
      // the beginning of a passage and other words: J about 0.3, below the tier
      String question =
          String.join(" ", List.of(text(40).split(" ")).subList(10, 32)) + " " + text(999);
      Floor plain = r.ask(FloorRequest.of(question).options(PLAIN));
      Floor rescored = r.ask(FloorRequest.of(question).options(RESCORED));
      double jaccard = passage(rescored, "c40").jaccard().orElseThrow();
      assertTrue(jaccard > 0.1 && jaccard < 0.6, "J " + jaccard);
      assertFalse(passage(rescored, "c40").nearExact());
      assertTrue(
          passage(rescored, "c40").poolRank() < passage(plain, "c40").poolRank(),
          () -> passage(rescored, "c40").poolRank() + " of " + passage(plain, "c40").poolRank());
      // what the model was given is in the order of the pool ranks
      List<String> queue = slow.asked.getLast();
      for (FloorPassage p : rescored.passages()) {
        assertEquals(p.chunk().text(), queue.get(p.poolRank() - 1));
      }
      // behind the scored ones, the others are in that order
      List<Integer> unscored =
          rescored.passages().stream()
              .filter(p -> !p.scored())
              .map(FloorPassage::poolRank)
              .toList();
      assertEquals(unscored.stream().sorted().toList(), unscored);
    }
  }

  @Test
  void candidatesAfterTheHundredthKeepTheirPlaces() {
    try (Retriever r = filled(b -> b)) {
      Floor plain = r.ask(FloorRequest.of("w1 w2 w3").options(PLAIN));
      assertEquals(CHUNKS, plain.passages().size());
      String last = ids(plain).getLast();
      // the question is the last one's text, but only the first ten are looked at
      Floor rescored =
          r.ask(
              FloorRequest.of(text(Integer.parseInt(last.substring(1))))
                  .options(
                      RESCORED.toBuilder().rescore(RescoreConfig.DEFAULT.withLimit(10)).build()));
      for (FloorPassage p : rescored.passages()) {
        assertEquals(p.poolRank() <= 10, p.jaccard().isPresent(), p.chunk().id());
      }
      List<String> tail = ids(rescored).subList(10, CHUNKS);
      List<String> fused =
          ids(r.ask(FloorRequest.of(text(Integer.parseInt(last.substring(1)))).options(PLAIN)));
      assertEquals(fused.subList(10, CHUNKS), tail);
    }
  }

  @Test
  void shinglesOfAnotherVersionAreToldOnceAndMadeAnewByTheNextChange() {
    try (Retriever r = filled(b -> b)) {
      assertEquals(0, r.staleShingles());
    }
    try (LexicalIndex texts =
        LexicalIndex.open(directory.resolve("texts"), LexicalConfig.defaults())) {
      byte[] old = texts.signals(Shingles.SIGNAL, List.of("c5")).get("c5").clone();
      ByteBuffer.wrap(old).order(ByteOrder.LITTLE_ENDIAN).putInt(0, 99);
      Map<String, byte[]> signals = new HashMap<>();
      signals.put("c5", old);
      signals.put("c6", new byte[] {1, 2, 3}); // no form that this version knows
      texts.putSignals(Shingles.SIGNAL, signals);
      texts.commit(texts.committedUserData());
    }
    try (Retriever r = filled(b -> b)) {
      Floor floor = r.ask(FloorRequest.of(text(5)).options(RESCORED));
      assertTrue(passage(floor, "c5").jaccard().isEmpty());
      assertTrue(
          floor.notes().stream().anyMatch(n -> n.contains("no shingles of this version")),
          floor.notes()::toString);
      int stale = r.staleShingles();
      assertTrue(stale >= 1 && stale <= 2, () -> "stale: " + stale);
      r.ask(FloorRequest.of(text(5)).options(RESCORED));
      assertEquals(stale, r.staleShingles()); // each once
      r.ask(FloorRequest.of(text(6)).options(RESCORED));
      r.ingest(
          List.of(new Chunk("new", "e", 999, "a change")).iterator(), ProgressListener.NONE, 1);
      assertEquals(0, r.staleShingles());
      for (int i : new int[] {5, 6}) {
        Floor again = r.ask(FloorRequest.of(text(i)).options(RESCORED));
        assertEquals("c" + i, ids(again).getFirst());
        assertEquals(1.0, again.passages().getFirst().jaccard().orElseThrow());
        assertTrue(again.notes().isEmpty(), again.notes()::toString);
      }
      r.commit();
    }
    try (Retriever r = filled(b -> b)) {
      assertTrue(
          r.ask(FloorRequest.of(text(5)).options(RESCORED)).passages().getFirst().nearExact());
    }
  }

  @Test
  void containmentPutsALongPassageBeforeOthersForAPartOfItOnlyWhenTurnedOn() {
    try (Retriever r = filled(b -> b)) {
      String part = String.join(" ", List.of(text(33).split(" ")).subList(5, 30)); // 25 of 51 words
      Floor off = r.ask(FloorRequest.of(part).options(RESCORED));
      assertFalse(passage(off, "c33").nearExact());
      Floor on =
          r.ask(
              FloorRequest.of(part)
                  .options(
                      RESCORED.toBuilder()
                          .rescore(RescoreConfig.DEFAULT.withContainment(true))
                          .build()));
      assertEquals("c33", ids(on).getFirst());
      assertTrue(on.passages().getFirst().containsQuestion());
      assertFalse(on.passages().getFirst().nearExact());
    }
  }

  @Test
  void questionThatManyPassagesContainPutsNoneFirstAndSaysSo() {
    try (Retriever r = filled(b -> b)) {
      String part = String.join(" ", List.of(text(33).split(" ")).subList(5, 30));
      List<Chunk> holding = new ArrayList<>();
      for (int i = 0; i < 25; i++) {
        holding.add(new Chunk("h" + i, "h", i, part + " " + text(400 + i)));
      }
      r.ingest(holding.iterator(), ProgressListener.NONE, holding.size());
      Floor floor =
          r.ask(
              FloorRequest.of(part)
                  .options(
                      RESCORED.toBuilder()
                          .rescore(RescoreConfig.DEFAULT.withContainment(true))
                          .build()));
      assertEquals(
          List.of("more than 20 candidates contain the question, so none is put first for that"),
          floor.notes());
      assertTrue(floor.passages().stream().noneMatch(FloorPassage::containsQuestion));
    }
  }
}

package dev.petunia.dedup;

import static dev.petunia.dedup.Findings.CONFIG;
import static dev.petunia.dedup.Findings.documents;
import static dev.petunia.dedup.Findings.edges;
import static dev.petunia.dedup.Findings.index;
import static dev.petunia.dedup.Findings.prose;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EdgesTest {
  @Test
  void shortTextsAreTheSameOnlyWhenTheyAre() {
    try (DedupIndex index = index()) {
      RunReport r = index.ingest(documents("cat", "dog", "cat", "Cat!", "", "", "🙂", "🙂"));
      assertEquals(
          List.of(
              "t0~t2 Overlap[intersection=1, union=1] EXACT_SHA256",
              "t0~t3 Overlap[intersection=1, union=1] MINHASH_VERIFIED"),
          edges(index));
      assertEquals(4, r.counts().unshinglable());
      assertEquals(1, r.counts().exactDuplicates());
      assertEquals(1, r.counts().identicalSets());
      assertEquals(Map.of("t2", "t0", "t3", "t0"), index.canonicalMap().canonicalOf());
      assertTrue(index.shingles("t4").orElseThrow().isEmpty());
    }
  }

  @Test
  void equalShinglesOfDifferentCodeAreNoExactDuplicates() {
    try (DedupIndex index = index()) {
      index.ingest(documents("if (x < limit) stop(a + b)", "if (x > limit) stop(a - b)"));
      assertEquals(
          List.of("t0~t1 Overlap[intersection=2, union=2] MINHASH_VERIFIED"), edges(index));
      assertFalse(index.explain("t0", "t1", id -> id.equals("t0") ? "x" : "y").isExact());
    }
  }

  @Test
  void lineEndsOfWindowsAreTheSameRawText() {
    try (DedupIndex index = index()) {
      index.ingest(documents("one\r\ntwo", "one\ntwo", "one\rtwo"));
      assertEquals(
          List.of(
              "t0~t1 Overlap[intersection=1, union=1] EXACT_SHA256",
              "t0~t2 Overlap[intersection=1, union=1] MINHASH_VERIFIED"),
          edges(index));
    }
  }

  @Test
  void textsWithDifferentHalvesOfCharactersAreNotExactDuplicates() {
    try (DedupIndex index = index()) {
      index.ingest(documents("a b \uD800", "a b \uD801", "a b \uD800"));
      assertEquals(
          List.of(EdgeMethod.MINHASH_VERIFIED, EdgeMethod.EXACT_SHA256),
          List.of(
              index.edges().edgesOf("t1").getFirst().method(),
              index.edges().edgesOf("t2").getFirst().method()));
    }
  }

  @Test
  void aSharedTemplateIsNoEdge() {
    try (DedupIndex index = index()) {
      index.ingest(
          documents(
              prose(1, 60) + " " + prose(2, 40),
              prose(1, 60) + " " + prose(3, 40),
              prose(1, 60) + " " + prose(4, 40)));
      assertEquals(List.of(), edges(index));
    }
  }

  @Test
  void aSmallTextInALargeOneIsNoEdge() {
    try (DedupIndex index = index()) {
      index.ingest(documents(prose(1, 50), prose(1, 50) + " " + prose(2, 1000)));
      assertEquals(List.of(), edges(index));
    }
  }

  @Test
  void booksThatShareTheirWordsButNoFiveInARowAreNoCluster() {
    // eight books of 20,000 words from the same 400: single words and letters are alike in all
    List<Document> books = new ArrayList<>();
    for (int b = 0; b < 8; b++) {
      books.add(
          new Document(
              "book" + b,
              String.join(" ", Texts.words(new SplittableRandom(900 + b), 20_000, 400))));
    }
    try (DedupIndex index = DedupIndex.inMemory(CONFIG)) {
      RunReport report = index.ingest(books);
      assertEquals(0, report.counts().edges());
      assertEquals(List.of(), index.clusters());
    }
  }

  @Test
  void textsWithAPercentOfTheirWordsChangedAreAllFound() {
    // 134 texts of 300 words, in each copy three words are others: J is at least 285/315
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < 134; i++) {
      List<String> words = Texts.words(new SplittableRandom(i), 300, 50_000);
      documents.add(new Document("text" + i, String.join(" ", words)));
      documents.add(
          new Document(
              "copy" + i,
              String.join(" ", Texts.edited(new SplittableRandom(7_000 + i), words, 3))));
    }
    try (DedupIndex index = DedupIndex.inMemory(CONFIG)) {
      index.ingest(documents);
      assertEquals(134, index.clusters().size());
      for (Cluster c : index.clusters()) {
        assertEquals("copy" + c.canonical().substring(4), c.members().getLast().id());
      }
    }
  }

  @Test
  void aMegabyteOfTextIsATextLikeOthers() {
    String large = prose(1, 150_000);
    try (DedupIndex index = index()) {
      index.ingest(documents(large, large + " end", "x".repeat(1 << 20), " ".repeat(1 << 20)));
      assertEquals(1, edges(index).size());
    }
  }
}

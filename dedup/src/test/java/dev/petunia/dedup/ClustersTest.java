package dev.petunia.dedup;

import static dev.petunia.dedup.Findings.documents;
import static dev.petunia.dedup.Findings.edges;
import static dev.petunia.dedup.Findings.expanded;
import static dev.petunia.dedup.Findings.index;
import static dev.petunia.dedup.Findings.prose;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.testing.Expect;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ClustersTest {
  @Test
  void clustersFollowVerifiedEdgesNotCandidates() {
    String a = prose(1, 150);
    String b = prose(2, 150);
    try (DedupIndex index = index()) {
      index.ingest(documents(a, b, a + " end", b + " end"));
      assertEquals(
          List.of(List.of("t0", "t2"), List.of("t1", "t3")),
          index.clusters().stream()
              .map(c -> c.members().stream().map(Cluster.Member::id).toList())
              .toList());
    }
  }

  /** Three texts: the second is near the first and the third, which are not near each other. */
  private static List<Document> chain() {
    String core = prose(5, 200);
    return documents(
        "p1 p2 p3 p4 p5 p6 p7 p8 p9 q1 q2 q3 " + core,
        core,
        core + " r1 r2 r3 r4 r5 r6 r7 r8 r9 s1 s2 s3");
  }

  @Test
  void chainsAreReportedAndStayVisible() {
    List<Document> documents = chain();
    Map<String, String> texts =
        documents.stream().collect(Collectors.toMap(Document::id, Document::text));
    try (DedupIndex index = index()) {
      index.ingest(documents);
      Cluster c = index.clusterOf("t2").orElseThrow();
      assertEquals("t0", c.canonical());
      assertEquals(List.of("t2"), c.chained().stream().map(Cluster.Member::id).toList());
      assertEquals(2, c.hops());
      assertTrue(c.isMinExact() && c.minJaccard() < 0.9);
      assertEquals(c.members().get(2).toCanonical().jaccard(), c.minJaccard());
      SuppressionView all = index.view(PromotionPolicy.ONE_PER_CLUSTER, texts::get);
      assertEquals(Map.of("t1", "t0", "t2", "t0"), all.canonicalOf());
      SuppressionView careful = index.view(PromotionPolicy.DEFAULT, texts::get);
      assertEquals("similar to other members only", careful.kept().get("t2"));
      assertEquals("differs in a number: p1", careful.kept().get("t1"));
    }
  }

  @Test
  void aLateEdgeThatJoinsClustersSaysSo() {
    List<Document> d = chain();
    try (DedupIndex index = index()) {
      index.ingest(List.of(d.get(0), new Document("x0", d.get(0).text())));
      index.ingest(List.of(d.get(2), new Document("x2", d.get(2).text())));
      long before = index.canonicalMap().version();
      assertEquals(Map.of("x0", "t0", "x2", "t2"), index.canonicalMap().canonicalOf());
      RunReport r = index.ingest(List.of(d.get(1)));
      assertEquals(List.of(new CanonicalChange("t2", "t0")), r.canonicalChanges());
      assertEquals(before + 1, index.canonicalMap().version());
      assertEquals(
          Map.of("x0", "t0", "x2", "t0", "t2", "t0", "t1", "t0"),
          index.canonicalMap().canonicalOf());
      // and it comes apart when the link goes
      assertEquals(List.of(new CanonicalChange("t0", "t2")), index.remove("t1"));
      assertEquals(Map.of("x0", "t0", "x2", "t2"), index.canonicalMap().canonicalOf());
    }
  }

  @Test
  void exactlyOneMemberOfEachClusterIsCanonical() {
    String text = prose(9, 100);
    try (DedupIndex index = index()) {
      index.ingest(documents(text, text, text + " more", text, text.toUpperCase(Locale.ROOT)));
      assertEquals(1, index.clusters().size());
      assertEquals(4, index.canonicalMap().canonicalOf().size());
      assertEquals(4, edges(index).size(), "a star, not all pairs");
      assertEquals(10, expanded(index).size());
    }
  }

  @Test
  void theFirstIngestedIsCanonicalWhateverTheIds() {
    String text = prose(3, 30);
    try (DedupIndex index = index()) {
      index.ingest(List.of(new Document("z", text, 5), new Document("a", text, 9)));
      assertEquals(Map.of("a", "z"), index.canonicalMap().canonicalOf());
      assertEquals(List.of(new CanonicalChange("z", "a")), index.remove("z"));
      assertEquals(Map.of(), index.canonicalMap().canonicalOf());
      index.ingest(List.of(new Document("z", text)));
      assertEquals(Map.of("z", "a"), index.canonicalMap().canonicalOf());
    }
  }

  @Test
  void explainNamesTheDifferingTokens() {
    String a = "Thunderbird is a mail client. " + prose(1, 200) + " language Korean x1";
    String b = "Thunderbird is a mail client. " + prose(1, 200) + " language Albanian x1";
    Map<String, String> texts = Map.of("t0", a, "t1", b);
    try (DedupIndex index = index()) {
      index.ingest(documents(a, b));
      Explanation e = index.explain("t0", "t1", texts::get);
      assertEquals(
          List.of("korean"), e.difference().onlyInA().stream().map(DifferingToken::token).toList());
      assertEquals(
          List.of("albanian"),
          e.difference().onlyInB().stream().map(DifferingToken::token).toList());
      assertEquals(new DifferingToken("korean", 1, 0.5), e.difference().onlyInA().getFirst());
      assertEquals("t0", e.canonical().orElseThrow());
      assertTrue(e.isNominated() && e.overlap().isAtLeast(9, 10) && !e.isExact());
      Expect.refused(
          "chunkB",
          "\"nope\"",
          "an id that is in the index",
          () -> index.explain("t0", "nope", texts::get));
    }
  }

  @Test
  void aRareWordOrANumberKeepsAChunkAndAPersonDecides() {
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < 2500; i++) {
      documents.add(new Document("n" + i, prose(i, 12) + " common"));
    }
    String base = prose(-1, 200);
    documents.add(new Document("base", base));
    documents.add(new Document("common", base + " common"));
    documents.add(new Document("rare", base + " albanian"));
    documents.add(new Document("same", base + "."));
    Map<String, String> texts =
        documents.stream().collect(Collectors.toMap(Document::id, Document::text));
    try (DedupIndex index = index()) {
      index.ingest(documents);
      SuppressionView view = index.view(PromotionPolicy.DEFAULT, texts::get);
      assertEquals(Map.of("common", "base", "same", "base"), view.canonicalOf());
      assertEquals(Map.of("rare", "differs in a rare token: albanian"), view.kept());
      index.judge("rare", "base", true, "read it");
      index.judge("base", "common", false, "");
      view = index.view(PromotionPolicy.DEFAULT, texts::get);
      assertEquals(Map.of("rare", "base", "same", "base"), view.canonicalOf());
      // what was said belongs to the text
      index.ingest(List.of(new Document("rare", base + " albanian language")));
      texts.put("rare", base + " albanian language");
      assertEquals(
          "differs in a rare token: albanian",
          index.view(PromotionPolicy.DEFAULT, texts::get).kept().get("rare"));
    }
  }
}

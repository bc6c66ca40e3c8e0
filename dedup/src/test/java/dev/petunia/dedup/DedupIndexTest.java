package dev.petunia.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.IndexClosedException;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.testing.Expect;
import dev.petunia.core.testing.Property;
import dev.petunia.core.testing.Threads;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DedupIndexTest {
  private static final DedupConfig CONFIG =
      DedupConfig.DEFAULT.withClock(InstantSource.fixed(Instant.EPOCH));

  private static DedupIndex index() {
    return DedupIndex.inMemory(CONFIG);
  }

  private static String edge(Edge e) {
    return e.chunkA() + "~" + e.chunkB() + " " + e.overlap() + " " + e.method();
  }

  private static List<String> edges(DedupIndex index) {
    List<String> out = new ArrayList<>();
    index.edges().forEach(e -> out.add(edge(e)));
    return out;
  }

  private static Set<String> expanded(DedupIndex index) {
    List<String> out = new ArrayList<>();
    index
        .edges()
        .forEachExpanded(
            e -> {
              assertTrue(e.overlap().isAtLeast(9, 10));
              out.add(edge(e));
            });
    Set<String> distinct = new HashSet<>(out);
    assertEquals(out.size(), distinct.size(), "an edge came twice");
    return distinct;
  }

  /** All pairs, compared one by one. */
  private static Set<String> bruteForce(List<Document> documents) {
    Set<String> out = new HashSet<>();
    List<ShingleSet> sets = documents.stream().map(d -> Shingler.v1().shingles(d.text())).toList();
    for (int i = 0; i < sets.size(); i++) {
      for (int j = 0; j < i; j++) {
        Overlap o = sets.get(i).overlap(sets.get(j));
        if (o.isAtLeast(9, 10)) {
          String a = documents.get(i).id();
          String b = documents.get(j).id();
          boolean isExact = documents.get(i).text().equals(documents.get(j).text());
          out.add(
              (a.compareTo(b) < 0 ? a + "~" + b : b + "~" + a)
                  + " "
                  + o
                  + " "
                  + (isExact ? EdgeMethod.EXACT_SHA256 : EdgeMethod.MINHASH_VERIFIED));
        }
      }
    }
    return out;
  }

  /** The members of each cluster by a plain walk over all pairs. */
  private static Map<String, Set<String>> componentsOf(
      Set<String> edges, List<Document> documents) {
    Map<String, Integer> root = new HashMap<>();
    for (int i = 0; i < documents.size(); i++) {
      root.put(documents.get(i).id(), i);
    }
    for (boolean changed = true; changed; ) {
      changed = false;
      for (String e : edges) {
        String[] ends = e.substring(0, e.indexOf(' ')).split("~", -1);
        int least = Math.min(root.get(ends[0]), root.get(ends[1]));
        changed |= root.put(ends[0], least) != least;
        changed |= root.put(ends[1], least) != least;
      }
    }
    Map<String, Set<String>> out = new TreeMap<>();
    root.forEach(
        (id, r) -> out.computeIfAbsent(documents.get(r).id(), k -> new HashSet<>()).add(id));
    out.values().removeIf(s -> s.size() == 1);
    return out;
  }

  private static void check(DedupIndex index, List<Document> documents) {
    Set<String> truth = bruteForce(documents);
    assertEquals(truth, expanded(index));
    Map<String, Set<String>> clusters = new TreeMap<>();
    for (Cluster c : index.clusters()) {
      clusters.put(
          c.canonical(), c.members().stream().map(Cluster.Member::id).collect(Collectors.toSet()));
      assertEquals(c.canonical(), c.members().getFirst().id());
      c.chained().forEach(m -> assertFalse(m.toCanonical().isAtLeast(9, 10)));
    }
    assertEquals(componentsOf(truth, documents), clusters);
    Map<String, String> map = new HashMap<>();
    clusters.forEach(
        (canonical, members) ->
            members.stream().filter(m -> !m.equals(canonical)).forEach(m -> map.put(m, canonical)));
    assertEquals(map, index.canonicalMap().canonicalOf());
    // the stars connect what the full edges connect
    assertEquals(
        clusters, componentsOf(new HashSet<>(edges(index)), documents), "edges leave one out");
    assertEquals(List.of(), index.wrongLabels());
    index.verify(ProgressListener.NONE);
  }

  @Test
  void edgesAndClustersAreThoseOfAllPairsCompared() {
    Property.check(
        "edges and clusters are those of all pairs compared",
        60,
        Texts.corpus(0, 80),
        documents -> {
          try (DedupIndex index = index()) {
            index.ingest(documents);
            check(index, documents);
          }
        });
  }

  @Test
  void addingRemovingAndReplacingInAnyOrderLeavesTheSameFindings() {
    Property.check(
        "adding, removing and replacing leaves the same findings",
        40,
        Texts.corpus(10, 60),
        documents -> {
          Random random = new Random(documents.size());
          try (DedupIndex index = index()) {
            List<Document> there = new ArrayList<>();
            for (Document d : documents) {
              if (!there.isEmpty() && random.nextInt(4) == 0) {
                Document gone = there.remove(random.nextInt(there.size()));
                index.remove(gone.id());
                if (random.nextBoolean()) {
                  index.ingest(List.of(gone));
                  there.add(gone);
                }
              }
              if (!there.isEmpty() && random.nextInt(5) == 0) {
                Document old = there.remove(random.nextInt(there.size()));
                Document changed = new Document(old.id(), d.text());
                index.ingest(List.of(changed));
                if (old.text().equals(d.text())) {
                  there.add(old); // nothing has changed, but its place is no longer the last
                  index.remove(old.id());
                  index.ingest(List.of(old));
                } else {
                  there.add(changed);
                }
              }
              index.ingest(List.of(d));
              there.add(d);
            }
            check(index, there);
          }
        });
  }

  @Test
  void threadsBatchesAndTheOrderOfInputDontMatter() {
    Property.check(
        "threads, batches and the order of input don't matter",
        15,
        Texts.corpus(50, 300),
        given -> {
          List<Document> documents = new ArrayList<>();
          for (Document d : given) {
            documents.add(new Document(d.id(), d.text(), 2L * documents.size()));
          }
          String first = null;
          for (int threads : new int[] {1, 2, 8}) {
            for (int hot : new int[] {8, 256}) {
              List<Document> shuffled = new ArrayList<>(documents);
              Collections.shuffle(shuffled, new Random(threads));
              try (DedupIndex index =
                  DedupIndex.inMemory(CONFIG.withThreads(threads).withHotBucket(hot))) {
                RunReport r = index.ingest(shuffled);
                StringBuilder all = new StringBuilder(r.runId()).append(r.histogram());
                EdgeExport.jsonLines(index.edges(), true, all);
                all.append(index.clusters())
                    .append(new TreeMap<>(index.canonicalMap().canonicalOf()));
                first = first == null ? all.toString() : first;
                assertEquals(first, all.toString());
              }
            }
          }
          try (DedupIndex oneByOne = index()) {
            documents.forEach(d -> oneByOne.ingest(List.of(d)));
            try (DedupIndex together = index()) {
              together.ingest(documents);
              assertEquals(edges(together), edges(oneByOne));
            }
          }
        });
  }

  @Test
  void crowdedBucketsLoseNothing() {
    SplittableRandom random = new SplittableRandom(11);
    List<String> template = Texts.words(random, 125, 5000);
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      List<String> words = new ArrayList<>(template);
      words.addAll(Texts.words(random, 25, 1_000_000));
      documents.add(new Document("d" + i, String.join(" ", words)));
      if (i % 60 == 0) {
        documents.add(new Document("e" + i, String.join(" ", Texts.edited(random, words, 1))));
      }
    }
    try (DedupIndex plain = DedupIndex.inMemory(CONFIG.withHotBucket(1_000_000));
        DedupIndex joined = DedupIndex.inMemory(CONFIG.withHotBucket(8));
        DedupIndex slowly = DedupIndex.inMemory(CONFIG.withHotBucket(8))) {
      RunReport a = plain.ingest(documents);
      RunReport b = joined.ingest(documents);
      documents.forEach(d -> slowly.ingest(List.of(d)));
      assertEquals(10, edges(plain).size());
      assertEquals(edges(plain), edges(joined));
      assertEquals(edges(plain), edges(slowly));
      assertEquals(a.histogram(), b.histogram());
      assertEquals(0, a.counts().hotBuckets());
      assertTrue(b.counts().hotBuckets() > 0);
      assertTrue(
          b.counts().candidates() < a.counts().candidates() / 10,
          () -> b.counts() + " against " + a.counts());
    }
  }

  private static List<Document> documents(String... texts) {
    List<Document> out = new ArrayList<>();
    for (String t : texts) {
      out.add(new Document("t" + out.size(), t));
    }
    return out;
  }

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

  private static String prose(int seed, int words) {
    return String.join(" ", Texts.words(new SplittableRandom(seed), words, 4000));
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
  void theSameRunTwiceIsOneRun() {
    List<Document> documents = documents(prose(1, 50), prose(1, 50), prose(2, 50));
    try (DedupIndex index = index();
        DedupIndex other = index()) {
      RunReport first = index.ingest(documents);
      List<String> edges = edges(index);
      assertEquals(first, index.ingest(documents.reversed()));
      assertEquals(edges, edges(index));
      assertEquals(1, index.runs().size());
      assertEquals(26, first.runId().length());
      assertEquals(first.runId(), other.ingest(documents).runId());
      assertFalse(first.runId().equals(index.ingest(documents(prose(1, 50))).runId()));
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

  @Test
  void aListenerHoldsTheSameEdges() {
    Property.check(
        "a listener holds the same edges",
        20,
        Texts.corpus(5, 60),
        documents -> {
          Map<String, String> held = new TreeMap<>();
          EdgeListener listener =
              new EdgeListener() {
                @Override
                public void found(List<Edge> edges) {
                  edges.forEach(e -> held.put(e.chunkA() + "~" + e.chunkB(), edge(e)));
                }

                @Override
                public void withdrawn(String id) {
                  held.keySet().removeIf(k -> k.startsWith(id + "~") || k.endsWith("~" + id));
                }
              };
          try (DedupIndex index = DedupIndex.inMemory(CONFIG.withListener(listener))) {
            index.ingest(documents);
            for (int i = 0; i < documents.size(); i += 3) {
              index.remove(documents.get(i).id());
            }
            assertTrue(held.values().containsAll(edges(index)));
            assertTrue(expanded(index).containsAll(held.values()));
          }
        });
  }

  @Test
  void badInputIsRefusedAndChangesNothing() {
    try (DedupIndex index = index()) {
      index.ingest(documents("a b", "c d"));
      Expect.refused(
          "documents",
          "\"x\"",
          "each id once in a run",
          () -> index.ingest(List.of(new Document("x", "a"), new Document("x", "b"))));
      Expect.refused(
          "sequence of \"y\"",
          "1",
          "at least 2",
          () -> index.ingest(List.of(new Document("y", "a", 1))));
      Expect.refused(
          "documents",
          "1 without a sequence",
          "all or none",
          () -> index.ingest(List.of(new Document("x", "a"), new Document("y", "b", 7))));
      Expect.refused("id", "\"\"", "a non-empty String", () -> new Document("", "a"));
      assertEquals(2, index.stats().chunks());
      assertEquals(1, index.runs().size());
      assertEquals(List.of(), index.remove("unknown"));
    }
    DedupIndex closed = index();
    closed.close();
    closed.close();
    assertThrows(IndexClosedException.class, () -> closed.ingest(documents("a")));
    assertThrows(IndexClosedException.class, () -> closed.edges().forEach(e -> {}));
  }

  @Test
  void aCancelledIngestKeepsWhatIsDoneAndCanGoOn() {
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < 9000; i++) {
      documents.add(new Document("d" + i, "text number " + i % 4500));
    }
    try (DedupIndex index = index();
        DedupIndex whole = index()) {
      assertThrows(
          CancellationException.class,
          () -> index.ingest(documents, (stage, done, total) -> done > 5000));
      assertEquals(4096, index.stats().chunks());
      RunReport r = index.ingest(documents);
      assertEquals(4096, r.counts().unchanged());
      whole.ingest(documents);
      assertEquals(edges(whole), edges(index));
      assertEquals(4500, edges(whole).size());
    }
  }

  @Test
  void readersSeeWholeRunsBesideAWriter() throws InterruptedException {
    String text = prose(1, 40);
    try (DedupIndex index = DedupIndex.inMemory(CONFIG.withThreads(2))) {
      Threads.run(
          4,
          t -> {
            for (int i = 0; i < 60; i++) {
              if (t == 0) {
                index.ingest(List.of(new Document("p" + i, text), new Document("q" + i, text)));
              } else {
                int n = index.canonicalMap().canonicalOf().size();
                assertTrue(n == 0 || n % 2 == 1, () -> "half a run: " + n);
                index.clusters().forEach(c -> assertEquals("p0", c.canonical()));
              }
            }
          });
      assertEquals(119, index.canonicalMap().canonicalOf().size());
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

package dev.petunia.dedup;

import static dev.petunia.dedup.Findings.CONFIG;
import static dev.petunia.dedup.Findings.documents;
import static dev.petunia.dedup.Findings.edges;
import static dev.petunia.dedup.Findings.expanded;
import static dev.petunia.dedup.Findings.index;
import static dev.petunia.dedup.Findings.prose;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.IndexClosedException;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.testing.Expect;
import dev.petunia.core.testing.Property;
import dev.petunia.core.testing.Threads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DedupIndexTest {
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
  void theSameRunTwiceIsOneRun() {
    List<Document> documents = documents(prose(1, 50), prose(1, 50), prose(2, 50));
    try (DedupIndex index = index();
        DedupIndex other = index()) {
      RunReport first = index.ingest(documents);
      List<String> edges = edges(index);
      RunReport again = index.ingest(documents.reversed());
      assertEquals(first.runId(), again.runId());
      assertEquals(
          new RunReport.Counts(3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0), again.counts(), "it did nothing");
      assertEquals(0, again.histogram().stream().mapToLong(n -> n).sum());
      assertEquals(List.of(), again.canonicalChanges());
      assertEquals(edges, edges(index));
      assertEquals(1, index.runs().size());
      assertEquals(26, first.runId().length());
      assertEquals(first.runId(), other.ingest(documents).runId());
      assertFalse(first.runId().equals(index.ingest(documents(prose(1, 50))).runId()));
    }
  }

  @Test
  void nullIdsAreRefusedByName() {
    try (DedupIndex index = index()) {
      String none = null;
      Expect.refused("id", "null", "a value", () -> index.contains(none));
      Expect.refused("id", "null", "a value", () -> index.shingles(none));
      Expect.refused("id", "null", "a value", () -> index.clusterOf(none));
      Expect.refused("chunkId", "null", "a value", () -> index.edges().edgesOf(none));
      Expect.refused("consumer", "null", "a value", () -> index.edges().forEach(null));
      Expect.refused("consumer", "null", "a value", () -> index.edges().forEachExpanded(null));
    }
  }

  @Test
  void sequenceNumbersLeaveRoomForLaterOnes() {
    long last = 1L << 62;
    Expect.refused(
        "sequence", "" + (last + 1), "-1 to " + last, () -> new Document("a", "b", last + 1));
    try (DedupIndex index = index()) {
      index.ingest(List.of(new Document("a", "a b", last)));
      index.ingest(documents("c d", "a b"));
      assertEquals(Map.of("t1", "a"), index.canonicalMap().canonicalOf());
    }
  }

  @Test
  void onlyTheLastReportsAreKeptButEveryEdgeNamesItsRun() {
    try (DedupIndex index = index()) {
      List<String> runs = new ArrayList<>();
      for (int i = 0; i < 150; i++) {
        runs.add(index.ingest(List.of(new Document("d" + i, "one two"))).runId());
      }
      assertEquals(150, index.stats().runs());
      assertEquals(runs.subList(50, 150), index.runs().stream().map(RunReport::runId).toList());
      List<String> found = new ArrayList<>();
      index.edges().forEach(e -> found.add(e.runId()));
      assertEquals(runs.subList(1, 150), found);
    }
  }
}

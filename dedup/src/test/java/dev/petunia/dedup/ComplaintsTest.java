package dev.petunia.dedup;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.testing.Property;
import java.text.Normalizer.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What users of other tools for near-duplicates complained of, each with its smallest input. Most
 * complaints are tests of other classes; here are those that need an index and fit nowhere else.
 */
class ComplaintsTest {
  private static final int TOKENS = 300;

  private static List<Document> documents(String... texts) {
    List<Document> out = new ArrayList<>();
    for (String t : texts) {
      out.add(new Document("t" + out.size(), t));
    }
    return out;
  }

  private static List<String> pairs(DedupIndex index) {
    List<String> out = new ArrayList<>();
    index.edges().forEach(e -> out.add(e.chunkA() + "~" + e.chunkB()));
    return out;
  }

  /** text-dedup 90: of a corpus in Arabic everything was removed, for no letter was a token. */
  @Test
  void textsOfOtherScriptsAreNotTheSameForLackOfLatinLetters() {
    List<Document> documents =
        documents(
            "هذا نص عربي قصير عن القطط والكلاب",
            "يكتب الطالب رسالة طويلة إلى معلمه اليوم",
            "זה טקסט קצר בעברית על חתולים וכלבים",
            "התלמיד כותב מכתב ארוך למורה שלו היום",
            "港口的早晨有很多船只驶向远方的岛屿",
            "学生今天给他的老师写了一封很长的信",
            "นักเรียนเขียนจดหมายถึงครู",
            "แมวและสุนัขอยู่ในบ้าน",
            "Это короткий русский текст о кошках и собаках",
            "Ученик сегодня пишет длинное письмо своему учителю",
            "고양이와 개에 관한 짧은 한국어 글 입니다",
            "학생은 오늘 선생님께 긴 편지를 쓰고 있다");
    try (DedupIndex index = DedupIndex.inMemory(DedupConfig.DEFAULT)) {
      RunReport r = index.ingest(documents);
      assertEquals(List.of(), pairs(index));
      assertEquals(0, r.counts().unshinglable());
      assertEquals(documents.size(), r.counts().newSets());
      for (Document d : documents) {
        assertTrue(index.shingles(d.id()).orElseThrow().size() >= 2, d.text());
      }
    }
  }

  /** remnic 2359: a text in decomposed letters was another text. */
  @Test
  void decomposedLettersMakeANearDuplicateThatIsNoExactOne() {
    String composed = "Café au lait à la crème brûlée";
    String decomposed = java.text.Normalizer.normalize(composed, Form.NFD);
    try (DedupIndex index = DedupIndex.inMemory(DedupConfig.DEFAULT)) {
      index.ingest(documents(composed, decomposed));
      Edge e = index.edges().edgesOf("t0").getFirst();
      assertEquals(1.0, e.jaccard());
      assertEquals(EdgeMethod.MINHASH_VERIFIED, e.method());
    }
  }

  /** text-dedup 17: lines of a template were merged. */
  @Test
  void linesOfATemplateAreNoEdge() {
    List<Document> documents =
        documents(
            "Farm to Market Road 1506 (FM 1506) is a road in Texas.",
            "Farm to Market Road 1507 (FM 1507) is a road in Texas.");
    Map<String, String> texts =
        documents.stream().collect(Collectors.toMap(Document::id, Document::text));
    try (DedupIndex index = DedupIndex.inMemory(DedupConfig.DEFAULT)) {
      index.ingest(documents);
      assertEquals(List.of(), pairs(index));
      assertEquals(new Overlap(1, 15), index.explain("t0", "t1", texts::get).overlap());
    }
  }

  /** text-dedup 129: of some clusters all members were deleted. */
  @Test
  void oneOfEachClusterStaysAndAViewDeletesNothing() {
    Property.check(
        "one of each cluster stays",
        30,
        Texts.corpus(10, 80),
        documents -> {
          try (DedupIndex index = DedupIndex.inMemory(DedupConfig.DEFAULT)) {
            index.ingest(documents);
            DedupStats before = index.stats();
            Map<String, String> out =
                index.view(PromotionPolicy.ONE_PER_CLUSTER, id -> null).canonicalOf();
            int members = 0;
            for (Cluster c : index.clusters()) {
              members += c.members().size();
              assertFalse(out.containsKey(c.canonical()));
              assertEquals(
                  c.members().size() - 1,
                  out.values().stream().filter(c.canonical()::equals).count());
            }
            assertEquals(members - index.clusters().size(), out.size());
            assertEquals(before, index.stats());
            documents.forEach(d -> assertTrue(index.contains(d.id())));
          }
        });
  }

  /** text-dedup 132: pairs that were verified came into the clusters of the candidates. */
  @Test
  void candidatesThatFailTheComparisonDontJoinClusters() {
    List<String> words = Texts.words(new SplittableRandom(6), TOKENS, 100_000);
    List<String> similar = new ArrayList<>(words);
    for (int i = 40; i < TOKENS; i += 50) {
      similar.set(i, "other" + i);
    }
    String one = String.join(" ", words);
    String two = String.join(" ", similar);
    List<Document> documents = documents(one, two, one + " end", two + " end");
    Map<String, String> texts =
        documents.stream().collect(Collectors.toMap(Document::id, Document::text));
    try (DedupIndex index = DedupIndex.inMemory(DedupConfig.DEFAULT)) {
      index.ingest(documents);
      // the bands nominate across the two clusters, or this would show nothing
      for (String[] across : new String[][] {{"t0", "t1"}, {"t0", "t3"}, {"t2", "t3"}}) {
        Explanation e = index.explain(across[0], across[1], texts::get);
        assertTrue(e.isNominated() && !e.overlap().isAtLeast(9, 10), e::toString);
        assertTrue(e.canonical().isEmpty());
      }
      assertEquals(List.of("t0~t2", "t1~t3"), pairs(index));
      assertEquals(Map.of("t2", "t0", "t3", "t1"), index.canonicalMap().canonicalOf());
    }
  }

  /** So many minima of two signatures are equal. */
  private static double estimate(String a, String b) {
    MinHash minHash = new MinHash(LshParameters.DEFAULT);
    int[] x = new int[minHash.size()];
    int[] y = new int[minHash.size()];
    minHash.signature(Shingler.v1().shingles(a).hashes(), x);
    minHash.signature(Shingler.v1().shingles(b).hashes(), y);
    int equal = 0;
    for (int i = 0; i < x.length; i++) {
      equal += x[i] == y[i] ? 1 : 0;
    }
    return (double) equal / x.length;
  }

  /** dupey 11: the estimate decided, and near the threshold it was wrong in both directions. */
  @Test
  void edgesAreDecidedByExactNumbersWhereTheEstimateErrs() {
    List<Document> documents = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    int estimatedTooLow = 0;
    int estimatedTooHigh = 0;
    for (int i = 0; i < 60; i++) {
      List<String> words = Texts.words(new SplittableRandom(100 + i), 220, 1_000_000);
      boolean isEdge = i % 2 == 0;
      // of 200 shingles each: 189 of 210 is 0.9, 188 of 209 a little less
      int cut = isEdge ? 11 : 12;
      String a = String.join(" ", words.subList(0, 204));
      String b = String.join(" ", words.subList(cut, isEdge ? 214 : 213));
      documents.add(new Document("a" + i, a));
      documents.add(new Document("b" + i, b));
      Overlap o = Shingler.v1().shingles(a).overlap(Shingler.v1().shingles(b));
      assertEquals(isEdge ? new Overlap(189, 210) : new Overlap(188, 209), o);
      double estimate = estimate(a, b);
      estimatedTooLow += isEdge && estimate < 0.9 ? 1 : 0;
      estimatedTooHigh += !isEdge && estimate >= 0.9 ? 1 : 0;
      if (isEdge) {
        expected.add("a" + i + "~b" + i);
      }
    }
    assertTrue(estimatedTooLow > 5, "only " + estimatedTooLow);
    assertTrue(estimatedTooHigh > 5, "only " + estimatedTooHigh);
    try (DedupIndex index = DedupIndex.inMemory(DedupConfig.DEFAULT)) {
      index.ingest(documents);
      assertEquals(expected.stream().sorted().toList(), pairs(index).stream().sorted().toList());
    }
  }

  /** datasketch 151, 154: one text more meant to do all anew, and none could be taken out. */
  @Test
  void oneTextMoreOrLessIsNoWorkForTheOthers() {
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      documents.add(
          new Document("d" + i, String.join(" ", Texts.words(new SplittableRandom(i), 40, 9_000))));
    }
    try (DedupIndex index = DedupIndex.inMemory(DedupConfig.DEFAULT)) {
      index.ingest(documents);
      DedupStats before = index.stats();
      RunReport r = index.ingest(List.of(new Document("new", documents.get(7).text() + " end")));
      assertEquals(1, r.counts().newSets());
      assertEquals(1, r.counts().candidates());
      assertEquals(List.of("d7~new"), pairs(index));
      index.remove("new");
      DedupStats after = index.stats();
      assertEquals(List.of(), pairs(index));
      assertEquals(before.chunks(), after.chunks());
      assertEquals(1, after.removed()); // a mark, until the index is made anew
      assertEquals(before.sets() + 1, after.sets());
    }
  }

  /** PMTiles 20: 64 bits were taken for the content itself. */
  @Test
  void equalHashesOfDifferentSetsOrTextsAreNoIdentity() {
    State state = new State();
    Sets sets = new Sets(state);
    long[][] different = {{1, 2, 3}, {1, 2, 4}};
    for (long[] set : different) {
      assertEquals(State.NONE, state.findGroup(77, set, sets));
      state.addGroup(77, set.length, set.length, Sets.sum(set));
      sets.add(set);
    }
    for (int g = 0; g < different.length; g++) {
      assertEquals(g, state.findGroup(77, different[g], sets));
      assertArrayEquals(different[g], sets.set(g));
    }
    assertEquals(State.NONE, state.findGroup(77, new long[] {1, 2}, sets));
    byte[] sha = Prepared.sha256("a text");
    byte[] tail = sha.clone();
    tail[31] ^= 1; // the first 64 bits, by which texts are looked up, are equal
    assertNotEquals(sha[31], tail[31]);
    state.addDoc("first", 0, 0, 0, sha);
    state.addDoc("other", 1, 1, 0, tail);
    state.addDoc("again", 2, 0, 0, sha.clone());
    assertEquals(State.NONE, state.earlierTwin(0));
    assertEquals(State.NONE, state.earlierTwin(1));
    assertEquals(0, state.earlierTwin(2));
  }
}

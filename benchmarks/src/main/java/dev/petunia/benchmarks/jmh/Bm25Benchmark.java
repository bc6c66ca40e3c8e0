package dev.petunia.benchmarks.jmh;

import dev.petunia.core.Chunk;
import dev.petunia.core.Filter;
import dev.petunia.lexical.LexicalConfig;
import dev.petunia.lexical.LexicalHit;
import dev.petunia.lexical.LexicalIndex;
import dev.petunia.lexical.LexicalQuery;
import dev.petunia.lexical.RareTermCandidates;
import dev.petunia.lexical.RareTermOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Questions of eight words to 10,000 chunks of 30 to 90 words. The hits are compared with BM25 as
 * its formula says, computed over all chunks.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up
public abstract class Bm25Benchmark {
  private static final int N = 10_000;
  private static final int QUERIES = 256;
  private static final int CHECKED = 20;

  /** Lucene stores the length of a text in one byte, so order near the last place can differ. */
  private static final double FLOOR = 0.9;

  private LexicalIndex index;
  private List<Map<String, Integer>> counts;
  private LexicalQuery[] plain;
  private LexicalQuery[] filtered;
  private LexicalQuery[] rare;
  private int next;

  /** With the vector module, which Lucene uses to unpack postings. */
  @Fork(
      value = 1,
      jvmArgsAppend = {Forks.VECTOR_MODULE, Forks.HEAP, Forks.NATIVE})
  public static class Simd extends Bm25Benchmark {}

  /** Without it. */
  @Fork(
      value = 1,
      jvmArgsAppend = {Forks.HEAP, Forks.NATIVE})
  public static class Scalar extends Bm25Benchmark {}

  /** Indexes the texts and compares with the formula. */
  @Setup
  public void setUp() {
    Texts source = new Texts(1);
    List<String> texts = source.texts(N, 30, 90);
    index = LexicalIndex.inMemory(LexicalConfig.defaults());
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < N; i++) {
      chunks.add(
          new Chunk("id" + i, "entry" + i / 10, i % 10, texts.get(i), Map.of("ten", i % 10)));
    }
    index.upsert(chunks);
    index.refresh();
    counts = counts(texts);
    plain = new LexicalQuery[QUERIES];
    filtered = new LexicalQuery[QUERIES];
    rare = new LexicalQuery[QUERIES];
    for (int q = 0; q < QUERIES; q++) {
      String text = source.text(8);
      plain[q] = LexicalQuery.builder(text).limit(10).build();
      filtered[q] = LexicalQuery.builder(text).filter(Filter.lt("ten", 3)).limit(10).build();
      rare[q] = LexicalQuery.builder(text).limit(RareTermCandidates.DEFAULT_LIMIT).build();
    }
    check();
  }

  private List<Map<String, Integer>> counts(List<String> texts) {
    Map<String, List<String>> terms = new HashMap<>(); // a word's terms, as the index makes them
    List<Map<String, Integer>> out = new ArrayList<>();
    for (String text : texts) {
      Map<String, Integer> count = new HashMap<>();
      for (String word : text.split(" ")) {
        for (String term : terms.computeIfAbsent(word, index::analyze)) {
          count.merge(term, 1, Integer::sum);
        }
      }
      out.add(count);
    }
    return out;
  }

  private void check() {
    double right = 0;
    double rightFiltered = 0;
    for (int q = 0; q < CHECKED; q++) {
      right += overlap(best(plain[q].text(), 10), index.search(plain[q]));
      rightFiltered += overlap(best(filtered[q].text(), 3), index.search(filtered[q]));
      for (RareTermCandidates.RareTermHit hit : rareTerms(rare[q]).hits()) {
        Map<String, Integer> count = counts.get(Integer.parseInt(hit.id().substring(2)));
        Forks.require(
            rareTerms(rare[q]).terms().stream().anyMatch(t -> count.containsKey(t.term())),
            hit.id() + " holds no rare term");
      }
    }
    Forks.require(right / CHECKED >= FLOOR, "plain BM25 agrees in " + right / CHECKED);
    Forks.require(
        rightFiltered / CHECKED >= FLOOR, "filtered agrees in " + rightFiltered / CHECKED);
  }

  private static double overlap(Set<String> right, List<LexicalHit> hits) {
    return (double) hits.stream().filter(h -> right.contains(h.id())).count() / right.size();
  }

  /** The ten best chunks with {@code id % 10 < tens}: Robertson and Zaragoza 2009, §3.5. */
  private Set<String> best(String query, int tens) {
    double k1 = index.config().k1();
    double b = index.config().b();
    double mean = counts.stream().mapToInt(Bm25Benchmark::length).average().orElseThrow();
    double[] scores = new double[N];
    for (String term : index.analyze(query)) {
      long df = counts.stream().filter(c -> c.containsKey(term)).count();
      double idf = Math.log(1 + (N - df + 0.5) / (df + 0.5));
      for (int i = 0; i < N; i++) {
        int tf = counts.get(i).getOrDefault(term, 0);
        scores[i] += idf * tf / (tf + k1 * (1 - b + b * length(counts.get(i)) / mean));
      }
    }
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < N; i++) {
      if (i % 10 < tens && scores[i] > 0) {
        order.add(i);
      }
    }
    order.sort(Comparator.comparingDouble(i -> -scores[i]));
    Set<String> out = new HashSet<>();
    order.stream().limit(10).forEach(i -> out.add("id" + i));
    return out;
  }

  private static int length(Map<String, Integer> count) {
    return count.values().stream().mapToInt(i -> i).sum();
  }

  private RareTermCandidates rareTerms(LexicalQuery query) {
    return index.rareTermCandidates(query, RareTermOptions.DEFAULT);
  }

  private int next() {
    next = (next + 1) % QUERIES;
    return next;
  }

  /** Closes the index. */
  @TearDown
  public void tearDown() {
    index.close();
  }

  /** The ten best. */
  @Benchmark
  public List<LexicalHit> search() {
    return index.search(plain[next()]);
  }

  /** The ten best of the three in ten that pass a filter. */
  @Benchmark
  public List<LexicalHit> searchFiltered() {
    return index.search(filtered[next()]);
  }

  /** Up to 64 chunks that hold a rare term. */
  @Benchmark
  public RareTermCandidates rareTerms() {
    return rareTerms(rare[next()]);
  }
}

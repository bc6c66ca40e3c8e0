package dev.petunia.benchmarks.dedup;

import com.dynatrace.hash4j.hashing.Hashing;
import com.dynatrace.hash4j.similarity.ElementHashProvider;
import com.dynatrace.hash4j.similarity.SimilarityHasher;
import com.dynatrace.hash4j.similarity.SimilarityHashing;
import dev.petunia.dedup.Normalizer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * One comparison: very short texts with one token replaced, by SimHash with 64 bits (Charikar 2002,
 * hash4j's) and by Jaccard of single tokens. What 5-shingles make of them stands beside it.
 */
final class SimHashPart implements DedupPart {
  private static final int[] LENGTHS = {8, 12, 20, 40};
  private static final int[] DISTANCES = {3, 8};

  private final SimilarityHasher hasher = SimilarityHashing.simHash(64).createHasher();

  @Override
  public String name() {
    return "simhash";
  }

  @Override
  public void run(DedupContext c) throws IOException {
    List<List<String>> all = new ArrayList<>();
    for (String text : c.corpora().longer().texts()) {
      List<String> tokens = Normalizer.v1().normalize(text).tokens();
      if (tokens.size() >= LENGTHS[LENGTHS.length - 1]) {
        all.add(tokens);
      }
    }
    int count = c.isQuick() ? 200 : 1000;
    c.print(
        "%nvery short texts: %d of each length, one token replaced; and all pairs of different"
            + " ones%n  %6s %10s | %8s %8s %10s | random pairs: %8s %8s %10s, %s%n",
        count,
        "tokens",
        "mean J5",
        "SH <= 3",
        "SH <= 8",
        "J1 >= .80",
        "SH <= 3",
        "SH <= 8",
        "J1 >= .80",
        "of SH <= 8 with J1 < .5");
    for (int length : LENGTHS) {
      measure(c, all, length, count);
    }
  }

  private void measure(DedupContext c, List<List<String>> all, int length, int count) {
    SplittableRandom random = new SplittableRandom(length);
    List<List<String>> texts = new ArrayList<>();
    Set<List<String>> seen = new HashSet<>();
    for (int tries = 0; texts.size() < count && tries < 100 * count; tries++) {
      List<String> from = all.get(random.nextInt(all.size()));
      int at = random.nextInt(from.size() - length + 1);
      List<String> text = from.subList(at, at + length);
      if (seen.add(text)) {
        texts.add(text);
      }
    }
    long[] hashes = new long[texts.size()];
    double j5 = 0;
    int[] caught = new int[3];
    for (int i = 0; i < hashes.length; i++) {
      List<String> text = texts.get(i);
      List<String> edited = new ArrayList<>(text);
      int at = random.nextInt(length);
      while (edited.get(at).equals(text.get(at))) {
        List<String> other = all.get(random.nextInt(all.size()));
        edited.set(at, other.get(random.nextInt(other.size())));
      }
      hashes[i] = simHash(text);
      int distance = Long.bitCount(hashes[i] ^ simHash(edited));
      caught[0] += distance <= DISTANCES[0] ? 1 : 0;
      caught[1] += distance <= DISTANCES[1] ? 1 : 0;
      caught[2] += isAtLeast(shared(text, edited, 1), 8) ? 1 : 0;
      int[] five = shared(text, edited, 5);
      j5 += (double) five[0] / five[1];
    }
    int[] random3 = new int[4];
    long pairs = 0;
    for (int i = 0; i < hashes.length; i++) {
      for (int j = 0; j < i; j++) {
        pairs++;
        int[] one = shared(texts.get(i), texts.get(j), 1);
        int distance = Long.bitCount(hashes[i] ^ hashes[j]);
        random3[0] += distance <= DISTANCES[0] ? 1 : 0;
        random3[1] += distance <= DISTANCES[1] ? 1 : 0;
        random3[2] += isAtLeast(one, 8) ? 1 : 0;
        random3[3] += distance <= DISTANCES[1] && !isAtLeast(one, 5) ? 1 : 0;
      }
    }
    double n = hashes.length;
    c.print(
        "  %6d %10.3f | %8.3f %8.3f %10.3f | of %,10d: %8d %8d %10d, %d%n",
        length,
        j5 / n,
        caught[0] / n,
        caught[1] / n,
        caught[2] / n,
        pairs,
        random3[0],
        random3[1],
        random3[2],
        random3[3]);
    c.add("simhash.tokens" + length + ".caught_at_3", caught[0] / n, "ratio");
    c.add("simhash.tokens" + length + ".caught_at_8", caught[1] / n, "ratio");
    c.add("simhash.tokens" + length + ".caught_by_j1", caught[2] / n, "ratio");
  }

  private long simHash(List<String> tokens) {
    long[] elements = tokens.stream().mapToLong(Hashing.xxh3_64()::hashCharsToLong).toArray();
    return ByteBuffer.wrap(hasher.compute(ElementHashProvider.ofValues(elements))).getLong();
  }

  private static boolean isAtLeast(int[] interAndUnion, int tenths) {
    return 10 * interAndUnion[0] >= tenths * interAndUnion[1];
  }

  /** Intersection and union of the sets of runs of {@code width} tokens. */
  private static int[] shared(List<String> a, List<String> b, int width) {
    Set<List<String>> x = new HashSet<>();
    Set<List<String>> y = new HashSet<>();
    for (int i = 0; i + width <= a.size(); i++) {
      x.add(a.subList(i, i + width));
      y.add(b.subList(i, i + width));
    }
    int inter = 0;
    for (List<String> s : x) {
      inter += y.contains(s) ? 1 : 0;
    }
    return new int[] {inter, x.size() + y.size() - inter};
  }
}

package dev.petunia.benchmarks.dedup;

import com.dynatrace.hash4j.similarity.ElementHashProvider;
import com.dynatrace.hash4j.similarity.SimilarityHashPolicy;
import com.dynatrace.hash4j.similarity.SimilarityHasher;
import com.dynatrace.hash4j.similarity.SimilarityHashing;
import dev.petunia.dedup.SetAccess;
import info.debatty.java.lsh.MinHash;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The library and its peers, each with signatures of 126 minima of 32 bits. */
final class Contestants {
  private static final int BITS = 32;
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private Contestants() {}

  static Contestant petunia() {
    return new Contestant() {
      private final int[] signature = new int[SetAccess.size()];

      @Override
      public String name() {
        return "petunia";
      }

      @Override
      public int sign(long[] set) {
        SetAccess.signature(set, signature);
        return signature[0];
      }

      @Override
      public int[] of(long[] set) {
        return SetAccess.keys(set);
      }
    };
  }

  /** hash4j in both families, in their newest public versions. */
  static List<Contestant> hash4j() {
    int k = SetAccess.size();
    return List.of(
        hash4j("hash4j 0.31 MinHash", SimilarityHashing.minHash(k, BITS)),
        hash4j("hash4j 0.31 SuperMinHash", SimilarityHashing.superMinHash(k, BITS)));
  }

  private static Contestant hash4j(String name, SimilarityHashPolicy policy) {
    SimilarityHasher hasher = policy.createHasher();
    return new Contestant() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public int sign(long[] set) {
        return hasher.compute(ElementHashProvider.ofValues(set))[0];
      }

      @Override
      public int[] of(long[] set) {
        byte[] packed = hasher.compute(ElementHashProvider.ofValues(set));
        int[] signature = new int[SetAccess.size()];
        for (int i = 0; i < signature.length; i++) {
          signature[i] = (int) INT.get(packed, 4 * i);
        }
        return SetAccess.keysOf(signature);
      }
    };
  }

  /**
   * java-LSH wants a dictionary and sets of numbers in it. Its LSHMinHash takes arrays of a boolean
   * for each word of the dictionary and cuts signatures into stages; here its MinHash takes the
   * sets, which is quicker, and the bands are those of all.
   */
  static Contestant javaLsh() {
    return new Contestant() {
      private final Map<long[], Set<Integer>> numbered = new IdentityHashMap<>();
      private MinHash hash = new MinHash(SetAccess.size(), 1, 1L);

      @Override
      public String name() {
        return "java-LSH 0.12";
      }

      @Override
      public void prepare(List<long[]> sets) {
        Map<Long, Integer> dictionary = new HashMap<>();
        numbered.clear();
        for (long[] set : sets) {
          Set<Integer> numbers = HashSet.newHashSet(set.length);
          for (long x : set) {
            numbers.add(dictionary.computeIfAbsent(x, key -> dictionary.size()));
          }
          numbered.put(set, numbers);
        }
        hash = new MinHash(SetAccess.size(), dictionary.size(), 1L);
      }

      private int[] signature(long[] set) {
        Set<Integer> numbers = numbered.get(set);
        if (numbers == null) {
          throw new IllegalStateException("a set that was not prepared");
        }
        return hash.signature(numbers);
      }

      @Override
      public int sign(long[] set) {
        return signature(set)[0];
      }

      @Override
      public int[] of(long[] set) {
        return SetAccess.keysOf(signature(set));
      }
    };
  }
}

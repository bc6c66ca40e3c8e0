package dev.petunia.core.testing;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Numbers, texts, ids, lists. Ends of ranges and small sizes come more often than by chance. */
public final class Generators {
  /** First code point and number of code points of some blocks, with what makes each one hard. */
  private static final int[][] BLOCKS = {
    {'a', 26},
    {'A', 26},
    {'0', 10},
    {' ', 16}, // space, quotes and signs that mean something to query parsers
    {0xC0, 64}, // Latin with accents
    {0x300, 32}, // combining marks, also at the start of a text
    {0x391, 17}, // Greek
    {0x5D0, 20}, // Hebrew
    {0x621, 26}, // Arabic
    {0x4E00, 400}, // Chinese
    {0xAC00, 100}, // Hangul
    {0xE000, 8}, // private use, and the next two: above the surrogates in UTF-16, below in UTF-8
    {0xFB00, 7}, // ligatures
    {0xFFFA, 6}, // the last of the basic plane, noncharacters included
    {0x10000, 8}, // the first surrogate pairs
    {0x1F300, 200}, // emoji
    {0x200B, 5}, // zero width, joiners and direction marks
    {0x10FFFA, 6}, // the last code points
    {0, 32}, // controls
  };

  private static final List<String> WORDS =
      List.of(
          "petunia",
          "whale",
          "river",
          "stone",
          "map",
          "index",
          "query",
          "vector",
          "graph",
          "beam",
          "seed",
          "turn",
          "question",
          "answer",
          "the",
          "a",
          "of",
          "and",
          "not",
          "über",
          "naïve",
          "слово",
          "词",
          "كلمة",
          "🐳",
          "e\u0301tude",
          "x86",
          "C++",
          "3.14",
          "don't");

  private Generators() {}

  /** Always the same value. */
  public static <T> Generator<T> constant(T value) {
    return random -> value;
  }

  /** One of these values. */
  @SafeVarargs
  public static <T> Generator<T> oneOf(T... values) {
    return random -> values[random.nextInt(values.length)];
  }

  /** A value of one of these generators. */
  @SafeVarargs
  public static <T> Generator<T> anyOf(Generator<? extends T>... generators) {
    return random -> generators[random.nextInt(generators.length)].generate(random);
  }

  /** {@code min} to {@code max}, both included; each end in one case of ten. */
  public static Generator<Integer> ints(int min, int max) {
    return new Generator<>() {
      @Override
      public Integer generate(RandomGenerator random) {
        return switch (random.nextInt(10)) {
          case 0 -> min;
          case 1 -> max;
          default -> (int) random.nextLong(min, max + 1L);
        };
      }

      @Override
      public Iterable<Integer> smaller(Integer value) {
        List<Integer> out = new ArrayList<>();
        for (long cut = (long) value - min; cut > 0; cut /= 2) {
          out.add((int) (value - cut));
        }
        return out;
      }
    };
  }

  /** Any long; often a small one, or one at the ends of long, int or what a double holds. */
  public static Generator<Long> longs() {
    return random ->
        switch (random.nextInt(6)) {
          case 0 -> random.nextLong();
          case 1 -> edge(random) + random.nextInt(-2, 3);
          default -> (long) random.nextInt(-5, 6);
        };
  }

  private static long edge(RandomGenerator random) {
    long[] edges = {
      0, Long.MIN_VALUE, Long.MAX_VALUE, Integer.MIN_VALUE, Integer.MAX_VALUE, 1L << 53, -(1L << 53)
    };
    return edges[random.nextInt(edges.length)];
  }

  /** Any finite double; often a whole one, one at the ends, a half, or −0.0. */
  public static Generator<Double> doubles() {
    double[] edges = {
      0.0,
      -0.0,
      Double.MIN_VALUE,
      -Double.MIN_VALUE,
      Double.MAX_VALUE,
      -Double.MAX_VALUE,
      0x1p53,
      0x1p63,
      -0x1p63,
      0.1,
      0.5
    };
    return random ->
        switch (random.nextInt(6)) {
          case 0 -> finite(random);
          case 1 -> edges[random.nextInt(edges.length)];
          case 2 -> (double) edge(random);
          default -> random.nextInt(-10, 11) / 2.0;
        };
  }

  private static double finite(RandomGenerator random) {
    while (true) {
      double d = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(d)) {
        return d;
      }
    }
  }

  /**
   * Valid text of 0 to {@code maxCodePoints} code points from many scripts: combining marks, right
   * to left, surrogate pairs, controls, U+E000 and up.
   */
  public static Generator<String> text(int maxCodePoints) {
    return strings(0, maxCodePoints);
  }

  /** An id: as {@link #text}, 1 to 12 code points, short more often than long. */
  public static Generator<String> id() {
    return strings(1, 12);
  }

  /** {@code count} distinct ids in no order. */
  public static Generator<List<String>> distinctIds(int count) {
    Generator<String> id = id();
    return random -> {
      Set<String> ids = new LinkedHashSet<>();
      while (ids.size() < count) {
        // longer ids as it goes on, so that it ends whatever the count
        ids.add(ids.size() % 4 == 3 ? id.generate(random) + ids.size() : id.generate(random));
      }
      return new ArrayList<>(ids);
    };
  }

  private static Generator<String> strings(int min, int max) {
    return new Generator<>() {
      @Override
      public String generate(RandomGenerator random) {
        int length = size(random, min, max);
        int[] block = BLOCKS[random.nextInt(BLOCKS.length)];
        boolean mixed = random.nextInt(3) == 0;
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < length; i++) {
          int[] b = mixed ? BLOCKS[random.nextInt(BLOCKS.length)] : block;
          out.appendCodePoint(b[0] + random.nextInt(b[1]));
        }
        return out.toString();
      }

      @Override
      public Iterable<String> smaller(String value) {
        int[] points = value.codePoints().toArray();
        List<String> out = new ArrayList<>();
        for (int length : new int[] {min, points.length / 2, points.length - 1}) {
          if (length >= min && length < points.length) {
            out.add(new String(points, 0, length));
            out.add(new String(points, points.length - length, length));
          }
        }
        return out;
      }
    };
  }

  /** Prose: 0 to {@code maxWords} of 30 words of several scripts, so that texts share terms. */
  public static Generator<String> prose(int maxWords) {
    return random -> {
      int n = size(random, 0, maxWords);
      StringBuilder out = new StringBuilder();
      for (int i = 0; i < n; i++) {
        // the first words of the list far more often than the last, as in language
        int w = (int) (WORDS.size() * Math.pow(random.nextDouble(), 3));
        out.append(i == 0 ? "" : random.nextInt(8) == 0 ? ". " : " ").append(WORDS.get(w));
      }
      return out.toString();
    };
  }

  /** Text that is not valid: an unpaired surrogate somewhere in valid text. */
  public static Generator<String> illFormedText() {
    Generator<String> text = text(6);
    return random -> {
      String high = String.valueOf((char) (0xD800 + random.nextInt(0x400)));
      String low = String.valueOf((char) (0xDC00 + random.nextInt(0x400)));
      String lone = random.nextBoolean() ? high : low + high;
      return text.generate(random) + lone + text.generate(random);
    };
  }

  /** {@code min} to {@code max} values; shrinks by taking out and by shrinking elements. */
  public static <T> Generator<List<T>> listOf(Generator<T> element, int min, int max) {
    return new Generator<>() {
      @Override
      public List<T> generate(RandomGenerator random) {
        int n = size(random, min, max);
        List<T> out = new ArrayList<>(n);
        for (int i = 0; i < n; i++) {
          out.add(element.generate(random));
        }
        return out;
      }

      @Override
      public Iterable<List<T>> smaller(List<T> value) {
        return smallerLists(value, min, element);
      }
    };
  }

  /** Lists with a half, a quarter, ... one element taken out, then with one element shrunk. */
  static <T> List<List<T>> smallerLists(List<T> value, int min, Generator<T> element) {
    List<List<T>> out = new ArrayList<>();
    int n = value.size();
    for (int cut = n - min; cut >= 1; cut /= 2) {
      for (int from = 0; from + cut <= n; from += cut) {
        List<T> rest = new ArrayList<>(value.subList(0, from));
        rest.addAll(value.subList(from + cut, n));
        out.add(rest);
      }
    }
    for (int i = 0; i < n; i++) {
      for (T less : element.smaller(value.get(i))) {
        List<T> changed = new ArrayList<>(value);
        changed.set(i, less);
        out.add(changed);
      }
    }
    return out;
  }

  /** A size: the least in one case of ten, the most in one of twenty, else small more often. */
  public static int size(RandomGenerator random, int min, int max) {
    return switch (random.nextInt(20)) {
      case 0, 1 -> min;
      case 2 -> max;
      default -> {
        double r = random.nextDouble();
        yield min + (int) (r * r * (max - min + 1L));
      }
    };
  }
}

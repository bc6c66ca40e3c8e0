package dev.petunia.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.testing.Expect;
import dev.petunia.core.testing.Generators;
import dev.petunia.core.testing.Property;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ShinglesTest {
  private static ShingleSet of(String text) {
    return Shingler.v1().shingles(text);
  }

  /** From hash4j 0.31's XXH3-64, which agreed on all lengths from 0 to 4,999. */
  private static final String XXH3 =
      "0:2d06800538d394c2,1:e12ef9d2eb86ceeb,2:1526811c52b5cfc0,3:b2b06c45ef888ef4,"
          + "4:8b806c96ec81f796,5:988e18b6a13077ac,8:65d8b6bd6573b7b0,9:b5f2eed243ec7bcb,"
          + "16:49d5450d8a85f113,17:8d676ab55fd41af7,32:6dbdae88dae0d09c,33:40625e2b1ae2531c,"
          + "64:126d7b47cbb1d0f0,65:9b8972aa39b25570,128:50abcbca6bb1912f,129:94874e014aad8e2d,"
          + "144:2eefb7668453bd72,240:7e145804a9f93009,241:31c2d8792b29abb5,256:cdd3578b9df45e59,"
          + "1024:4986ea1c273817c6,1025:8bccc0d0cd347025,1088:4a71b8b3d27162ab,"
          + "2049:cbc615c43d02f122,5000:af1785bf5fefc92c";

  @Test
  void tokenHashesAreXxh3OfEveryLengthClass() {
    for (String golden : XXH3.split(",", -1)) {
      String[] g = golden.split(":", -1);
      int n = Integer.parseInt(g[0]);
      byte[] b = new byte[n + 3];
      for (int i = 0; i < n; i++) {
        b[i + 2] = (byte) (i * 31 + n);
      }
      assertEquals(Long.parseUnsignedLong(g[1], 16), Xxh3.hash(b, 2, n), () -> n + " bytes");
    }
  }

  @Test
  void aTextShorterThanAShingleIsOneOfItsOwn() {
    assertEquals(1, of("cat").size());
    assertEquals(1.0, of("cat").overlap(of("Cat!")).jaccard());
    assertEquals(0.0, of("cat").overlap(of("dog")).jaccard());
    assertEquals(0.0, of("a b c d").overlap(of("a b c d e")).jaccard());
    assertEquals(0.0, of("a b c").overlap(of("a b c c")).jaccard());
  }

  @Test
  void anEmptyTextIsSimilarToNothing() {
    assertTrue(of("").isEmpty());
    assertTrue(of(" \n--- 🙂").isEmpty());
    assertEquals(0.0, of("").overlap(of("")).jaccard());
    assertFalse(of("").overlap(of("")).isAtLeast(0, 1));
  }

  @Test
  void templateLinesThatDifferInANumberShareLittle() {
    Overlap o =
        of("Farm to Market Road 1506 (FM 1506) is a road in Texas.")
            .overlap(of("Farm to Market Road 1507 (FM 1507) is a road in Texas."));
    assertTrue(o.jaccard() < 0.15, () -> o.toString());
  }

  @Test
  void operatorsDontCountAsTokens() {
    assertEquals(
        1.0, of("if (x < limit) return a+b;").overlap(of("if (x > limit) return a-b;")).jaccard());
  }

  @Test
  void theHashesNeverChange() {
    long[] h = of("The quick brown fox jumps over the lazy dog").hashes();
    assertEquals(5, h.length);
    assertEquals(
        "48c5a2326c851ecbeff00c72a75ef2df491e8156ea2ded64d198c54b7c7ec9ac",
        Resources.sha256(of("The quick brown fox jumps over the lazy dog").toBytes()));
    assertEquals("d5acf23c9496b5dd", Long.toHexString(of("fox").hashes()[0]));
  }

  @Test
  void setsAreSortedDistinctAndTheShinglesOfTheTokens() {
    Property.check(
        "sets are the distinct shingles of the tokens",
        300,
        Generators.prose(80),
        text -> {
          List<String> tokens = Normalizer.v1().normalize(text).tokens();
          Set<List<String>> windows = new HashSet<>();
          for (int i = 0; i + 5 <= tokens.size(); i++) {
            windows.add(tokens.subList(i, i + 5));
          }
          long[] h = of(text).hashes();
          int expected = tokens.isEmpty() ? 0 : Math.max(1, windows.size());
          assertEquals(expected, h.length);
          for (int i = 1; i < h.length; i++) {
            assertTrue(Long.compareUnsigned(h[i - 1], h[i]) < 0);
          }
          assertEquals(of(text), ShingleSet.fromBytes(of(text).toBytes()));
        });
  }

  @Test
  void damagedBytesAreRefusedByField() {
    byte[] good = of("one two three four five six seven eight").toBytes();
    Expect.refused("bytes", "15 bytes", "at least 16", () -> ShingleSet.fromBytes(new byte[15]));
    Expect.refused("bytes.version", "0", "1 or more", () -> ShingleSet.fromBytes(with(good, 0, 0)));
    Expect.refused("bytes.flags", "7", "0", () -> ShingleSet.fromBytes(with(good, 4, 7)));
    Expect.refused("bytes.count", "9", "4", () -> ShingleSet.fromBytes(with(good, 8, 9)));
    Expect.refused(
        "bytes.tokens",
        "3",
        "at least the count, 4",
        () -> ShingleSet.fromBytes(with(good, 12, 3)));
    byte[] twice = good.clone();
    System.arraycopy(twice, 16, twice, 24, 8);
    Expect.refused(
        "bytes.hashes[1]", "", "more than the one before", () -> ShingleSet.fromBytes(twice));
  }

  private static byte[] with(byte[] bytes, int at, int value) {
    byte[] b = bytes.clone();
    ByteBuffer.wrap(b).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
    return b;
  }

  @Test
  void setsOfAnotherVersionAreNotCompared() {
    ShingleSet mine = of("a b c d e f");
    ShingleSet other = ShingleSet.fromBytes(with(mine.toBytes(), 0, 2));
    assertEquals(2, other.version());
    Expect.refused("other.version", "2", "1", () -> mine.overlap(other));
    assertNotEquals(mine, other);
  }

  @Test
  void theEarlyStopDecidesAsTheFullCountDoes() {
    Property.check(
        "the early stop decides as the full count does",
        3_000,
        random ->
            new long[] {
              random.nextInt(1, 200), random.nextInt(1, 200), random.nextInt(220), random.nextLong()
            },
        s -> {
          SplittableRandom random = new SplittableRandom(s[3]);
          int shared = (int) Math.min(s[2], Math.min(s[0], s[1]));
          long[] common = random.longs(shared).toArray();
          long[] a = set(random, common, (int) s[0]);
          long[] b = set(random, common, (int) s[1]);
          int inter = Jaccard.intersection(a, a.length, b, b.length);
          assertEquals(shared, inter);
          for (int tenths = 6; tenths <= 9; tenths++) {
            boolean reaches = 10L * inter >= (long) tenths * (a.length + b.length - inter);
            assertEquals(
                reaches ? inter : -1,
                Jaccard.intersectionIfAtLeast(a, a.length, b, b.length, tenths));
          }
        });
  }

  private static long[] set(SplittableRandom random, long[] common, int size) {
    long[] out = Arrays.copyOf(common, size);
    for (int i = common.length; i < size; i++) {
      out[i] = random.nextLong();
    }
    for (int i = 0; i < size; i++) {
      out[i] ^= Long.MIN_VALUE;
    }
    Arrays.sort(out);
    for (int i = 0; i < size; i++) {
      out[i] ^= Long.MIN_VALUE;
    }
    return out;
  }

  @Test
  void thresholdsAreDecidedInWholeNumbers() {
    assertTrue(new Overlap(9, 10).isAtLeast(9, 10));
    assertTrue(new Overlap(3, 5).isAtLeast(3, 5));
    assertFalse(new Overlap(899_999_999, 1_000_000_000).isAtLeast(9, 10));
    assertTrue(new Overlap(900_000_000, 1_000_000_000).isAtLeast(9, 10));
    assertTrue(new Overlap(2, 3).compareTo(new Overlap(4, 6)) == 0);
  }

  @Test
  void bandsAndRowsThatFindTooLittleAreRefused() {
    assertEquals(0.99999, LshParameters.DEFAULT.recall(0.9), 0.00001);
    assertEquals(0.9855, LshParameters.DEFAULT.recall(0.8), 0.0001);
    new LshParameters(17, 8);
    Expect.refused("bands x rows", "16 x 8", "recall of at least", () -> new LshParameters(16, 8));
    Expect.refused(
        "bands x rows", "13 x 30", "recall of at least", () -> new LshParameters(13, 30));
    Expect.refused("rows", "60", "1 to 32", () -> new LshParameters(13, 60));
    Expect.refused("bands", "0", "1 to 64", () -> new LshParameters(0, 7));
  }

  @Test
  void estimatesSpreadAsTheoryHasIt() {
    MinHash minHash = new MinHash(LshParameters.DEFAULT);
    int k = minHash.size();
    SplittableRandom random = new SplittableRandom(7);
    for (int size : new int[] {20, 120}) {
      double sum = 0;
      double squares = 0;
      int trials = 1_500;
      int shared = size / 2;
      double j = (double) shared / (2 * size - shared);
      for (int t = 0; t < trials; t++) {
        long[] common = random.longs(shared).toArray();
        int[] x = new int[k];
        int[] y = new int[k];
        minHash.signature(set(random, common, size), x);
        minHash.signature(set(random, common, size), y);
        int equal = 0;
        for (int i = 0; i < k; i++) {
          equal += x[i] == y[i] ? 1 : 0;
        }
        double e = (double) equal / k - j;
        sum += e;
        squares += e * e;
      }
      double theory = Math.sqrt(j * (1 - j) / k);
      double bias = sum / trials;
      double spread = Math.sqrt(squares / trials);
      assertTrue(spread < 1.1 * theory, () -> "spread " + spread + ", theory " + theory);
      assertTrue(Math.abs(bias) < 0.005, () -> "bias " + bias);
    }
  }

  @Test
  void bandKeysNeverChange() {
    MinHash minHash = new MinHash(LshParameters.DEFAULT);
    int[] signature = new int[minHash.size()];
    int[] keys = new int[minHash.bands()];
    minHash.signature(of("The quick brown fox jumps over the lazy dog").hashes(), signature);
    minHash.keys(signature, keys);
    ByteBuffer b = ByteBuffer.allocate(4 * keys.length);
    b.asIntBuffer().put(keys);
    assertEquals(
        "58c66d6fec4b98a677c050ee392eabe01cc46882cd3ab70105bc403839960573",
        Resources.sha256(b.array()));
  }
}

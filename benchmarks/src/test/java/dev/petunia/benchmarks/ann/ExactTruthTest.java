package dev.petunia.benchmarks.ann;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExactTruthTest {
  @Test
  void agreesWithAPlainSortOnOddSizes() throws InterruptedException {
    for (int dimension : new int[] {2, 3, 17, 100, 130}) {
      for (int queries : new int[] {1, 3, 5, 9}) {
        AnnSet set = Generated.set(301, queries, dimension, 42);
        ExactTruth truth = ExactTruth.of(set, 7, 2);
        for (int q = 0; q < queries; q++) {
          float[] query = set.queries()[q];
          int[] expected =
              IntStream.range(0, 301)
                  .boxed()
                  .sorted(
                      Comparator.comparingDouble(i -> ExactTruth.distance(query, set.base()[i])))
                  .limit(7)
                  .mapToInt(i -> i)
                  .toArray();
          String input = "dimension " + dimension + ", query " + q + " of " + queries;
          assertArrayEquals(expected, truth.rows()[q], input);
          assertEquals(
              ExactTruth.distance(query, set.base()[expected[6]]),
              truth.kthDistance()[q],
              0,
              input);
        }
      }
    }
  }

  @Test
  void allRowsMayBeAskedForButNoMore() throws InterruptedException {
    AnnSet set = Generated.set(5, 2, 4, 1);
    assertEquals(5, ExactTruth.of(set, 5, 3).rows()[1].length);
    assertThrows(IllegalArgumentException.class, () -> ExactTruth.of(set, 6, 1));
  }

  @Test
  void amongTheRowsThatPassItIsTheTruthOfThoseAlone() throws InterruptedException {
    AnnSet set = Generated.set(300, 12, 20, 4);
    BitSet even = new BitSet();
    BitSet few = new BitSet();
    for (int row = 0; row < 300; row += 2) {
      even.set(row);
    }
    few.set(17);
    few.set(250);
    int[] ofQuery = IntStream.range(0, 12).map(q -> q % 3).toArray();
    ExactTruth all = ExactTruth.of(set, 300, 1);
    ExactTruth some = ExactTruth.among(set, List.of(even, few, new BitSet()), ofQuery, 5, 2);
    for (int q = 0; q < 12; q++) {
      BitSet passing = q % 3 == 0 ? even : q % 3 == 1 ? few : new BitSet();
      assertArrayEquals(
          IntStream.of(all.rows()[q]).filter(passing::get).limit(5).toArray(), some.rows()[q]);
    }
    ExactTruth renamed = some.renumbered(IntStream.range(0, 300).map(row -> 1000 + row).toArray());
    assertArrayEquals(
        IntStream.of(some.rows()[0]).map(row -> 1000 + row).toArray(), renamed.rows()[0]);
    assertEquals(4, some.first(4).rows().length);
  }
}

package dev.petunia.benchmarks.ann;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FilterCaseTest {
  private static final AnnSet SET = Generated.set(3000, 40, 24, 6);

  private static FilterCase named(String name) throws InterruptedException {
    return FilterCase.of(SET, 2).stream().filter(c -> c.name().equals(name)).findFirst().get();
  }

  @Test
  void randomFiltersPassTheirShareExactly() throws InterruptedException {
    List<FilterCase> cases = FilterCase.of(SET, 2);
    List<Integer> passing =
        cases.stream().limit(4).map(c -> c.filters().passing().getFirst().cardinality()).toList();
    assertEquals(List.of(1500, 300, 30, 3), passing);
    assertEquals(3, cases.get(3).truth().rows()[0].length); // no more pass
  }

  @Test
  void theNearCellHoldsTheNearestRowsAndTheFarCellDoesNot() throws InterruptedException {
    ExactTruth all = ExactTruth.of(SET, 10, 2);
    assertTrue(passingOf(all, named("filter_near")) > 0.3);
    assertEquals(0, passingOf(all, named("filter_far")), 0);
  }

  /** The share of the nearest rows of all that pass. */
  private static double passingOf(ExactTruth all, FilterCase filter) {
    int count = 0;
    for (int q = 0; q < all.rows().length; q++) {
      BitSet passing = filter.filters().passing().get(filter.filters().ofQuery()[q]);
      count += (int) Arrays.stream(all.rows()[q]).filter(passing::get).count();
    }
    return count / (10.0 * all.rows().length);
  }

  @Test
  void eachRowIsInOneCell() throws InterruptedException {
    List<BitSet> cells = named("filter_far").filters().passing();
    assertEquals(100, cells.size());
    BitSet all = new BitSet();
    cells.forEach(all::or);
    assertEquals(3000, all.cardinality());
    assertEquals(3000, cells.stream().mapToInt(BitSet::cardinality).sum());
  }

  @Test
  void anAnswerThatDoesNotPassIsNamed() throws InterruptedException {
    BitSet passing = new BitSet();
    passing.set(1);
    RowFiles.Filters filters = new RowFiles.Filters(List.of(passing), new int[1]);
    AnnSet one = SET.firstQueries(1);
    ExactTruth truth = ExactTruth.among(one, filters.passing(), filters.ofQuery(), 1, 1);
    FilterCase filter = new FilterCase("f", "made up", filters, truth);
    float right = (float) ExactTruth.distance(one.queries()[0], one.base()[1]);
    float wrong = (float) ExactTruth.distance(one.queries()[0], one.base()[2]);
    filter.check("x", one, new Answers(1, new int[] {1}, new float[] {right}));
    Answers other = new Answers(1, new int[] {2}, new float[] {wrong});
    String message =
        assertThrows(IllegalStateException.class, () -> filter.check("x", one, other)).getMessage();
    assertTrue(message.contains("row 2 does not pass"), message);
  }

  @Test
  void samplesHaveTheSizeAskedForAndNoMoreThanThereAre() {
    assertEquals(7, FilterCase.sample(10, 7, new SplittableRandom(1)).cardinality());
    assertEquals(10, FilterCase.sample(10, 20, new SplittableRandom(1)).cardinality());
  }
}

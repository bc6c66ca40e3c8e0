package dev.petunia.benchmarks.ann;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MixedRecallTest {
  /** Rows by falling nearness to the query; row 1 is one that comes and goes. */
  private static final AnnSet SET =
      new AnnSet(
          "t",
          "test",
          new float[][] {{1, 0}, {0.96f, 0.28f}, {0.8f, 0.6f}, {0.6f, 0.8f}, {0, 1}},
          new float[][] {{1, 0}},
          Optional.empty());

  private static double recall(int... rows) throws InterruptedException {
    BitSet untouched = new BitSet();
    untouched.set(0);
    untouched.set(2, 5);
    ExactTruth truth = ExactTruth.among(SET, List.of(untouched), new int[1], 3, 1);
    return MixedPart.recall(SET, new Answers(3, rows, new float[3]), untouched, truth);
  }

  @Test
  void aTouchedRowMayBeThereOrNot() throws InterruptedException {
    assertEquals(1, recall(0, 1, 2), 0);
    assertEquals(1, recall(0, 2, 3), 0);
  }

  @Test
  void aMissedUntouchedRowCounts() throws InterruptedException {
    assertEquals(2 / 3.0, recall(0, 2, 4), 1e-12);
    assertEquals(0.5, recall(0, 1, 3), 1e-12);
  }
}

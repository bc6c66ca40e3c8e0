package dev.petunia.benchmarks.ann;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AnswersTest {
  private static final float[][] BASE = {
    {1, 0}, {0.8f, 0.6f}, {0, 1}, {-1, 0}, {0.8f, 0.6f}, {0, -1}
  };

  private static AnnSet set(float[]... queries) {
    return new AnnSet("t", "test", BASE, queries, Optional.empty());
  }

  private static final AnnSet ONE = set(new float[] {1, 0});

  private static Answers answers(int[] rows, float... distances) {
    return new Answers(rows.length, rows, distances);
  }

  private static String wrong(Answers a) {
    return assertThrows(IllegalStateException.class, () -> a.check("x", ONE, truth(a.k())))
        .getMessage();
  }

  private static ExactTruth truth(int k) {
    try {
      return ExactTruth.of(ONE, k, 1);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void recallIsTheShareOfTheTrueNearest() throws InterruptedException {
    ExactTruth truth = ExactTruth.of(ONE, 2, 1);
    assertEquals(1.0, answers(new int[] {0, 1}, 0f, 0.2f).recall(ONE, truth), 0);
    assertEquals(0.5, answers(new int[] {0, 2}, 0f, 1f).recall(ONE, truth), 0);
    assertEquals(0.0, answers(new int[] {5, 2}, 1f, 1f).recall(ONE, truth), 0);
  }

  @Test
  void aRowAsNearAsTheLastTrueOneCounts() throws InterruptedException {
    ExactTruth truth = ExactTruth.of(ONE, 2, 1); // rows 1 and 4 are the same vector
    assertEquals(1.0, answers(new int[] {0, 4}, 0f, 0.2f).recall(ONE, truth), 0);
  }

  @Test
  void rightAnswersPass() {
    answers(new int[] {0, 1, 4, 2}, 0f, 0.2f, 0.2f, 1f).check("x", ONE, truth(4));
  }

  @Test
  void wrongAnswersAreNamed() {
    assertTrue(wrong(answers(new int[] {0, 0}, 0f, 0f)).contains("second time"));
    assertTrue(wrong(answers(new int[] {0, -1}, 0f, 0f)).contains("row -1"));
    assertTrue(wrong(answers(new int[] {0, 6}, 0f, 0f)).contains("row 6"));
    assertTrue(wrong(answers(new int[] {0, 1}, 0f, 0.3f)).contains("which is 0.1999"));
    assertTrue(wrong(answers(new int[] {0, 1}, 0f, Float.NaN)).contains("NaN"));
    assertTrue(wrong(answers(new int[] {1, 0}, 0.2f, 0f)).contains("after a greater one"));
    assertTrue(wrong(new Answers(2, new int[] {0}, new float[] {0})).contains("expected 2"));
  }

  @Test
  void truthOfAnotherKIsRefused() throws InterruptedException {
    ExactTruth truth = ExactTruth.of(ONE, 3, 1);
    assertThrows(
        IllegalArgumentException.class,
        () -> answers(new int[] {0, 1}, 0f, 0.2f).recall(ONE, truth));
  }

  @Test
  void whereFewerPassFewerAreRightAndTheRestIsEmpty() throws InterruptedException {
    BitSet passing = new BitSet();
    passing.set(0);
    passing.set(3);
    ExactTruth truth = ExactTruth.among(ONE, List.of(passing), new int[1], 3, 1);
    Answers right = answers(new int[] {0, 3, -1}, 0f, 2f, 0f);
    right.check("x", ONE, truth);
    assertEquals(1.0, right.recall(ONE, truth), 0);
    Answers more = answers(new int[] {0, 3, 1}, 0f, 2f, 2f);
    String message =
        assertThrows(IllegalStateException.class, () -> more.check("x", ONE, truth)).getMessage();
    assertTrue(message.contains("expected 2 rows"), message);
    Answers less = answers(new int[] {0, -1, -1}, 0f, 0f, 0f);
    assertThrows(IllegalStateException.class, () -> less.check("x", ONE, truth));
  }
}

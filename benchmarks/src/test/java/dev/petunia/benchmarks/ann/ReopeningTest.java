package dev.petunia.benchmarks.ann;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReopeningTest {
  private static Reopening.Opened opened(Optional<Footprint> own, long... nanos) {
    return new Reopening.Opened(
        "x", 2.5, nanos, new SystemProcess.Used(-1, 1000), new SystemProcess.Used(-1, 4000), own);
  }

  @Test
  void theFirstAnswerIncludesOpening() {
    assertEquals(2.75, opened(Optional.empty(), 250_000_000, 1).firstAnswer(), 1e-12);
  }

  @Test
  void theMedianOfAnEvenNumberLiesBetweenTheTwoInTheMiddle() {
    assertEquals(3e-9, opened(Optional.empty(), 9, 1, 3).median(), 1e-20);
    assertEquals(2.5e-9, opened(Optional.empty(), 9, 2, 1, 3).median(), 1e-20);
  }

  @Test
  void bytesAreWhatTheIndexSaysOrElseWhatTheProcessGrewBy() {
    assertEquals(3000, opened(Optional.empty(), 1).bytes(), 0);
    assertEquals(10, opened(Optional.of(new Footprint(1, 2, 3, 4)), 1).bytes(), 0);
  }
}

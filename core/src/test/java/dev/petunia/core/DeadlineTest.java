package dev.petunia.core;

import static dev.petunia.core.testing.Expect.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.testing.FakeTicker;
import java.time.Duration;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked // nulls are among the bad values
class DeadlineTest {
  private static final Duration LONGEST = Duration.ofDays(36_500);

  @Test
  void itPassesWhenTheTimeIsUpWhereverTheClockStarts() {
    for (long start :
        new long[] {0, -5, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 1_000_000}) {
      FakeTicker clock = new FakeTicker(start);
      Deadline d = Deadline.after(Duration.ofMillis(5), clock);
      assertEquals(5_000_000, d.remainingNanos());
      clock.advance(Duration.ofNanos(4_999_999));
      assertFalse(d.passed());
      assertEquals(Duration.ofNanos(1), d.remaining());
      clock.advance(Duration.ofNanos(1));
      assertTrue(d.passed());
      assertEquals(Duration.ZERO, d.remaining());
      clock.advance(Duration.ofSeconds(1));
      assertTrue(d.passed());
      assertEquals(Duration.ofSeconds(-1), d.remaining());
    }
  }

  @Test
  void theLongestWorksWhereverTheClockStarts() {
    for (long start : new long[] {0, Long.MIN_VALUE, Long.MAX_VALUE}) {
      FakeTicker clock = new FakeTicker(start);
      Deadline d = Deadline.after(LONGEST, clock);
      assertFalse(d.passed());
      clock.advance(LONGEST.minusNanos(1));
      assertFalse(d.passed());
      clock.advance(Duration.ofNanos(1));
      assertTrue(d.passed());
      clock.advance(LONGEST); // and long after it
      assertTrue(d.passed());
    }
  }

  @Test
  void noTimeAtAllHasPassed() {
    assertTrue(Deadline.after(Duration.ZERO, new FakeTicker()).passed());
    assertTrue(Deadline.after(Duration.ZERO).passed());
  }

  @Test
  void noneNeverPasses() {
    assertFalse(Deadline.NONE.passed());
    assertEquals(Long.MAX_VALUE, Deadline.NONE.remainingNanos());
    assertEquals(Duration.ofNanos(Long.MAX_VALUE), Deadline.NONE.remaining());
    assertEquals("no deadline", Deadline.NONE.toString());
    assertEquals(
        "deadline in PT2S", Deadline.after(Duration.ofSeconds(2), new FakeTicker()).toString());
  }

  @Test
  void theSystemsClockRuns() {
    Deadline d = Deadline.after(Duration.ofDays(1));
    long before = d.remainingNanos();
    while (d.remainingNanos() == before) {
      Thread.onSpinWait();
    }
    assertTrue(d.remainingNanos() < before);
    assertFalse(d.passed());
  }

  @Test
  void badDurationsAreNamed() {
    String allowed = "PT0S to 36500 days";
    refused("deadline", "PT-0.000000001S", allowed, () -> Deadline.after(Duration.ofNanos(-1)));
    refused("deadline", "PT876000H0.0", allowed, () -> Deadline.after(LONGEST.plusNanos(1)));
    refused(
        "deadline",
        "PT256204778",
        allowed,
        () -> Deadline.after(Duration.ofSeconds(Long.MAX_VALUE)));
    refused("deadline", "null", "a value", () -> Deadline.after(null));
    refused("ticker", "null", "a value", () -> Deadline.after(Duration.ZERO, null));
  }
}

package dev.petunia.lexical;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class NumberCodeTest {
  /** Numbers around every border: of long, of exact doubles, of zero. */
  static List<Object> numbers(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Object> numbers = new ArrayList<>();
    for (int shift = 0; shift < 64; shift++) {
      for (int step = -1; step <= 1; step++) {
        numbers.add((1L << shift) + step);
        numbers.add(-(1L << shift) + step);
      }
      numbers.add((double) (1L << shift));
      numbers.add(Math.nextDown((double) (1L << shift)));
      numbers.add(Math.nextUp((double) (1L << shift)));
      numbers.add(random.nextLong());
      numbers.add((double) random.nextLong());
      numbers.add(random.nextDouble());
    }
    numbers.addAll(List.of(0.0, -0.0, Double.MIN_VALUE, -Double.MIN_VALUE));
    numbers.addAll(List.of(Double.MAX_VALUE, -Double.MAX_VALUE, 0x1p63, -0x1p63, 1e300));
    return numbers;
  }

  private static BigDecimal exact(Object n) {
    return n instanceof Long l ? BigDecimal.valueOf(l) : new BigDecimal((Double) n);
  }

  @Test
  void bytesSortExactlyAsTheNumbersDoAcrossLongAndDouble() {
    long seed = 20260101;
    List<Object> numbers = numbers(seed);
    for (Object a : numbers) {
      for (Object b : numbers) {
        int expected = exact(a).compareTo(exact(b));
        int actual = Arrays.compareUnsigned(NumberCode.encode(a), NumberCode.encode(b));
        assertEquals(expected, Integer.signum(actual), () -> a + " and " + b + " seed " + seed);
      }
    }
  }

  @Test
  void openEndsLieBetweenANumberAndItsNeighbours() {
    for (Object n : numbers(7)) {
      byte[] point = NumberCode.encodePoint(n);
      byte[] above = NumberCode.justAbove(n);
      byte[] below = NumberCode.justBelow(n);
      assertTrue(Arrays.compareUnsigned(below, point) < 0, () -> "below " + n);
      assertTrue(Arrays.compareUnsigned(point, above) < 0, () -> "above " + n);
      for (Object other : numbers(7)) {
        if (exact(other).compareTo(exact(n)) > 0) {
          assertTrue(Arrays.compareUnsigned(above, NumberCode.encodePoint(other)) <= 0);
        } else if (exact(other).compareTo(exact(n)) < 0) {
          assertTrue(Arrays.compareUnsigned(NumberCode.encodePoint(other), below) <= 0);
        }
      }
    }
  }
}

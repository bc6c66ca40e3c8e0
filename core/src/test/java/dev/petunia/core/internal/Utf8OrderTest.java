package dev.petunia.core.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.testing.Generators;
import dev.petunia.core.testing.Property;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class Utf8OrderTest {
  private static int bytes(String a, String b) {
    return Integer.signum(
        Arrays.compareUnsigned(
            a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8)));
  }

  private static int order(String a, String b) {
    return Integer.signum(Utf8Order.compare(a, b));
  }

  @Test
  void everyPairOfTheHardCharactersOrdersAsItsBytesDo() {
    int[] points = {
      0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x103FF, 0x10400,
      0x1F433, 0xFFFFF, 0x100000, 0x10FFFF
    };
    List<String> texts = new ArrayList<>(List.of(""));
    for (int p : points) {
      String s = Character.toString(p);
      texts.addAll(List.of(s, "a" + s, s + "a", "\uD83D\uDC33" + s));
    }
    for (String a : texts) {
      for (String b : texts) {
        assertEquals(bytes(a, b), order(a, b), () -> a + " and " + b);
      }
    }
  }

  @Test
  void itIsNotTheOrderOfStringCompareTo() {
    assertTrue(order("\uE000", "\uD83D\uDC33") < 0);
    assertTrue("\uE000".compareTo("\uD83D\uDC33") > 0);
  }

  @Test
  void textsOfManyScriptsOrderAsTheirBytesDo() {
    record Pair(String a, String b) {}
    var text = Generators.text(6);
    Property.check(
        "order is the order of UTF-8 bytes",
        20_000,
        random -> {
          String start = text.generate(random); // a common beginning, so that ends matter
          return new Pair(start + text.generate(random), start + text.generate(random));
        },
        p -> {
          assertEquals(bytes(p.a, p.b), order(p.a, p.b));
          assertEquals(-order(p.b, p.a), order(p.a, p.b));
          assertEquals(p.a.equals(p.b), order(p.a, p.b) == 0);
        });
  }
}

package dev.petunia.benchmarks.rescore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.petunia.benchmarks.jmh.Texts;
import dev.petunia.dedup.Shingler;
import java.util.List;
import org.junit.jupiter.api.Test;

class TwinsTest {
  @Test
  void aChainJoinsAGroupWithoutMakingTwinsOfItsEnds() {
    String text = new Texts(1).text(100); // 96 shingles
    String longer = text + new Texts(2).text(8).replaceAll("^", " "); // 104: J = .923
    String longest = longer + new Texts(3).text(8).replaceAll("^", " "); // 112: J = .929, .857
    Twins twins =
        new Twins(
            List.of(text, "", longest, "", longer, new Texts(9).text(100)).stream()
                .map(Shingler.v1()::shingles)
                .toList());
    assertEquals(List.of(4), twins.of(0));
    assertEquals(List.of(4), twins.of(2));
    assertEquals(List.of(0, 2), twins.of(4));
    assertEquals(twins.group(0), twins.group(2));
    assertNotEquals(twins.group(0), twins.group(5));
    assertEquals(List.of(), twins.of(1)); // texts without tokens are no twins
  }
}

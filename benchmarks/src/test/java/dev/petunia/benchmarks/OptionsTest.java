package dev.petunia.benchmarks;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OptionsTest {
  private static Options parse(String... args) {
    return Options.parse(List.of(args), Set.of("quick"));
  }

  private static String refused(Runnable call) {
    return assertThrows(IllegalArgumentException.class, call::run).getMessage();
  }

  @Test
  void valuesFlagsAndListsAreRead() {
    Options o = parse("--n", "7", "--quick", "--ef", "10, 20,30", "--peers", "b,a");
    assertEquals(7, o.number("n", 1, 1, 10));
    assertTrue(o.flag("quick"));
    assertArrayEquals(new int[] {10, 20, 30}, o.numbers("ef", new int[0], 1, 100));
    assertEquals(List.of("b", "a"), o.words("peers", List.of(), List.of("a", "b", "c")));
    o.refuseUnread();
  }

  @Test
  void whatIsNotGivenHasItsDefault() {
    Options o = parse();
    assertEquals(5, o.number("n", 5, 1, 10));
    assertEquals(List.of("a"), o.words("peers", List.of("a"), List.of("a", "b")));
  }

  @Test
  void noneIsAnEmptyList() {
    assertEquals(
        List.of(), parse("--peers", "none").words("peers", List.of("a"), List.of("a", "b")));
  }

  @Test
  void errorsNameTheOptionTheValueAndWhatIsAllowed() {
    assertEquals(
        "--n is 11, allowed: 1 to 10", refused(() -> parse("--n", "11").number("n", 1, 1, 10)));
    assertTrue(refused(() -> parse("--n", "ten").number("n", 1, 1, 10)).contains("\"ten\""));
    assertTrue(refused(() -> parse("n")).contains("\"n\""));
    assertTrue(refused(() -> parse("--n")).contains("--n has no value"));
    assertTrue(refused(() -> parse("--n", "--quick")).contains("--n has no value"));
    assertTrue(refused(() -> parse("--n", "1", "--n", "2")).contains("given twice"));
    assertTrue(
        refused(() -> parse("--ef", "20,10").numbers("ef", new int[0], 1, 100))
            .contains("ascending"));
    assertTrue(
        refused(() -> parse("--peers", "a,a").words("peers", List.of(), List.of("a")))
            .contains("at most once"));
    assertTrue(
        refused(() -> parse("--data", "/no/such/folder").data()).contains("a folder that exists"));
  }

  @Test
  void optionsThatNothingReadsAreRefused() {
    assertTrue(refused(parse("--eff", "10")::refuseUnread).contains("--eff"));
  }
}

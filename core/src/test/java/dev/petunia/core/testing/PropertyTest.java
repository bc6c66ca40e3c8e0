package dev.petunia.core.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Chunk;
import dev.petunia.core.Filter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PropertyTest {
  private final String seedBefore = System.getProperty(Property.SEED, "");

  @AfterEach
  void restoreTheSetting() {
    System.setProperty(Property.SEED, seedBefore);
  }

  private static void withoutSetting() {
    System.setProperty(Property.SEED, "");
  }

  @Test
  void aPropertyThatHoldsRunsAsOftenAsAsked() {
    withoutSetting();
    AtomicInteger runs = new AtomicInteger();
    Property.check("holds", 37, Generators.ints(0, 9), i -> runs.incrementAndGet());
    assertEquals(37L * Integer.getInteger(Property.RUNS, 1), runs.get());
  }

  @Test
  void eachBuildSeesTheSameInputs() {
    withoutSetting();
    List<String> once = new ArrayList<>();
    List<String> again = new ArrayList<>();
    Property.check("same", 20, Generators.text(9), once::add);
    Property.check("same", 20, Generators.text(9), again::add);
    assertEquals(once, again);
    assertTrue(new HashSet<>(once).size() > 10, () -> "inputs hardly differ: " + Show.of(once));
  }

  @Test
  void aFailureNamesSeedInputTestAndCause() {
    withoutSetting();
    AssertionError e = assertThrows(AssertionError.class, () -> failsFromTen(200));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains("Property \"below ten\" fails in run "), message);
    assertTrue(message.contains("-Dtest=PropertyTest#failsFromTen "), message);
    assertTrue(message.contains("smallest 10 "), message);
    assertTrue(message.contains("because  java.lang.IllegalStateException: 10"), message);
    assertEquals("10", String.valueOf(e.getCause().getMessage()));
  }

  @Test
  void theSeedOfAFailureRunsThatInputAlone() {
    withoutSetting();
    AssertionError e = assertThrows(AssertionError.class, () -> failsFromTen(200));
    Matcher seed = Pattern.compile("seed +(-?\\d+)\n").matcher(e.getMessage());
    Matcher input = Pattern.compile("input +(\\d+)\n").matcher(e.getMessage());
    assertTrue(seed.find() && input.find(), e::getMessage);
    System.setProperty(Property.SEED, seed.group(1));
    List<Integer> seen = new ArrayList<>();
    Property.check("other name, same seed", 200, Generators.ints(0, 1000), seen::add);
    assertEquals(List.of(Integer.valueOf(input.group(1))), seen);
  }

  private static void failsFromTen(int runs) {
    Property.check(
        "below ten",
        runs,
        Generators.ints(0, 1000),
        i -> {
          if (i >= 10) {
            throw new IllegalStateException(String.valueOf(i));
          }
        });
  }

  @Test
  void aListShrinksToTheElementsThatMatter() {
    withoutSetting();
    AssertionError e =
        assertThrows(
            AssertionError.class,
            () ->
                Property.check(
                    "no two above 500",
                    100,
                    Generators.listOf(Generators.ints(0, 1000), 0, 60),
                    list -> assertTrue(list.stream().filter(i -> i > 500).count() < 2)));
    assertTrue(e.getMessage().contains("smallest [501, 501] "), e::getMessage);
  }

  @Test
  void aFilterShrinksToThePartsThatMatter() {
    withoutSetting();
    AssertionError e =
        assertThrows(
            AssertionError.class,
            () ->
                Property.check(
                    "no exists within and",
                    500,
                    Filters.filter(5),
                    f -> assertFalse(f instanceof Filter.And && f.toString().contains("xists"))));
    assertTrue(
        Pattern.compile("smallest And\\[of=\\[Exists\\[field=\"[^\"]*\"]]]")
            .matcher(e.getMessage())
            .find(),
        e::getMessage);
  }

  @Test
  void anInputThatTheCheckChangedIsReportedAsItCame() {
    withoutSetting();
    AssertionError e =
        assertThrows(
            AssertionError.class,
            () ->
                Property.check(
                    "changes its input",
                    1,
                    Vectors.unit(3),
                    v -> {
                      v[0] = 77;
                      throw new IllegalStateException("no");
                    }));
    assertFalse(e.getMessage().contains("77"), e::getMessage);
  }

  @Test
  void zeroRunsAreRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> Property.check("never", 0, Generators.id(), id -> {}));
  }

  @Test
  void generatedIdsAndTextsAreWhatTheyPromise() {
    Property.check(
        "ids are valid",
        2_000,
        Generators.id(),
        id -> assertEquals(id, new Chunk(id, id, 0, id).id()));
    Property.check(
        "ill-formed texts are refused",
        500,
        Generators.illFormedText(),
        text ->
            assertThrows(IllegalArgumentException.class, () -> new Chunk("i", "e", 0, text), text));
    List<String> ids = Generators.distinctIds(3_000).generate(new SplittableRandom(1));
    assertEquals(3_000, new HashSet<>(ids).size());
  }

  @Test
  void clusteredVectorsLieNearTheirCentre() {
    Property.check(
        "a vector is nearer to one of its cluster than to one of another",
        20,
        Vectors.clustered(40, 64, 4, 0.3),
        vectors -> {
          for (int i = 4; i < 40; i++) {
            assertTrue(dot(vectors.get(i), vectors.get(i % 4)) > 0.7);
            assertTrue(dot(vectors.get(i), vectors.get((i + 1) % 4)) < 0.7);
            assertEquals(1, dot(vectors.get(i), vectors.get(i)), 1e-6);
          }
        });
    List<float[]> same = Vectors.clustered(4, 8, 2, 0).generate(new SplittableRandom(1));
    assertArrayEquals(same.get(0), same.get(2));
  }

  private static double dot(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (double) a[i] * b[i];
    }
    return sum;
  }

  @Test
  void filtersMatchAndMissCorporaAboutAsOften() {
    SplittableRandom random = new SplittableRandom(7);
    List<Chunk> corpus = Chunks.corpus(100).generate(random);
    Generator<Filter> filters = Filters.filter(3);
    int some = 0;
    for (int i = 0; i < 300; i++) {
      Filter f = filters.generate(random);
      long n = corpus.stream().filter(f::matches).count();
      some += n > 0 && n < corpus.size() ? 1 : 0;
    }
    assertTrue(some > 120, "only " + some + " of 300 filters split the corpus");
  }

  @Test
  void aCorpusCountsOrdinalsFromZeroInEachEntry() {
    List<Chunk> corpus = Chunks.corpus(200).generate(new SplittableRandom(3));
    assertEquals(200, corpus.size());
    for (int i = 1; i < corpus.size(); i++) {
      Chunk before = corpus.get(i - 1);
      Chunk c = corpus.get(i);
      boolean same = c.entryId().equals(before.entryId());
      assertEquals(same ? before.ordinal() + 1 : 0, c.ordinal());
      assertTrue(c.ordinal() < 8);
    }
  }

  @Test
  void aFailureOnAnyThreadReachesTheTest() throws InterruptedException {
    AtomicInteger ran = new AtomicInteger();
    Threads.run(8, i -> ran.incrementAndGet());
    assertEquals(8, ran.get());
    IllegalStateException bad = new IllegalStateException("thread 5");
    AssertionError e =
        assertThrows(
            AssertionError.class,
            () ->
                Threads.run(
                    8,
                    i -> {
                      if (i == 5) {
                        throw bad;
                      }
                    }));
    assertSame(bad, e.getCause());
  }
}

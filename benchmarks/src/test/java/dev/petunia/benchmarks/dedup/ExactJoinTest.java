package dev.petunia.benchmarks.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.benchmarks.dedup.GeneratedData.Near;
import dev.petunia.core.testing.Generator;
import dev.petunia.core.testing.Property;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ExactJoinTest {
  /** Token numbers of 0 to 40 words; some texts are others with a few words changed. */
  private static Generator<List<List<Integer>>> texts() {
    return random -> {
      List<List<Integer>> out = new ArrayList<>();
      int vocabulary = random.nextInt(2, 400); // with few words, all texts share shingles
      for (int n = random.nextInt(60); n > 0; n--) {
        List<Integer> text = new ArrayList<>();
        if (out.isEmpty() || random.nextInt(3) == 0) {
          for (int w = random.nextInt(41); w > 0; w--) {
            text.add(random.nextInt(vocabulary));
          }
        } else {
          text.addAll(out.get(random.nextInt(out.size())));
          change(random, text, vocabulary);
        }
        out.add(text);
      }
      return out;
    };
  }

  private static void change(RandomGenerator random, List<Integer> text, int vocabulary) {
    for (int edits = random.nextInt(3); edits > 0 && !text.isEmpty(); edits--) {
      int at = random.nextInt(text.size());
      switch (random.nextInt(3)) {
        case 0 -> text.set(at, random.nextInt(vocabulary));
        case 1 -> text.remove(at);
        default -> text.add(random.nextInt(vocabulary));
      }
    }
  }

  @Test
  void pairsAreThoseOfAllComparedWithAll() {
    AtomicInteger pairs = new AtomicInteger();
    AtomicInteger atTheBorder = new AtomicInteger();
    Property.check(
        "pairs are those of all compared with all",
        400,
        texts(),
        texts -> {
          int[][] tokens =
              texts.stream()
                  .map(t -> t.stream().mapToInt(Integer::intValue).toArray())
                  .toArray(int[][]::new);
          List<Pair> expected = new ArrayList<>();
          for (Near n : GeneratedData.near(texts)) {
            Pair p = new Pair(n.a(), n.b(), n.shared(), n.sizeA() + n.sizeB() - n.shared());
            expected.add(p);
            atTheBorder.addAndGet(10 * p.intersection() == 8 * p.union() ? 1 : 0);
          }
          pairs.addAndGet(expected.size());
          assertEquals(expected, ExactJoin.pairs(ExactSets.of(tokens)));
        });
    assertTrue(pairs.get() > 5_000, () -> "pairs " + pairs);
    assertTrue(atTheBorder.get() > 20, () -> "with J = 0.8 " + atTheBorder);
  }

  @Test
  void textsWithoutTokensAreInNoPairAndShortOnesWithTheirEqualsOnly() {
    int[][] tokens = {{}, {}, {1}, {1}, {1, 2, 3, 4}, {1, 2, 3, 4, 5}, {1, 2, 3, 4}};
    ExactSets sets = ExactSets.of(tokens);
    assertEquals(
        List.of(new Pair(2, 3, 1, 1), new Pair(4, 6, 1, 1)),
        ExactJoin.pairs(sets),
        () -> Arrays.deepToString(sets.sets()));
    assertEquals(List.of(), ExactJoin.pairs(ExactSets.of(new int[0][])));
  }
}

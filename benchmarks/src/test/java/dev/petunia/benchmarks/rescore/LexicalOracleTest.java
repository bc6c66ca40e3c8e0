package dev.petunia.benchmarks.rescore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.petunia.core.Chunk;
import dev.petunia.retriever.FloorOptions;
import dev.petunia.retriever.FloorPassage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class LexicalOracleTest {
  private static FloorPassage passage(String id, int place, int dense, int lexical, double fused) {
    return new FloorPassage(
        new Chunk(id, id, 0, ""),
        place,
        fused,
        dense == 0 ? OptionalInt.empty() : OptionalInt.of(dense),
        Optional.empty(),
        lexical == 0 ? OptionalInt.empty() : OptionalInt.of(lexical),
        OptionalInt.empty(),
        Optional.empty(),
        OptionalDouble.empty(),
        false,
        false,
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        false,
        false,
        List.of());
  }

  /** Twelve passages that both channels have at the same rank, then one by BM25 alone. */
  private static List<FloorPassage> union() {
    List<FloorPassage> out = new ArrayList<>();
    for (int r = 1; r <= 12; r++) {
      out.add(passage("p" + r, r, r, r, 2.0 / (60 + r)));
    }
    out.add(passage("last", 13, 0, 13, 1.0 / 73));
    return out;
  }

  @Test
  void onlyTheLexicalListIsReplaced() {
    // p12 at lexical rank 1 gets 1/72 + 1/61, more than p5, now at rank 6: 1/65 + 1/66
    LexicalOracle o = LexicalOracle.of(union(), Map.of("p12", 1), FloorOptions.DEFAULT);
    assertEquals(new LexicalOracle(0, 1, 1), o);
    // what the vector search has not found gets 1/61 alone, which 12 others exceed
    assertEquals(
        new LexicalOracle(0, 0, 0),
        LexicalOracle.of(union(), Map.of("last", 1), FloorOptions.DEFAULT));
  }

  @Test
  void whatBm25HasNotFoundOnlyTheFullOracleHas() {
    List<FloorPassage> union = new ArrayList<>(union());
    union.add(passage("dense", 14, 13, 0, 1.0 / 73));
    assertEquals(
        new LexicalOracle(0, 0, 1),
        LexicalOracle.of(union, Map.of("dense", 1), FloorOptions.DEFAULT));
  }

  @Test
  void fusedValuesThatTheRanksDoNotGiveAreRefused() {
    assertThrows(
        IllegalStateException.class,
        () ->
            LexicalOracle.of(
                List.of(passage("a", 1, 1, 1, 0.5)), Map.of("a", 1), FloorOptions.DEFAULT));
  }
}

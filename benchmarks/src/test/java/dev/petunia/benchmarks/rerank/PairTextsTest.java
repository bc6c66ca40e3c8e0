package dev.petunia.benchmarks.rerank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PairTextsTest {
  @TempDir Path work;

  @Test
  void equalPairsHaveAsManyTokensAsWasAskedFor() throws Exception {
    try (PairPrompt prompt = new PairPrompt(QwenTokenizer.reduced(work))) {
      PairTexts texts = PairTexts.equal(prompt, 20, 256, 1);
      assertEquals(java.util.Collections.nCopies(20, 256), texts.tokens());
      for (String passage : texts.passages()) {
        assertEquals(256, prompt.ids(texts.query(), passage).length);
      }
      assertEquals(20, new HashSet<>(texts.passages()).size());
      int shared = prompt.shared(texts.query());
      assertTrue(shared >= 90 && shared < 100, "shared " + shared);
      assertEquals(texts, PairTexts.equal(prompt, 20, 256, 1));
      assertNotEquals(texts, PairTexts.equal(prompt, 20, 256, 2));
    }
  }

  @Test
  void mixedPairsAreOfManyLengths() throws Exception {
    try (PairPrompt prompt = new PairPrompt(QwenTokenizer.reduced(work))) {
      List<Integer> tokens = PairTexts.mixed(prompt, 200, 310, 3).tokens();
      assertTrue(new HashSet<>(tokens).size() > 60, tokens.toString());
      for (int n : tokens) {
        assertTrue(n >= 90 + 16 && n <= 90 + 310, "tokens " + n);
      }
      double mean = tokens.stream().mapToInt(Integer::intValue).average().orElseThrow();
      assertTrue(mean > 170 && mean < 240, "mean " + mean);
    }
  }

  @Test
  void thePromptIsWholeAndInItsOrder() throws Exception {
    try (PairPrompt prompt = new PairPrompt(QwenTokenizer.reduced(work))) {
      long[] ids = prompt.ids("What is the capital of China?", "The capital of China is Beijing.");
      assertEquals(85, ids.length); // as Qwen's own tokenizer makes it
      assertEquals(69, prompt.shared("What is the capital of China?"));
      assertEquals(590, prompt.yes());
      assertEquals(501, prompt.no());
    }
  }
}

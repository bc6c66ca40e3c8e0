package dev.petunia.benchmarks.rerank;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * What a child process needs to score.
 *
 * @param models folder of generated models, with the one of these parameters in it
 * @param tokenizer a {@code tokenizer.json}
 * @param threads processors that may be used
 * @param batch pairs in a run, of those that make batches
 */
record ScorerSetup(
    Path models,
    ModelShape shape,
    Precision precision,
    long seed,
    Path tokenizer,
    int threads,
    int batch) {
  GeneratedModel model() throws IOException {
    return GeneratedModel.in(models, shape, precision, seed);
  }

  ScorerSetup withBatch(int size) {
    return new ScorerSetup(models, shape, precision, seed, tokenizer, threads, size);
  }

  List<String> toArguments() {
    return List.of(
        models.toString(),
        "%d,%d,%d,%d,%d,%d,%d"
            .formatted(
                shape.layers(),
                shape.hidden(),
                shape.heads(),
                shape.kvHeads(),
                shape.headDim(),
                shape.intermediate(),
                shape.vocabulary()),
        precision.name(),
        Long.toString(seed),
        tokenizer.toString(),
        Integer.toString(threads),
        Integer.toString(batch));
  }

  static ScorerSetup fromArguments(List<String> a) {
    return new ScorerSetup(
        Path.of(a.get(0)),
        shape(a.get(1)),
        Precision.valueOf(a.get(2)),
        Long.parseLong(a.get(3)),
        Path.of(a.get(4)),
        Integer.parseInt(a.get(5)),
        Integer.parseInt(a.get(6)));
  }

  /** Seven numbers with commas: layers, hidden, heads, kv heads, head dim, intermediate, tokens. */
  static ModelShape shape(String text) {
    try {
      int[] n = Arrays.stream(text.split(",", -1)).mapToInt(Integer::parseInt).toArray();
      if (n.length == 7) {
        return new ModelShape(n[0], n[1], n[2], n[3], n[4], n[5], n[6]);
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new IllegalArgumentException(
        "--shape is \""
            + text
            + "\", allowed: full, small, or seven numbers separated by commas: layers, hidden,"
            + " heads, kv heads, head dim, intermediate, vocabulary");
  }
}

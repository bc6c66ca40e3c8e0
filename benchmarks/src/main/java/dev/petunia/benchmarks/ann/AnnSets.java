package dev.petunia.benchmarks.ann;

import dev.petunia.core.internal.Checks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The sets by name. */
final class AnnSets {
  /** Those of the data folder, in the order in which they run. */
  static final List<String> OF_DATA = List.of("ann-texts", "glove100");

  /** All. */
  static final List<String> NAMES = List.of("ann-texts", "glove100", Generated.NAME);

  private static final int ROWS = 100_000;
  private static final int QUERIES = 2_000;
  private static final int TRUTH_COLUMNS = 100;

  private static final int GENERATED_DIMENSION = 128;
  private static final long GENERATED_SEED = 1;

  private AnnSets() {}

  /**
   * A set by name.
   *
   * @param data the data folder; not needed for the generated set
   * @param n number of base rows, the first ones; at most 100,000 of a set of the data folder
   */
  static AnnSet load(Optional<Path> data, String name, int n, int queries) throws IOException {
    if (name.equals(Generated.NAME)) {
      return Generated.set(n, queries, GENERATED_DIMENSION, GENERATED_SEED);
    }
    Path folder =
        data.orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "--set " + name + " needs the data folder: --data DIR or PETUNIA_DATA"))
            .resolve(name);
    Checks.range("--n", n, 1, ROWS);
    Checks.range("--queries", queries, 1, QUERIES);
    return switch (name) {
      case "ann-texts" ->
          new AnnSet(
              name,
              "passages and real questions, MiniLM vectors stored as half floats",
              VectorFiles.halfFloats(
                  VectorFiles.read(folder.resolve("base-100000x384.f16")), n, 384),
              VectorFiles.halfFloats(
                  VectorFiles.read(folder.resolve("query-2000x384.f16")), queries, 384),
              Optional.empty());
      case "glove100" ->
          new AnnSet(
              name,
              "GloVe word vectors stored as int16, normalised",
              VectorFiles.shorts(VectorFiles.read(folder.resolve("base.i16.gz")), n, 100),
              VectorFiles.shorts(VectorFiles.read(folder.resolve("query.i16.gz")), queries, 100),
              n == ROWS
                  ? Optional.of(
                      VectorFiles.ints(
                          VectorFiles.read(folder.resolve("groundtruth-cosine-top100.i32.gz")),
                          queries,
                          TRUTH_COLUMNS))
                  : Optional.empty()); // it holds for the whole set only
      default -> throw Checks.bad("--set", name, String.join(", ", NAMES));
    };
  }
}

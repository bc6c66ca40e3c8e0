package dev.petunia.examples.dedup;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The command line.
 *
 * @param corpus a folder; empty: the JDK's documentation
 * @param packages of the JDK's documentation only these and what is below; empty: the usual ones
 * @param index where findings are kept; empty: nowhere
 * @param clusters how many clusters are printed
 * @param html where the page goes
 * @param edges where the edges go
 * @param spotCheck where the sheet for a reader goes
 * @param verdicts a sheet that a reader filled
 */
record Arguments(
    Optional<Path> corpus,
    List<String> packages,
    Optional<Path> index,
    int clusters,
    Optional<Path> html,
    Optional<Path> edges,
    Optional<Path> spotCheck,
    Optional<Path> verdicts) {
  static final String USAGE =
      """
      examples/run dedup [options]
        --corpus DIR         look at the txt, md and html files in a folder, not the JDK's documentation
        --packages A,B       of the JDK's documentation, only these packages and those below
        --index DIR          keep the findings there; the next run checks only what is new, and forgets
                             what is not in its corpus any more
        --clusters N         clusters to print (default 5, at most 1000)
        --html FILE          a page with the clusters side by side
        --edges FILE         the verified pairs, as .jsonl or .csv
        --spot-check FILE    a sheet (.csv) of 200 pairs for a reader, who fills the column verdict
        --verdicts FILE      the sheet when it is filled; with --index the verdicts are kept
        --help               this
      """;

  private static final Set<String> NAMES =
      Set.of(
          "--corpus",
          "--packages",
          "--index",
          "--clusters",
          "--html",
          "--edges",
          "--spot-check",
          "--verdicts");

  static Arguments parse(String[] args) {
    Optional<Path> corpus = Optional.empty();
    Optional<Path> index = Optional.empty();
    Optional<Path> html = Optional.empty();
    Optional<Path> edges = Optional.empty();
    Optional<Path> spotCheck = Optional.empty();
    Optional<Path> verdicts = Optional.empty();
    List<String> packages = List.of();
    int clusters = 5;
    for (int i = 0; i < args.length; i += 2) {
      if (!NAMES.contains(args[i])) {
        throw new IllegalArgumentException(args[i] + " is no option; --help lists them");
      }
      if (i + 1 >= args.length) {
        throw new IllegalArgumentException(args[i] + " wants a value after it");
      }
      switch (args[i]) {
        case "--corpus" -> corpus = Optional.of(Path.of(args[i + 1]));
        case "--packages" -> packages = List.of(args[i + 1].split(",", -1));
        case "--index" -> index = Optional.of(Path.of(args[i + 1]));
        case "--clusters" -> clusters = number(args[i + 1]);
        case "--html" -> html = Optional.of(Path.of(args[i + 1]));
        case "--edges" -> edges = Optional.of(edgeFile(args[i + 1]));
        case "--spot-check" -> spotCheck = Optional.of(Path.of(args[i + 1]));
        case "--verdicts" -> verdicts = Optional.of(Path.of(args[i + 1]));
        default -> throw new AssertionError(args[i]);
      }
    }
    return new Arguments(corpus, packages, index, clusters, html, edges, spotCheck, verdicts);
  }

  private static Path edgeFile(String value) {
    if (!value.endsWith(".jsonl") && !value.endsWith(".csv")) {
      throw new IllegalArgumentException(
          "--edges is " + value + ", allowed: a name that ends with .jsonl or .csv");
    }
    return Path.of(value);
  }

  private static int number(String text) {
    try {
      int n = Integer.parseInt(text);
      if (n >= 0 && n <= 1000) {
        return n;
      }
    } catch (NumberFormatException e) {
      // refused below
    }
    throw new IllegalArgumentException(
        "--clusters is " + text + ", allowed: a number in 0 to 1000");
  }
}

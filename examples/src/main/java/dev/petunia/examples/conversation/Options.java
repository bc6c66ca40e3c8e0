package dev.petunia.examples.conversation;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The command line.
 *
 * @param corpus a folder to talk about; empty: the JDK's documentation
 * @param packages of the JDK's documentation only these and what is below; empty: the usual ones
 * @param script a conversation to play; empty: ask at the terminal
 * @param cache where indexes are kept
 * @param compare show plain search beside the conversation's
 * @param k passages a turn
 */
record Options(
    Optional<Path> corpus,
    List<String> packages,
    Optional<Path> script,
    Path cache,
    boolean compare,
    int k) {
  static final String USAGE =
      """
      examples/run conversation [options]
        --script FILE     play a conversation instead of asking at the terminal
        --compare         show plain per-turn search beside each answer
        --corpus DIR      talk about the txt, md and html files in a folder
        --packages A,B    of the JDK's documentation, only these packages and those below
        --k N             passages a turn (default 5)
        --cache DIR       where indexes are kept (default: your cache folder)
        --help            this
      """;

  static Options parse(String[] args) {
    Optional<Path> corpus = Optional.empty();
    List<String> packages = List.of();
    Optional<Path> script = Optional.empty();
    Path cache = IndexCache.defaultFolder();
    boolean compare = false;
    int k = 5;
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--compare" -> compare = true;
        case "--corpus" -> corpus = Optional.of(Path.of(value(args, i++)));
        case "--packages" -> packages = List.of(value(args, i++).split(",", -1));
        case "--script" -> script = Optional.of(Path.of(value(args, i++)));
        case "--cache" -> cache = Path.of(value(args, i++));
        case "--k" -> {
          Settings s = new Settings();
          s.set("k", value(args, i++));
          k = s.k;
        }
        default -> throw new IllegalArgumentException(args[i] + " is no option; --help lists them");
      }
    }
    return new Options(corpus, packages, script, cache, compare, k);
  }

  private static String value(String[] args, int i) {
    if (i + 1 >= args.length) {
      throw new IllegalArgumentException(args[i] + " wants a value after it");
    }
    return args[i + 1];
  }
}

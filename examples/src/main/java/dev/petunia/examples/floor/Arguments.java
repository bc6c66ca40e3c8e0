package dev.petunia.examples.floor;

import dev.petunia.examples.conversation.IndexCache;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The command line.
 *
 * @param question what is asked
 * @param model a cross-encoder's file or folder
 * @param deadline how long an answer may take; empty: as long as it takes
 * @param corpus a folder to ask about; empty: the JDK's documentation
 * @param packages of the JDK's documentation only these and what is below; empty: the usual ones
 * @param cache where indexes are kept
 * @param show how many passages of the floor are printed
 * @param documentTokens most tokens of a passage that the cross-encoder reads
 * @param log a query log; empty: none
 */
record Arguments(
    String question,
    Optional<Path> model,
    Optional<Duration> deadline,
    Optional<Path> corpus,
    List<String> packages,
    Path cache,
    int show,
    int documentTokens,
    Optional<Path> log) {
  static final String USAGE =
      """
      examples/run floor QUESTION [options]
        --model DIR          a cross-encoder: its .onnx file, or a folder with it and tokenizer.json
        --deadline TIME      such as 2s or 500ms (default: none)
        --document-tokens N  most tokens of a passage that the model reads (default 256)
        --show N             passages of the floor to print (default 8, at most 28)
        --corpus DIR         ask about the txt, md and html files in a folder, not the JDK's documentation
        --packages A,B       of the JDK's documentation, only these packages and those below
        --cache DIR          where indexes are kept (default: your cache folder)
        --log FILE           append question and floor to a query log
        --help               this
      """;

  private static final Pattern TIME = Pattern.compile("(\\d{1,9})(ms|s)");

  static Arguments parse(String[] args) {
    StringBuilder question = new StringBuilder();
    Optional<Path> model = Optional.empty();
    Optional<Duration> deadline = Optional.empty();
    Optional<Path> corpus = Optional.empty();
    Optional<Path> log = Optional.empty();
    List<String> packages = List.of();
    Path cache = IndexCache.defaultFolder();
    int show = 8;
    int documentTokens = 256;
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--model" -> model = Optional.of(existing("--model", value(args, i++)));
        case "--deadline" -> deadline = Optional.of(time(value(args, i++)));
        case "--corpus" -> corpus = Optional.of(Path.of(value(args, i++)));
        case "--packages" -> packages = List.of(value(args, i++).split(",", -1));
        case "--cache" -> cache = Path.of(value(args, i++));
        case "--log" -> log = Optional.of(Path.of(value(args, i++)));
        case "--show" -> show = number("--show", value(args, i++), 1, 28);
        case "--document-tokens" ->
            documentTokens = number("--document-tokens", value(args, i++), 1, 8192);
        default -> {
          if (args[i].startsWith("--")) {
            throw new IllegalArgumentException(args[i] + " is no option; --help lists them");
          }
          question.append(question.isEmpty() ? "" : " ").append(args[i]);
        }
      }
    }
    if (question.toString().isBlank()) {
      throw new IllegalArgumentException(
          "What do you want to ask? For example: examples/run floor \"how do I read a file line by"
              + " line?\"");
    }
    return new Arguments(
        question.toString(), model, deadline, corpus, packages, cache, show, documentTokens, log);
  }

  private static String value(String[] args, int i) {
    if (i + 1 >= args.length) {
      throw new IllegalArgumentException(args[i] + " wants a value after it");
    }
    return args[i + 1];
  }

  private static Path existing(String option, String value) {
    Path path = Path.of(value);
    if (!Files.exists(path)) {
      throw new IllegalArgumentException(option + " is " + value + ", which is not there");
    }
    return path;
  }

  private static Duration time(String text) {
    Matcher m = TIME.matcher(text);
    if (!m.matches()) {
      throw new IllegalArgumentException(
          "--deadline is " + text + ", allowed: a number and ms or s, such as 2s");
    }
    long n = Long.parseLong(m.group(1));
    return m.group(2).equals("s") ? Duration.ofSeconds(n) : Duration.ofMillis(n);
  }

  private static int number(String option, String text, int min, int max) {
    try {
      int n = Integer.parseInt(text);
      if (n >= min && n <= max) {
        return n;
      }
    } catch (NumberFormatException e) {
      // refused below
    }
    throw new IllegalArgumentException(
        option + " is " + text + ", allowed: a number in " + min + " to " + max);
  }
}

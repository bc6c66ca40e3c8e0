package dev.petunia.examples.conversation.corpus;

import dev.petunia.core.Chunk;
import dev.petunia.core.ProgressListener;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Prints how a corpus is cut: counts, sizes, time, what was skipped, and chunks to read.
 *
 * <pre>{@code
 * CorpusStats [--corpus DIR | --packages java.lang,java.util] [--sample N] [--seed S] [--find ID]
 * }</pre>
 *
 * <p>Exits with 1 when the corpus can't be had, with 2 when the arguments are wrong.
 */
public final class CorpusStats {
  private static final int[] EDGES = {
    5, 10, 25, 50, 75, 100, 125, 150, 175, 200, 225, Integer.MAX_VALUE
  };

  private final PrintStream out;
  private Corpus corpus = JdkDocs.ofRunningJdk();
  private int sample;
  private long seed = 1;
  private String find = "";

  private CorpusStats(PrintStream out) {
    this.out = out;
  }

  /** See the class. */
  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    CorpusStats stats = new CorpusStats(out);
    try {
      stats.parse(List.of(args));
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    }
    try {
      stats.run();
    } catch (IOException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }

  private void parse(List<String> args) {
    for (int i = 0; i < args.size(); i += 2) {
      if (i + 1 == args.size()) {
        throw new IllegalArgumentException(args.get(i) + " needs a value");
      }
      String value = args.get(i + 1);
      switch (args.get(i)) {
        case "--corpus" -> corpus = new FolderCorpus(Path.of(value));
        case "--packages" -> corpus = JdkDocs.ofRunningJdk(List.of(value.split(",")));
        case "--sample" -> sample = (int) number("--sample", value, 0, 1_000_000);
        case "--seed" -> seed = number("--seed", value, Long.MIN_VALUE, Long.MAX_VALUE);
        case "--find" -> find = value;
        default ->
            throw new IllegalArgumentException(
                "unknown option "
                    + args.get(i)
                    + ", known: --corpus --packages --sample --seed --find");
      }
    }
  }

  private static long number(String option, String value, long min, long max) {
    try {
      long n = Long.parseLong(value);
      if (n >= min && n <= max) {
        return n;
      }
    } catch (NumberFormatException e) {
      // said below, as for a number out of range
    }
    throw Arguments.bad(option, value, "whole numbers from " + min + " to " + max);
  }

  private void run() throws IOException {
    long start = System.nanoTime();
    String fingerprint = corpus.fingerprint();
    long asked = System.nanoTime();
    Chunks chunks = corpus.chunks(ProgressListener.NONE);
    long read = System.nanoTime();
    out.println(corpus.name() + ", fingerprint " + fingerprint);
    out.printf(
        Locale.ROOT,
        "fingerprint %.0f ms, reading and cutting %.2f s%n",
        (asked - start) / 1e6,
        (read - asked) / 1e9);
    chunks.report().lines(10).forEach(out::println);
    sizes(chunks.list());
    counts("kind", chunks.list());
    counts("package", chunks.list());
    if (!find.isEmpty()) {
      chunks.list().stream().filter(c -> c.id().startsWith(find)).forEach(this::print);
    }
    Random random = new Random(seed);
    for (int i = 0; i < sample && chunks.total() > 0; i++) {
      print(chunks.list().get(random.nextInt(chunks.total())));
    }
  }

  private void sizes(List<Chunk> chunks) {
    int[] words = chunks.stream().mapToInt(c -> Scripts.words(c.text())).sorted().toArray();
    if (words.length == 0) {
      return;
    }
    out.printf(
        Locale.ROOT,
        "%d chunks, %d words; words per chunk: mean %.1f, least %d, 10%% %d, median %d, 90%% %d, most %d%n",
        words.length,
        Arrays.stream(words).asLongStream().sum(),
        Arrays.stream(words).average().orElse(0),
        words[0],
        words[words.length / 10],
        words[words.length / 2],
        words[words.length * 9 / 10],
        words[words.length - 1]);
    int at = 0;
    for (int edge : EDGES) {
      int from = at;
      while (at < words.length && words[at] <= edge) {
        at++;
      }
      String label = edge == Integer.MAX_VALUE ? "more" : "to " + edge;
      out.printf(
          Locale.ROOT,
          "  %-7s %6d  %s%n",
          label,
          at - from,
          "#".repeat((at - from) * 60 / words.length));
    }
  }

  private void counts(String attribute, List<Chunk> chunks) {
    Map<String, Integer> counts = new TreeMap<>();
    for (Chunk c : chunks) {
      if (c.attributes().get(attribute) instanceof String s) {
        counts.merge(s, 1, Integer::sum);
      }
    }
    if (counts.isEmpty()) {
      return;
    }
    List<String> parts = new ArrayList<>();
    counts.forEach((k, n) -> parts.add(k + " " + n));
    out.println("chunks by " + attribute + ": " + String.join(", ", parts));
  }

  private void print(Chunk c) {
    out.println("\n=== " + c.id() + " [" + c.ordinal() + "] " + Scripts.words(c.text()) + " words");
    out.println(c.attributes());
    out.println(c.text());
  }
}

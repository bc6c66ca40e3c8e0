package dev.petunia.benchmarks.dedup;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/** Files with pairs and their exact similarity. */
final class TruthFiles {
  private TruthFiles() {}

  /** Lines {@code a b intersection size size jaccard} by places; pairs by key. */
  static Map<Long, Pair> numbered(Path file, int size) throws IOException {
    Map<Long, Pair> out = new HashMap<>();
    lines(
        file,
        f -> {
          int a = Integer.parseInt(f[0]);
          int b = Integer.parseInt(f[1]);
          int inter = Integer.parseInt(f[2]);
          if (a < size && b < size) {
            int union = Integer.parseInt(f[3]) + Integer.parseInt(f[4]) - inter;
            out.put(Pair.key(a, b), new Pair(a, b, inter, union));
          }
        });
    return out;
  }

  /** Lines {@code id id jaccard}: the similarity, rounded to four places, by key. */
  static Map<Long, String> named(Path file, Corpus corpus) throws IOException {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < corpus.size(); i++) {
      places.put(corpus.ids().get(i), i);
    }
    Map<Long, String> out = new HashMap<>();
    lines(
        file,
        f -> {
          Integer a = places.get(f[0]);
          Integer b = places.get(f[1]);
          if (a != null && b != null) {
            out.put(Pair.key(a, b), f[2]);
          }
        });
    return out;
  }

  private static void lines(Path file, Consumer<String[]> each) throws IOException {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      for (String line; (line = in.readLine()) != null; ) {
        if (!line.startsWith("#")) {
          each.accept(line.split("\t", -1));
        }
      }
    }
  }
}

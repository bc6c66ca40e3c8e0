package dev.petunia.benchmarks.rescore;

import dev.petunia.benchmarks.jmh.Texts;
import dev.petunia.core.Chunk;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Documents of made-up words under headings, for runs without data. A section repeats words of its
 * heading; one in twelve is a near-duplicate of an earlier one.
 */
final class GeneratedDocs {
  private static final int CHUNKS_OF_A_DOCUMENT = 8;

  private GeneratedDocs() {}

  /** So many chunks, the same for the same seed. */
  static Corpus of(int chunks, long seed) {
    Texts texts = new Texts(seed);
    SplittableRandom random = new SplittableRandom(seed);
    List<Chunk> out = new ArrayList<>();
    List<String> bodies = new ArrayList<>();
    for (int i = 0; i < chunks; i++) {
      String path = String.format(java.util.Locale.ROOT, "doc%04d.md", i / CHUNKS_OF_A_DOCUMENT);
      int ordinal = i % CHUNKS_OF_A_DOCUMENT;
      String heading = texts.text(random.nextInt(3, 7));
      String body =
          i > 0 && random.nextInt(12) == 0
              ? bodies.get(random.nextInt(i)) + " " + texts.text(1)
              : body(texts, random, heading);
      bodies.add(body);
      out.add(new Chunk(path + "#" + ordinal, path, ordinal, "## " + heading + "\n\n" + body));
    }
    return new Corpus("generated", out);
  }

  private static String body(Texts texts, SplittableRandom random, String heading) {
    String[] topic = heading.split(" ");
    int words = random.nextInt(30, 260);
    StringBuilder out = new StringBuilder();
    while (words > 0) {
      int sentence = Math.min(words, random.nextInt(6, 18));
      out.append(out.isEmpty() ? "" : " ").append(texts.text(sentence));
      out.append(' ').append(topic[random.nextInt(topic.length)]).append('.');
      words -= sentence + 1;
    }
    return out.toString();
  }
}

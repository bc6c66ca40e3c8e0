package dev.petunia.benchmarks.dedup;

import dev.petunia.benchmarks.floor.JsonLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The corpora of the data folder; without one, two that are made. */
final class Corpora {
  /** Corpora with two truth files each. */
  static final List<String> NEARDUP = List.of("spdx", "mdver-en", "mdver-zh", "debdesc");

  /** Corpora with one truth file, of alphanumeric tokens. */
  static final List<String> OTHERS = List.of("mtrag", "medquad");

  private static final int QUICK = 3000;
  private static final List<String> MADE = List.of("made-long", "made-short");

  private final Optional<Path> data;
  private final boolean isQuick;

  Corpora(Optional<Path> data, boolean isQuick) {
    this.data = data;
    this.isQuick = isQuick;
  }

  boolean isMade() {
    return data.isEmpty();
  }

  /** The names of the corpora that are there. */
  List<String> names() {
    if (isMade()) {
      return MADE;
    }
    List<String> out = new ArrayList<>();
    for (String name : NEARDUP) {
      if (Files.exists(texts(name))) {
        out.add(name);
      }
    }
    for (String name : OTHERS) {
      if (Files.exists(texts(name)) && Files.exists(folder(name).resolve("neardup.tsv.gz"))) {
        out.add(name);
      }
    }
    if (out.isEmpty()) {
      throw new IllegalArgumentException(
          "no corpus of " + NEARDUP + " or " + OTHERS + " is in " + data.orElseThrow());
    }
    return out;
  }

  /** The corpus of chunks of some 160 shingles, such as a documentation's. */
  Corpus longer() throws IOException {
    return read(isMade() ? "made-long" : "mdver-en");
  }

  /** The corpus of short descriptions. */
  Corpus shorter() throws IOException {
    return read(isMade() ? "made-short" : "debdesc");
  }

  Corpus read(String name) throws IOException {
    Corpus all;
    if (isMade()) {
      int size = isQuick ? 1000 : 20_000;
      all =
          name.equals("made-long")
              ? MadeTexts.corpus(name, size, 3, 330, 1)
              : MadeTexts.corpus(name, size, 3, 120, 2);
    } else {
      List<String> ids = new ArrayList<>();
      List<String> texts = new ArrayList<>();
      JsonLines.read(
          texts(name),
          line -> {
            ids.add(String.valueOf(line.get("id")));
            texts.add(String.valueOf(line.get("text")));
          });
      all = new Corpus(name, ids, texts);
    }
    return isQuick ? all.first(QUICK) : all;
  }

  /** A file with truth about a corpus, or null. */
  @Nullable Path truth(String name, Tokens.Kind kind) {
    if (isMade()) {
      return null;
    }
    Path file =
        switch (kind) {
          case NORMALIZER -> folder(name).resolve(name + ".truth.tsv.gz");
          case BLANKS -> folder(name).resolve(name + ".truth-ws.tsv.gz");
          case ALPHANUMERIC -> folder(name).resolve("neardup.tsv.gz");
        };
    return Files.exists(file) ? file : null;
  }

  private Path folder(String name) {
    return data.orElseThrow().resolve(NEARDUP.contains(name) ? "neardup" : name);
  }

  private Path texts(String name) {
    return folder(name).resolve(NEARDUP.contains(name) ? name + ".jsonl.gz" : "corpus.jsonl.gz");
  }
}

package dev.petunia.examples.conversation;

import dev.petunia.core.Chunk;
import dev.petunia.core.Embedder;
import dev.petunia.examples.conversation.corpus.Chunks;
import dev.petunia.examples.conversation.corpus.Corpus;
import dev.petunia.onnx.AllMiniLm;
import dev.petunia.retriever.IngestReport;
import dev.petunia.retriever.Retriever;
import dev.petunia.retriever.RetrieverConfig;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Keeps an index for each corpus in a folder named by the corpus's fingerprint. An index that is
 * being built is committed now and then; when the program is ended and started again, it goes on
 * from there.
 */
public final class IndexCache {
  private static final int COMMIT_EVERY = 4096;
  private static final String COMPLETE = "complete";

  private final Path folder;
  private final PrintStream out;

  /** Keeps them in this folder, and tells what it does. */
  public IndexCache(Path folder, PrintStream out) {
    this.folder = folder;
    this.out = out;
  }

  /** Where indexes are kept unless told otherwise; the examples share them. */
  public static Path defaultFolder() {
    String xdg = System.getenv("XDG_CACHE_HOME");
    Path base =
        xdg != null && !xdg.isBlank()
            ? Path.of(xdg)
            : Path.of(System.getProperty("user.home"), ".cache");
    return base.resolve("petunia").resolve("conversation");
  }

  /** The index of a corpus, built when it is not there. */
  public Retriever open(Corpus corpus) throws IOException {
    return open(corpus, config -> config);
  }

  /** The index of a corpus, built when it is not there, opened with further options. */
  public Retriever open(Corpus corpus, UnaryOperator<RetrieverConfig.Builder> options)
      throws IOException {
    Path index = folder.resolve(corpus.fingerprint());
    boolean complete = Files.exists(index.resolve(COMPLETE));
    Embedder embedder = AllMiniLm.open();
    Retriever retriever;
    try {
      retriever = Retriever.open(index, options.apply(RetrieverConfig.builder(embedder)).build());
    } catch (Throwable t) {
      embedder.close(); // the retriever closes it only when there is one
      throw t;
    }
    if (complete) {
      out.printf("%s: %,d passages, from %s%n", corpus.name(), retriever.size(), index);
      return retriever;
    }
    try {
      build(corpus, index, retriever);
      return retriever;
    } catch (Throwable t) {
      retriever.close();
      throw t;
    }
  }

  private void build(Corpus corpus, Path index, Retriever retriever) throws IOException {
    out.printf("First run: indexing %s in %s%n", corpus.name(), index);
    ProgressBar bar = new ProgressBar(out);
    Chunks chunks = corpus.chunks(bar);
    bar.end();
    chunks.report().lines(3).forEach(out::println);
    if (chunks.total() == 0) {
      throw new IOException("the corpus has no text");
    }
    List<Chunk> missing =
        chunks.list().stream().filter(c -> retriever.get(c.id()).isEmpty()).toList();
    if (missing.size() < chunks.total()) {
      out.printf("%,d passages are there already%n", chunks.total() - missing.size());
    }
    long began = System.nanoTime();
    long tokens = 0;
    int truncated = 0;
    for (int i = 0; i < missing.size(); i += COMMIT_EVERY) {
      List<Chunk> part = missing.subList(i, Math.min(missing.size(), i + COMMIT_EVERY));
      int before = i;
      IngestReport report =
          retriever.ingest(
              part.iterator(),
              (stage, done, total) -> bar.onProgress("passages", before + done, missing.size()),
              part.size());
      retriever.commit();
      tokens += report.tokens();
      truncated += report.truncated().size();
    }
    bar.end();
    Files.writeString(index.resolve(COMPLETE), corpus.name() + "\n");
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    out.printf(
        "%,d passages, %,d tokens in %s; %,d passages are longer than the model reads%n",
        missing.size(), tokens, ProgressBar.text(took), truncated);
  }
}

package dev.petunia.onnx;

import dev.petunia.core.Embedder;
import dev.petunia.core.Embedding;
import dev.petunia.core.IndexClosedException;
import dev.petunia.core.TextForm;
import dev.petunia.core.internal.Checks;
import dev.petunia.onnx.internal.CloseGate;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * A text embedding model on ONNX Runtime.
 *
 * <p>Each text is one run of the model, without padding, so its vector has the same bits whatever
 * is embedded beside it and with any number of threads. Texts of a list are run in parallel, one
 * thread each. At most {@code threads} texts are run at the same moment, by all callers together;
 * waiting callers are served in turn, so a question asked during a long ingest waits for about one
 * text.
 *
 * <p>Threads are daemons, are started when a list needs them, and end after 10 idle seconds: an
 * open embedder keeps no thread and doesn't keep the JVM alive. A call doesn't react to interrupts;
 * who wants to stop between texts passes shorter lists.
 */
public final class OnnxEmbedder implements Embedder {
  private final EmbedderModel model;
  private final TextRunner runner;
  private final ParallelTexts parallel;

  /** Most texts in the model at the same moment. Fair: a single question must not starve. */
  private final Semaphore permits;

  private final CloseGate gate;

  private OnnxEmbedder(EmbedderModel model, int threads, TextRunner runner) {
    this.model = model;
    this.runner = runner;
    this.permits = new Semaphore(threads, true);
    this.parallel = new ParallelTexts(model.name(), threads);
    this.gate = new CloseGate("embedder " + model.name());
  }

  /** A builder of an embedder of {@code model}. */
  public static Builder builder(EmbedderModel model) {
    return new Builder(Checks.present("model", model));
  }

  @Override
  public String modelId() {
    return model.id();
  }

  @Override
  public int dimension() {
    return model.dimension();
  }

  @Override
  public int maxTokens() {
    return model.maxTokens();
  }

  @Override
  public boolean distinguishesForms() {
    return !model.prefix(TextForm.QUERY).equals(model.prefix(TextForm.DOCUMENT));
  }

  /**
   * The embeddings of texts, in their order. An empty text is allowed, an empty list too. Of a text
   * with more than {@link #maxTokens} tokens only the first are read, and the embedding says so; of
   * a text of more than 1,048,576 UTF-16 units never more than these are looked at.
   *
   * @throws IllegalArgumentException a text is null or has an unpaired surrogate: nothing is run
   * @throws IndexClosedException when closed, also when closed before all texts were run
   * @throws ModelException when the model fails on a text
   */
  @Override
  public List<Embedding> embed(List<String> texts, TextForm form) {
    Checks.present("form", form);
    String[] copy = Checks.present("texts", texts).toArray(String[]::new);
    for (int i = 0; i < copy.length; i++) {
      Checks.wellFormed("texts[" + i + "]", copy[i]);
    }
    gate.check();
    Embedding[] out = new Embedding[copy.length];
    String prefix = model.prefix(form);
    parallel.run(copy.length, i -> out[i] = embedOne(prefix, copy[i], i));
    return List.copyOf(Arrays.asList(out));
  }

  private Embedding embedOne(String prefix, String text, int index) {
    permits.acquireUninterruptibly();
    try {
      gate.enter();
      try {
        return runner.run(prefix, text, index);
      } finally {
        gate.exit();
      }
    } finally {
      permits.release();
    }
  }

  /** Waits for the texts that are in the model, then frees it. Calls after that are refused. */
  @Override
  public void close() {
    if (gate.close()) {
      parallel.close();
      runner.close();
    }
  }

  @Override
  public String toString() {
    return "OnnxEmbedder[" + model.id() + ']';
  }

  /** Options of an embedder. */
  public static final class Builder {
    private final EmbedderModel model;
    private int threads = Math.min(8, Runtime.getRuntime().availableProcessors());
    private int intraOpThreads = 1;

    private Builder(EmbedderModel model) {
      this.model = model;
    }

    /**
     * Most texts that are run at the same moment; 1 to 256. Default: the number of processors, at
     * most 8. Each needs memory of its own: some 7 MB with MiniLM at 256 tokens.
     */
    public Builder threads(int value) {
      threads = Checks.range("threads", value, 1, 256);
      return this;
    }

    /**
     * Threads that share the work of one text; 1 to 64, default 1. More than 1 makes a single text
     * faster, and a list of texts slower. The bits stay the same.
     */
    public Builder intraOpThreads(int value) {
      intraOpThreads = Checks.range("intraOpThreads", value, 1, 64);
      return this;
    }

    /**
     * Loads the model and runs it once, on as many tokens as it may have to read, at most 1024.
     *
     * @throws ModelException a file is missing or damaged, the graph isn't as described, or the
     *     platform has no native libraries
     */
    public OnnxEmbedder open() {
      return new OnnxEmbedder(model, threads, TextRunner.open(model, intraOpThreads));
    }
  }
}

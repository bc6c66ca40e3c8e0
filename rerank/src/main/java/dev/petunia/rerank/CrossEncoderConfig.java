package dev.petunia.rerank;

import dev.petunia.core.internal.Checks;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which model, and how it is run.
 *
 * @param model an {@code .onnx} file, or a directory that holds one (itself or in its folder {@code
 *     onnx}); weights in a file beside the graph are found there
 * @param tokenizer a {@code tokenizer.json}; empty: beside the graph or one folder up
 * @param name what labels begin with; empty: the directory's or the file's name
 * @param style how query and passage become one input
 * @param instruction what a relevant passage is, for {@link PromptStyle#QWEN3}; in English
 * @param maxTokens most tokens of an input, template and query included, 64 to 32768; empty: 1024
 *     for {@link PromptStyle#QWEN3}, 512 for {@link PromptStyle#PAIR}
 * @param maxDocumentTokens most tokens of a passage, 1 to 32768; longer ones are cut and reported.
 *     Time grows with it
 * @param workers passages in the model at a time, 1 to 64
 * @param intraOpThreads threads of one passage, 1 to 64
 * @param cacheBytes most bytes of the score cache; 0 for none
 * @param rewrite compute only the last position and two logits, where the graph allows it
 * @param reusePrefix compute what all passages of a query share only once, where the graph has
 *     inputs for it
 * @param check how much is tried before the model is ready
 */
public record CrossEncoderConfig(
    Path model,
    Optional<Path> tokenizer,
    Optional<String> name,
    PromptStyle style,
    String instruction,
    OptionalInt maxTokens,
    int maxDocumentTokens,
    int workers,
    int intraOpThreads,
    long cacheBytes,
    boolean rewrite,
    boolean reusePrefix,
    CheckLevel check) {
  /** The instruction of the model card of Qwen3-Reranker. */
  public static final String DEFAULT_INSTRUCTION =
      "Given a web search query, retrieve relevant passages that answer the query";

  private static final int MOST_TOKENS = 32_768;
  private static final int MOST_THREADS = 64;

  /** Checks. */
  public CrossEncoderConfig {
    Checks.present("model", model);
    Checks.present("tokenizer", tokenizer);
    Checks.present("name", name).ifPresent(n -> Checks.id("name", n));
    Checks.present("style", style);
    Checks.wellFormed("instruction", instruction);
    Checks.present("maxTokens", maxTokens)
        .ifPresent(n -> Checks.range("maxTokens", n, 64, MOST_TOKENS));
    Checks.range("maxDocumentTokens", maxDocumentTokens, 1, MOST_TOKENS);
    Checks.range("workers", workers, 1, MOST_THREADS);
    Checks.range("intraOpThreads", intraOpThreads, 1, MOST_THREADS);
    Checks.range("cacheBytes", cacheBytes, 0, 1L << 40);
    Checks.present("check", check);
  }

  /**
   * A builder: one worker for each processor with one thread each, a cache of 4 MiB, rewriting and
   * prefix reuse on, check {@link CheckLevel#FULL}.
   */
  public static Builder builder(Path model) {
    return new Builder(model);
  }

  /** Collects options. */
  public static final class Builder {
    private final Path model;
    private Optional<Path> tokenizer = Optional.empty();
    private Optional<String> name = Optional.empty();
    private PromptStyle style = PromptStyle.AUTO;
    private String instruction = DEFAULT_INSTRUCTION;
    private OptionalInt maxTokens = OptionalInt.empty();
    private int maxDocumentTokens = MOST_TOKENS;
    private int workers = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, MOST_THREADS);
    private int intraOpThreads = 1;
    private long cacheBytes = 4L << 20;
    private boolean rewrite = true;
    private boolean reusePrefix = true;
    private CheckLevel check = CheckLevel.FULL;

    private Builder(Path model) {
      this.model = model;
    }

    /** The tokenizer, where it isn't beside the graph. */
    public Builder tokenizer(Path value) {
      tokenizer = Optional.of(Checks.present("tokenizer", value));
      return this;
    }

    /** What labels begin with. */
    public Builder name(String value) {
      name = Optional.of(Checks.present("name", value));
      return this;
    }

    /** How query and passage become one input. */
    public Builder style(PromptStyle value) {
      style = value;
      return this;
    }

    /** What a relevant passage is. */
    public Builder instruction(String value) {
      instruction = value;
      return this;
    }

    /** Most tokens of an input. */
    public Builder maxTokens(int value) {
      maxTokens = OptionalInt.of(value);
      return this;
    }

    /** Most tokens of a passage. */
    public Builder maxDocumentTokens(int value) {
      maxDocumentTokens = value;
      return this;
    }

    /** Passages in the model at a time. */
    public Builder workers(int value) {
      workers = value;
      return this;
    }

    /** Threads of one passage. */
    public Builder intraOpThreads(int value) {
      intraOpThreads = value;
      return this;
    }

    /** Most bytes of the score cache. */
    public Builder cacheBytes(long value) {
      cacheBytes = value;
      return this;
    }

    /** Whether the graph is rewritten. */
    public Builder rewrite(boolean value) {
      rewrite = value;
      return this;
    }

    /** Whether the shared prefix is computed once. */
    public Builder reusePrefix(boolean value) {
      reusePrefix = value;
      return this;
    }

    /** How much is tried before the model is ready. */
    public Builder check(CheckLevel value) {
      check = value;
      return this;
    }

    /** The configuration. */
    public CrossEncoderConfig build() {
      return new CrossEncoderConfig(
          model,
          tokenizer,
          name,
          style,
          instruction,
          maxTokens,
          maxDocumentTokens,
          workers,
          intraOpThreads,
          cacheBytes,
          rewrite,
          reusePrefix,
          check);
    }
  }
}

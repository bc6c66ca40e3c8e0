package dev.petunia.lexical;

import dev.petunia.core.internal.Checks;

/**
 * Options of a lexical index. Immutable; made by {@link #builder}, changed by {@link #toBuilder}.
 *
 * <p>Only the analysis is stored with the index. {@code k1} and {@code b} act when a query is
 * scored and may differ from one opening to the next.
 *
 * <p>The defaults of k1 and b were chosen by nDCG@10 with English analysis. Prose: scifact (train,
 * test), cranfield, vaswani, cisi, medquad, mtrag (questions, rewrites). Code: 18,540 documentation
 * comments of the JDK, asked for by class and method names, whole and as words.
 *
 * <table>
 * <caption>nDCG@10, mean over the sets</caption>
 * <tr><th>k1</th><th>b</th><th>prose, 8 sets</th><th>code, 5 sets</th></tr>
 * <tr><td>0.9</td><td>0.4</td><td>0.4348</td><td>0.7183</td></tr>
 * <tr><td>1.2</td><td>0.6</td><td>0.4460</td><td>0.7207</td></tr>
 * <tr><td>1.2</td><td>0.75</td><td>0.4458</td><td>0.7092</td></tr>
 * <tr><td>1.5</td><td>0.6</td><td>0.4498</td><td>0.7177</td></tr>
 * <tr><td>2.0</td><td>0.6</td><td>0.4519</td><td>0.7107</td></tr>
 * </table>
 *
 * <p>Set by set the differences are small and go both ways; 1.5 and 0.6 are nowhere bad.
 */
public final class LexicalConfig {
  /** The default of {@code k1}. */
  public static final float DEFAULT_K1 = 1.5f;

  /** The default of {@code b}. */
  public static final float DEFAULT_B = 0.6f;

  /** The default of {@code ramBufferMegabytes}. */
  public static final int DEFAULT_RAM_BUFFER_MEGABYTES = 64;

  private final TextAnalysis analysis;
  private final float k1;
  private final float b;
  private final int ramBufferMegabytes;

  private LexicalConfig(Builder builder) {
    analysis = builder.analysis;
    k1 = builder.k1;
    b = builder.b;
    ramBufferMegabytes = builder.ramBufferMegabytes;
  }

  /** All defaults. */
  public static LexicalConfig defaults() {
    return builder().build();
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder with these values. */
  public Builder toBuilder() {
    Builder builder = new Builder();
    builder.analysis = analysis;
    builder.k1 = k1;
    builder.b = b;
    builder.ramBufferMegabytes = ramBufferMegabytes;
    return builder;
  }

  /** How text becomes terms. */
  public TextAnalysis analysis() {
    return analysis;
  }

  /** How soon more occurrences of a term stop to count; 0 counts presence only. */
  public float k1() {
    return k1;
  }

  /** How much a chunk's length counts, from 0 not at all to 1 fully. */
  public float b() {
    return b;
  }

  /** Changes held in memory before they go to a segment of their own, in 2^20 bytes. */
  public int ramBufferMegabytes() {
    return ramBufferMegabytes;
  }

  @Override
  public String toString() {
    return "LexicalConfig[analysis=%s, k1=%s, b=%s, ramBufferMegabytes=%d]"
        .formatted(analysis.name(), k1, b, ramBufferMegabytes);
  }

  /** Collects and checks options; each setter names what is wrong. */
  public static final class Builder {
    private TextAnalysis analysis = TextAnalysis.english();
    private float k1 = DEFAULT_K1;
    private float b = DEFAULT_B;
    private int ramBufferMegabytes = DEFAULT_RAM_BUFFER_MEGABYTES;

    private Builder() {}

    /** How text becomes terms; default {@link TextAnalysis#english}. */
    public Builder analysis(TextAnalysis analysis) {
      this.analysis = Checks.present("analysis", analysis);
      return this;
    }

    /** 0 to 100; default {@value #DEFAULT_K1}. */
    public Builder k1(double k1) {
      this.k1 = (float) Checks.range("k1", k1, 0, 100);
      return this;
    }

    /** 0 to 1; default {@value #DEFAULT_B}. */
    public Builder b(double b) {
      this.b = (float) Checks.range("b", b, 0, 1);
      return this;
    }

    /** 1 to 2047; default {@value #DEFAULT_RAM_BUFFER_MEGABYTES}. */
    public Builder ramBufferMegabytes(int megabytes) {
      this.ramBufferMegabytes = Checks.range("ramBufferMegabytes", megabytes, 1, 2047);
      return this;
    }

    /** The options. */
    public LexicalConfig build() {
      return new LexicalConfig(this);
    }
  }
}

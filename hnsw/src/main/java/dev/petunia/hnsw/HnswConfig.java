package dev.petunia.hnsw;

import dev.petunia.core.FilterCompiler;
import dev.petunia.core.Similarity;
import dev.petunia.core.internal.Checks;
import java.util.Optional;
import java.util.OptionalInt;

/** The options of an {@link HnswIndex}; immutable, made by {@link #builder}. */
public final class HnswConfig {
  /** Most components of a vector. */
  public static final int MAX_DIMENSION = 65_536;

  private final int dimension;
  private final Similarity similarity;
  private final int m;
  private final int efConstruction;
  private final OptionalInt ef;
  private final int maxEf;
  private final long seed;
  private final int threads;
  private final Quantization quantization;
  private final int codesFrom;
  private final Optional<FilterCompiler> filterCompiler;

  private HnswConfig(Builder b) {
    dimension = b.dimension;
    similarity = b.similarity;
    m = b.m;
    efConstruction = b.efConstruction;
    ef = b.ef;
    maxEf = b.maxEf;
    seed = b.seed;
    threads = b.threads;
    quantization = b.quantization;
    codesFrom = b.codesFrom;
    filterCompiler = b.filterCompiler;
    if (ef.isPresent() && ef.getAsInt() > maxEf) {
      throw Checks.bad("ef", ef.getAsInt(), "1 to maxEf, " + maxEf);
    }
  }

  /**
   * Options with their defaults.
   *
   * @param dimension components of each vector, 1 to {@value #MAX_DIMENSION}
   */
  public static Builder builder(int dimension, Similarity similarity) {
    return new Builder(dimension, similarity);
  }

  /** A builder that starts from these options. */
  public Builder toBuilder() {
    Builder b = new Builder(dimension, similarity);
    b.m = m;
    b.efConstruction = efConstruction;
    b.ef = ef;
    b.maxEf = maxEf;
    b.seed = seed;
    b.threads = threads;
    b.quantization = quantization;
    b.codesFrom = codesFrom;
    b.filterCompiler = filterCompiler;
    return b;
  }

  /** Components of each vector. */
  public int dimension() {
    return dimension;
  }

  /** The metric. */
  public Similarity similarity() {
    return similarity;
  }

  /** Neighbours chosen for a new node on each layer; layer 0 holds up to 2M. */
  public int m() {
    return m;
  }

  /** Beam width of an insert. */
  public int efConstruction() {
    return efConstruction;
  }

  /** The index's default of ef; empty: by size, see {@link #autoEf}. */
  public OptionalInt ef() {
    return ef;
  }

  /** No query may ask for a greater ef. */
  public int maxEf() {
    return maxEf;
  }

  /** Seed of the level draw. */
  public long seed() {
    return seed;
  }

  /** Threads of a bulk build; its result does not depend on them. */
  public int threads() {
    return threads;
  }

  /** How vectors are compressed for walks. */
  public Quantization quantization() {
    return quantization;
  }

  /** With how many vectors codes begin. */
  int codesFrom() {
    return codesFrom;
  }

  /** What turns a query's {@link dev.petunia.core.Filter} into ids. */
  public Optional<FilterCompiler> filterCompiler() {
    return filterCompiler;
  }

  /**
   * The ef of a query that names none, in an index that names none: 100 up to 100,000 vectors, then
   * growing with the square root of their number, to {@link #maxEf} at most.
   */
  int autoEf(int vectors) {
    double grown = 100 * Math.sqrt(Math.max(1, vectors / 100_000.0));
    return (int) Math.min(maxEf, grown);
  }

  /** Collects options; each method checks its value at once. */
  public static final class Builder {
    private final int dimension;
    private final Similarity similarity;
    private int m = 16;
    private int efConstruction = 200;
    private OptionalInt ef = OptionalInt.empty();
    private int maxEf = 1000;
    private long seed = 42;
    private int threads = Runtime.getRuntime().availableProcessors();
    private Quantization quantization = Quantization.NONE;
    private int codesFrom = Training.AT_LEAST;
    private Optional<FilterCompiler> filterCompiler = Optional.empty();

    private Builder(int dimension, Similarity similarity) {
      this.dimension = Checks.range("dimension", dimension, 1, MAX_DIMENSION);
      this.similarity = Checks.present("similarity", similarity);
    }

    /** Neighbours chosen for a new node on each layer, 2 to 128; default 16. */
    public Builder m(int newM) {
      m = Checks.range("m", newM, 2, 128);
      return this;
    }

    /** Beam width of an insert, 1 to 10,000; default 200. More builds a better graph, slower. */
    public Builder efConstruction(int newEfConstruction) {
      efConstruction = Checks.range("efConstruction", newEfConstruction, 1, 10_000);
      return this;
    }

    /** Beam width of queries that name none, 1 to maxEf; default: by size. */
    public Builder ef(int newEf) {
      ef = OptionalInt.of(Checks.range("ef", newEf, 1, Integer.MAX_VALUE));
      return this;
    }

    /**
     * Cap of ef, and of offset + limit, 1 to 1,000,000; default 1000. Keeps a query that comes from
     * outside from forcing a pathological walk.
     */
    public Builder maxEf(int newMaxEf) {
      maxEf = Checks.range("maxEf", newMaxEf, 1, 1_000_000);
      return this;
    }

    /** Seed of the level draw; default 42. */
    public Builder seed(long newSeed) {
      seed = newSeed;
      return this;
    }

    /**
     * Threads of a bulk build, 1 to 1024; default: the processors. The graph that is built does not
     * depend on them, see {@link HnswIndex#upsertAll}.
     */
    public Builder threads(int newThreads) {
      threads = Checks.range("threads", newThreads, 1, 1024);
      return this;
    }

    /**
     * How vectors are compressed for walks; default {@link Quantization#NONE}. Not part of what is
     * stored for good: an index opened with another kind is coded anew.
     */
    public Builder quantization(Quantization newQuantization) {
      quantization = Checks.present("quantization", newQuantization);
      return this;
    }

    /** What turns a query's filter into ids; without it such queries are refused. */
    public Builder filterCompiler(FilterCompiler newCompiler) {
      filterCompiler = Optional.of(Checks.present("filterCompiler", newCompiler));
      return this;
    }

    /** With how many vectors codes begin; for tests. */
    Builder codesFrom(int vectors) {
      codesFrom = vectors;
      return this;
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException when they don't fit together
     */
    public HnswConfig build() {
      return new HnswConfig(this);
    }
  }
}

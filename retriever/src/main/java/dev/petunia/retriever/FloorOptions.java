package dev.petunia.retriever;

import dev.petunia.core.Diversify;
import dev.petunia.core.internal.Checks;
import dev.petunia.dedup.RescoreConfig;
import java.time.Duration;
import java.util.Optional;

/**
 * The numbers of a floor: how many candidates each stage takes and gives. Immutable; made by {@link
 * #builder()} or {@link #toBuilder()}.
 */
public final class FloorOptions {
  /** All defaults. */
  public static final FloorOptions DEFAULT = builder().build();

  private final int pool;
  private final int densePool;
  private final int lexicalPool;
  private final int rareTermPool;
  private final double rareTermWeight;
  private final boolean bothForms;
  private final int rrfK;
  private final int size;
  private final int display;
  private final Optional<RescoreConfig> rescore;
  private final double lambda;
  private final Duration reserve;
  private final int neighbours;
  private final Optional<String> linksAttribute;
  private final int expandFrom;
  private final int expansionPool;
  private final double expansionWeight;

  private FloorOptions(Builder b) {
    pool = b.pool;
    densePool = b.densePool;
    lexicalPool = b.lexicalPool;
    rareTermPool = b.rareTermPool;
    rareTermWeight = b.rareTermWeight;
    bothForms = b.bothForms;
    rrfK = b.rrfK;
    size = b.size;
    display = b.display;
    rescore = b.rescore;
    lambda = b.lambda;
    reserve = b.reserve;
    neighbours = b.neighbours;
    linksAttribute = b.linksAttribute;
    expandFrom = b.expandFrom;
    expansionPool = b.expansionPool;
    expansionWeight = b.expansionWeight;
    if (size > pool) {
      throw Checks.bad("size", size, "1 to pool, " + pool);
    }
    if (display > size) {
      throw Checks.bad("display", display, "0 to size, " + size);
    }
    if (lambda < 1 && size > Diversify.MAX_POOL) {
      throw Checks.bad("size", size, "1 to " + Diversify.MAX_POOL + " when lambda is below 1");
    }
  }

  /** Options with their defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** A builder that starts from these. */
  public Builder toBuilder() {
    Builder b = new Builder();
    b.pool = pool;
    b.densePool = densePool;
    b.lexicalPool = lexicalPool;
    b.rareTermPool = rareTermPool;
    b.rareTermWeight = rareTermWeight;
    b.bothForms = bothForms;
    b.rrfK = rrfK;
    b.size = size;
    b.display = display;
    b.rescore = rescore;
    b.lambda = lambda;
    b.reserve = reserve;
    b.neighbours = neighbours;
    b.linksAttribute = linksAttribute;
    b.expandFrom = expandFrom;
    b.expansionPool = expansionPool;
    b.expansionWeight = expansionWeight;
    return b;
  }

  /** Most candidates after fusion: what the cross-encoder may score. */
  public int pool() {
    return pool;
  }

  /** Candidates of the vector search. */
  public int densePool() {
    return densePool;
  }

  /** Candidates of BM25. */
  public int lexicalPool() {
    return lexicalPool;
  }

  /** Candidates of the rare-term channel; 0: off. */
  public int rareTermPool() {
    return rareTermPool;
  }

  /** What a place in the rare-term channel counts in fusion, where the other channels count 1. */
  public double rareTermWeight() {
    return rareTermWeight;
  }

  /** Whether the question is embedded as a document too, and candidates may be near to either. */
  public boolean bothForms() {
    return bothForms;
  }

  /** The constant of reciprocal rank fusion. */
  public int rrfK() {
    return rrfK;
  }

  /** Most passages of the floor. */
  public int size() {
    return size;
  }

  /** How many of them are meant to be shown; these count as served. */
  public int display() {
    return display;
  }

  /** How the best candidates are rescored by the similarity of words; empty: they are not. */
  public Optional<RescoreConfig> rescore() {
    return rescore;
  }

  /** Balance of relevance (1) and diversity (0) within the floor. */
  public double lambda() {
    return lambda;
  }

  /** Time kept back from the cross-encoder for assembling the answer. */
  public Duration reserve() {
    return reserve;
  }

  /** How many chunks before and after a candidate in its entry become candidates; 0: off. */
  public int neighbours() {
    return neighbours;
  }

  /** The attribute that lists the entries an entry links to. */
  public Optional<String> linksAttribute() {
    return linksAttribute;
  }

  /** How many of the best candidates are expanded. */
  public int expandFrom() {
    return expandFrom;
  }

  /**
   * Most candidates that expansion adds or confirms; what finds no room is counted in {@link
   * Floor#notes}. Neighbours take half of it at most when links are followed too.
   */
  public int expansionPool() {
    return expansionPool;
  }

  /** What a place among the expanded counts in fusion, where the vector search and BM25 count 1. */
  public double expansionWeight() {
    return expansionWeight;
  }

  /** Whether there is anything to expand by. */
  boolean expands() {
    return neighbours > 0 || linksAttribute.isPresent();
  }

  /** Collects options; each method checks its value at once. */
  public static final class Builder {
    private int pool = 376;
    private int densePool = 376;
    private int lexicalPool = 376;
    private int rareTermPool = 64;
    private double rareTermWeight = 0.1;
    private boolean bothForms = true;
    private int rrfK = 60;
    private int size = 28;
    private int display = 8;
    private Optional<RescoreConfig> rescore = Optional.of(RescoreConfig.DEFAULT);
    private double lambda = 1;
    private Duration reserve = Duration.ofMillis(10);
    private int neighbours;
    private Optional<String> linksAttribute = Optional.empty();
    private int expandFrom = 28;
    private int expansionPool = 64;
    private double expansionWeight = 0.1;

    private Builder() {}

    /** 1 to 100,000, default 376. */
    public Builder pool(int newPool) {
      pool = Checks.range("pool", newPool, 1, 100_000);
      return this;
    }

    /** 1 to the index's maxEf, default 376. */
    public Builder densePool(int newDensePool) {
      densePool = Checks.range("densePool", newDensePool, 1, 1_000_000);
      return this;
    }

    /** 1 to 100,000, default 376. */
    public Builder lexicalPool(int newLexicalPool) {
      lexicalPool = Checks.range("lexicalPool", newLexicalPool, 1, 100_000);
      return this;
    }

    /** 0 to 100,000, default 64; 0: no rare-term channel. */
    public Builder rareTermPool(int newRareTermPool) {
      rareTermPool = Checks.range("rareTermPool", newRareTermPool, 0, 100_000);
      return this;
    }

    /**
     * In [0, 1], default 0.1: enough to bring candidates that no other channel found into the pool,
     * too little to overturn the others. At 1 the channel lowers nDCG@10 (docs/floor.md).
     */
    public Builder rareTermWeight(double newWeight) {
      rareTermWeight = Checks.range("rareTermWeight", newWeight, 0, 1);
      return this;
    }

    /** Default true; costs a second run of the embedder. */
    public Builder bothForms(boolean newBothForms) {
      bothForms = newBothForms;
      return this;
    }

    /** 1 to 10,000, default 60. */
    public Builder rrfK(int newRrfK) {
      rrfK = Checks.range("rrfK", newRrfK, 1, 10_000);
      return this;
    }

    /** 1 to pool, default 28. */
    public Builder size(int newSize) {
      size = Checks.range("size", newSize, 1, 100_000);
      return this;
    }

    /** 0 to size, default 8. */
    public Builder display(int newDisplay) {
      display = Checks.range("display", newDisplay, 0, 100_000);
      return this;
    }

    /** {@link RescoreConfig#DEFAULT} by default: a pasted passage heads the floor. */
    public Builder rescore(RescoreConfig newRescore) {
      rescore = Optional.of(Checks.present("rescore", newRescore));
      return this;
    }

    /** The order of fusion stays as it is. */
    public Builder noRescore() {
      rescore = Optional.empty();
      return this;
    }

    /** In [0, 1], default 1: no diversity. */
    public Builder lambda(double newLambda) {
      lambda = Checks.range("lambda", newLambda, 0, 1);
      return this;
    }

    /** 0 to 10 s, default 10 ms. */
    public Builder reserve(Duration newReserve) {
      Checks.present("reserve", newReserve);
      if (newReserve.isNegative() || newReserve.compareTo(Duration.ofSeconds(10)) > 0) {
        throw Checks.bad("reserve", newReserve, "PT0S to PT10S");
      }
      reserve = newReserve;
      return this;
    }

    /** 0 to 100, default 0. */
    public Builder neighbours(int newNeighbours) {
      neighbours = Checks.range("neighbours", newNeighbours, 0, 100);
      return this;
    }

    /**
     * The attribute with the ids of linked entries, a text or a list of texts; none by default.
     * Chunks of those entries that the question's words or vector are nearest to become candidates.
     */
    public Builder linksAttribute(String name) {
      linksAttribute = Optional.of(Checks.id("linksAttribute", name));
      return this;
    }

    /** 1 to 1000, default 28. */
    public Builder expandFrom(int newExpandFrom) {
      expandFrom = Checks.range("expandFrom", newExpandFrom, 1, 1000);
      return this;
    }

    /** 1 to 1000, default 64. */
    public Builder expansionPool(int newExpansionPool) {
      expansionPool = Checks.range("expansionPool", newExpansionPool, 1, 1000);
      return this;
    }

    /** In [0, 1], default 0.1; see {@link #rareTermWeight}. */
    public Builder expansionWeight(double newWeight) {
      expansionWeight = Checks.range("expansionWeight", newWeight, 0, 1);
      return this;
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException when they don't fit together
     */
    public FloorOptions build() {
      return new FloorOptions(this);
    }
  }
}

package dev.petunia.retriever;

import dev.petunia.core.Embedder;
import dev.petunia.core.Reranker;
import dev.petunia.core.Similarity;
import dev.petunia.core.internal.Checks;
import dev.petunia.dedup.DedupConfig;
import dev.petunia.dedup.PromotionPolicy;
import dev.petunia.hnsw.HnswConfig;
import dev.petunia.lexical.LexicalConfig;
import dev.petunia.lexical.RareTermOptions;
import java.util.Optional;

/**
 * The options of a {@link Retriever}. Immutable; made by {@link #builder(Embedder)}, or by {@link
 * #builder(int, Similarity)} for callers that bring their own vectors.
 */
public final class RetrieverConfig {
  private final Optional<Embedder> embedder;
  private final HnswConfig vectors;
  private final LexicalConfig lexical;
  private final RareTermOptions rareTerms;
  private final Optional<Reranker> reranker;
  private final FloorOptions floor;
  private final Optional<QueryLogOptions> queryLog;
  private final Optional<DedupConfig> nearDuplicates;
  private final PromotionPolicy promotionPolicy;
  private final int densePool;
  private final int lexicalPool;
  private final int rrfK;
  private final double questionWeight;
  private final double decay;
  private final double servedShare;
  private final int carriedQuestions;

  private RetrieverConfig(Builder b) {
    embedder = b.embedder;
    vectors = b.vectors.build();
    lexical = b.lexical;
    rareTerms = b.rareTerms;
    reranker = b.reranker;
    floor = b.floor.orElseGet(this::defaultFloor);
    queryLog = b.queryLog;
    nearDuplicates = b.nearDuplicates;
    promotionPolicy = b.promotionPolicy;
    densePool = b.densePool;
    lexicalPool = b.lexicalPool;
    rrfK = b.rrfK;
    questionWeight = b.questionWeight;
    decay = b.decay;
    servedShare = b.servedShare;
    carriedQuestions = b.carriedQuestions;
    if (densePool > maxEf()) {
      throw Checks.bad("densePool", densePool, "1 to maxEf, " + maxEf());
    }
    if (floor.densePool() > maxEf()) {
      throw Checks.bad("floor.densePool", floor.densePool(), "1 to maxEf, " + maxEf());
    }
    if (floor.linksAttribute().isPresent() && floor.expansionPool() > maxEf()) {
      throw Checks.bad("floor.expansionPool", floor.expansionPool(), "1 to maxEf, " + maxEf());
    }
  }

  /** The defaults, as far as {@code maxEf} lets them: who never asks need not know them. */
  private FloorOptions defaultFloor() {
    FloorOptions defaults = FloorOptions.DEFAULT;
    return defaults.densePool() <= maxEf()
        ? defaults
        : defaults.toBuilder().densePool(maxEf()).build();
  }

  /** Options with their defaults; vectors come from this embedder, which the retriever closes. */
  public static Builder builder(Embedder embedder) {
    Checks.present("embedder", embedder);
    return new Builder(Optional.of(embedder), embedder.dimension(), Similarity.COSINE);
  }

  /** Options with their defaults, for vectors that the caller brings. */
  public static Builder builder(int dimension, Similarity similarity) {
    return new Builder(Optional.empty(), dimension, similarity);
  }

  /** What makes the vectors; empty: the caller brings them. */
  public Optional<Embedder> embedder() {
    return embedder;
  }

  /** Components of each vector. */
  public int dimension() {
    return vectors.dimension();
  }

  /** The metric; COSINE with an embedder. */
  public Similarity similarity() {
    return vectors.similarity();
  }

  /** The options of the vector index. */
  HnswConfig vectors() {
    return vectors;
  }

  /** See {@link HnswConfig#m}. */
  public int m() {
    return vectors.m();
  }

  /** See {@link HnswConfig#efConstruction}. */
  public int efConstruction() {
    return vectors.efConstruction();
  }

  /** See {@link HnswConfig#maxEf}. */
  public int maxEf() {
    return vectors.maxEf();
  }

  /** Threads that build the vector index in an ingest. */
  public int threads() {
    return vectors.threads();
  }

  /** Options of the text index. */
  public LexicalConfig lexical() {
    return lexical;
  }

  /** Which terms of a question are rare. */
  public RareTermOptions rareTerms() {
    return rareTerms;
  }

  /** The cross-encoder of floors. */
  public Optional<Reranker> reranker() {
    return reranker;
  }

  /** The numbers of a floor, where a request has none of its own. */
  public FloorOptions floor() {
    return floor;
  }

  /** Where questions and floors are logged. */
  public Optional<QueryLogOptions> queryLog() {
    return queryLog;
  }

  /** How near-duplicates are found when chunks are put; empty: they are not. */
  public Optional<DedupConfig> nearDuplicates() {
    return nearDuplicates;
  }

  /** Which near-duplicates answers leave out. */
  public PromotionPolicy promotionPolicy() {
    return promotionPolicy;
  }

  /** Candidates of the vector search. */
  public int densePool() {
    return densePool;
  }

  /** Candidates of the text search. */
  public int lexicalPool() {
    return lexicalPool;
  }

  /** The constant of reciprocal rank fusion. */
  public int rrfK() {
    return rrfK;
  }

  /** Weight of the question beside the conversation's centroid, which has the rest. */
  public double questionWeight() {
    return questionWeight;
  }

  /** Share of the old centroid in the new one. */
  public double decay() {
    return decay;
  }

  /** Share of what was served in what a turn was about; the question has the rest. */
  public double servedShare() {
    return servedShare;
  }

  /** How many earlier questions lend their words to the text search. */
  public int carriedQuestions() {
    return carriedQuestions;
  }

  /** Collects options; each method checks its value at once. */
  public static final class Builder {
    private final Optional<Embedder> embedder;
    private final HnswConfig.Builder vectors;
    private LexicalConfig lexical = LexicalConfig.builder().build();
    private RareTermOptions rareTerms = RareTermOptions.DEFAULT;
    private Optional<Reranker> reranker = Optional.empty();
    private Optional<FloorOptions> floor = Optional.empty();
    private Optional<QueryLogOptions> queryLog = Optional.empty();
    private Optional<DedupConfig> nearDuplicates = Optional.of(DedupConfig.DEFAULT);
    private PromotionPolicy promotionPolicy = PromotionPolicy.DEFAULT;
    private int densePool = 100;
    private int lexicalPool = 100;
    private int rrfK = 60;
    private double questionWeight = 0.5;
    private double decay = 0.5;
    private double servedShare = 0.5;
    private int carriedQuestions = 2;

    private Builder(Optional<Embedder> embedder, int dimension, Similarity similarity) {
      this.embedder = embedder;
      this.vectors = HnswConfig.builder(dimension, similarity);
    }

    /** 2 to 128, default 16; fixed when the index is made. */
    public Builder m(int newM) {
      vectors.m(newM);
      return this;
    }

    /** 1 to 10,000, default 200. */
    public Builder efConstruction(int newEfConstruction) {
      vectors.efConstruction(newEfConstruction);
      return this;
    }

    /** 1 to 1,000,000, default 1000. */
    public Builder maxEf(int newMaxEf) {
      vectors.maxEf(newMaxEf);
      return this;
    }

    /** 1 to 1024, default: the processors. */
    public Builder threads(int newThreads) {
      vectors.threads(newThreads);
      return this;
    }

    /** Options of the text index. */
    public Builder lexical(LexicalConfig newLexical) {
      lexical = Checks.present("lexical", newLexical);
      return this;
    }

    /** Default: a document frequency of at most 0.005, 32 terms. */
    public Builder rareTerms(RareTermOptions newRareTerms) {
      rareTerms = Checks.present("rareTerms", newRareTerms);
      return this;
    }

    /** The cross-encoder of {@link Retriever#ask}, which the retriever closes; none by default. */
    public Builder reranker(Reranker newReranker) {
      reranker = Optional.of(Checks.present("reranker", newReranker));
      return this;
    }

    /**
     * The numbers of {@link Retriever#ask}; their defaults unless set, with a densePool of at most
     * maxEf.
     */
    public Builder floor(FloorOptions newFloor) {
      floor = Optional.of(Checks.present("floor", newFloor));
      return this;
    }

    /** Where {@link Retriever#ask} logs; off by default. */
    public Builder queryLog(QueryLogOptions newQueryLog) {
      queryLog = Optional.of(Checks.present("queryLog", newQueryLog));
      return this;
    }

    /**
     * How near-duplicates are found when chunks are put; {@link DedupConfig#DEFAULT} by default.
     */
    public Builder nearDuplicates(DedupConfig newNearDuplicates) {
      nearDuplicates = Optional.of(Checks.present("nearDuplicates", newNearDuplicates));
      return this;
    }

    /**
     * Near-duplicates are not looked for, and none is left out of an answer. What was found before
     * stays, and is brought up to date when the directory is opened with them again.
     */
    public Builder noNearDuplicates() {
      nearDuplicates = Optional.empty();
      return this;
    }

    /** Which near-duplicates answers leave out; {@link PromotionPolicy#DEFAULT} by default. */
    public Builder promotionPolicy(PromotionPolicy newPolicy) {
      promotionPolicy = Checks.present("promotionPolicy", newPolicy);
      return this;
    }

    /** 1 to maxEf, default 100. A request for more passages takes as many candidates. */
    public Builder densePool(int newDensePool) {
      densePool = Checks.range("densePool", newDensePool, 1, 1_000_000);
      return this;
    }

    /** 1 to 100,000, default 100. A request for more passages takes as many candidates. */
    public Builder lexicalPool(int newLexicalPool) {
      lexicalPool = Checks.range("lexicalPool", newLexicalPool, 1, 100_000);
      return this;
    }

    /** 1 to 10,000, default 60 (Cormack, Clarke and Büttcher 2009). */
    public Builder rrfK(int newRrfK) {
      rrfK = Checks.range("rrfK", newRrfK, 1, 10_000);
      return this;
    }

    /** In (0, 1]; 1: the conversation's centroid is not a target. */
    public Builder questionWeight(double newWeight) {
      questionWeight = Checks.range("questionWeight", newWeight, 1e-6, 1);
      return this;
    }

    /** In [0, 1]; 0: only the last turn counts. */
    public Builder decay(double newDecay) {
      decay = Checks.range("decay", newDecay, 0, 1);
      return this;
    }

    /** In [0, 1]; 0: a turn is what was asked, 1: it is what was served. */
    public Builder servedShare(double newShare) {
      servedShare = Checks.range("servedShare", newShare, 0, 1);
      return this;
    }

    /** 0 to {@value ConversationState#MAX_QUESTIONS}; 0: the text search sees the question only. */
    public Builder carriedQuestions(int newCarried) {
      carriedQuestions =
          Checks.range("carriedQuestions", newCarried, 0, ConversationState.MAX_QUESTIONS);
      return this;
    }

    /**
     * The options.
     *
     * @throws IllegalArgumentException when they don't fit together
     */
    public RetrieverConfig build() {
      return new RetrieverConfig(this);
    }
  }
}

package dev.petunia.core;

import dev.petunia.core.internal.Checks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One search of a vector index: what is near to one or several targets, under options that all
 * compose. Immutable; made by {@link #builder}.
 *
 * <pre>{@code
 * VectorQuery.builder(question)          // or targets(question, conversation).weights(.7f, .3f)
 *     .seeds(lastHits)                   // begin also from what was found before
 *     .diversify(Diversify.of(0.5).against(served))
 *     .filter(Filter.eq("lang", "en"))
 *     .limit(8)
 *     .build();
 * }</pre>
 */
public final class VectorQuery {
  /** Most targets of one query. */
  public static final int MAX_TARGETS = 8;

  /** The default of {@code limit}. */
  public static final int DEFAULT_LIMIT = 10;

  private final List<float[]> targets;
  private final float[] weights;
  private final float @Nullable [] givenWeights; // as given, so that a copy normalises the same
  private final Combine combine;
  private final OptionalInt ef;
  private final List<String> seeds;
  private final Optional<Filter> filter;
  private final Optional<IdFilter> accept;
  private final Optional<Diversify> diversify;
  private final int limit;
  private final int offset;
  private final float minScore;

  private VectorQuery(Builder b) {
    targets = Collections.unmodifiableList(new ArrayList<>(b.targets));
    checkTargets(targets);
    combine = b.combine;
    weights = normalised(b);
    givenWeights = b.weights;
    ef = b.ef;
    seeds = Collections.unmodifiableList(new ArrayList<>(b.seeds));
    filter = b.filter;
    accept = b.accept;
    diversify = b.diversify;
    limit = b.limit;
    offset = b.offset;
    minScore = b.minScore;
    if (diversify.isPresent() && diversify.get().poolSize().isPresent()) {
      int pool = diversify.get().poolSize().getAsInt();
      if ((long) offset + limit > pool) {
        throw Checks.bad(
            "offset + limit", (long) offset + limit, "at most diversify.poolSize, " + pool);
      }
    }
  }

  private static void checkTargets(List<float[]> targets) {
    if (targets.isEmpty() || targets.size() > MAX_TARGETS) {
      throw Checks.badSize(
          "targets", targets.size() + " vectors", "1 to " + MAX_TARGETS + " vectors");
    }
    int dimension = targets.getFirst().length;
    for (int i = 1; i < targets.size(); i++) {
      if (targets.get(i).length != dimension) {
        throw Checks.badSize(
            "targets[" + i + "]",
            targets.get(i).length + " components",
            dimension + " components, as targets[0] has");
      }
    }
  }

  private static float[] normalised(Builder b) {
    int n = b.targets.size();
    float[] w = b.weights;
    if (w == null) {
      float[] uniform = new float[n];
      Arrays.fill(uniform, 1f / n);
      return uniform;
    }
    if (b.combine == Combine.MIN) {
      throw Checks.badSize("weights", w.length + " numbers", "none with combine MIN");
    }
    if (w.length != n) {
      throw Checks.badSize("weights", w.length + " numbers", n + " numbers, one for each target");
    }
    double sum = 0;
    for (int i = 0; i < n; i++) {
      if (!(w[i] >= 0) || Float.isInfinite(w[i])) {
        throw Checks.bad("weights[" + i + "]", w[i], "finite numbers of at least 0");
      }
      sum += w[i];
    }
    if (sum == 0) {
      throw Checks.badSize("weights", "no number above 0", "at least one above 0");
    }
    float[] out = new float[n];
    for (int i = 0; i < n; i++) {
      out[i] = (float) (w[i] / sum);
    }
    return out;
  }

  /** A query with one target. */
  public static Builder builder(float[] target) {
    return new Builder().targets(target);
  }

  /** A query with 1 to 8 targets. */
  public static Builder builder(List<float[]> targets) {
    return new Builder().targets(Checks.present("targets", targets).toArray(new float[0][]));
  }

  /** A builder that starts from this query. */
  public Builder toBuilder() {
    Builder b = new Builder();
    b.targets = targets;
    b.weights = givenWeights;
    b.combine = combine;
    b.ef = ef;
    b.seeds = seeds;
    b.filter = filter;
    b.accept = accept;
    b.diversify = diversify;
    b.limit = limit;
    b.offset = offset;
    b.minScore = minScore;
    return b;
  }

  /** Number of targets, 1 to 8. */
  public int targetCount() {
    return targets.size();
  }

  /** Number of components of each target. */
  public int dimension() {
    return targets.getFirst().length;
  }

  /** A copy of target {@code i}. */
  public float[] target(int i) {
    return targets.get(i).clone();
  }

  /** Copies target {@code i} into {@code into}, which has at least {@link #dimension} places. */
  public void copyTarget(int i, float[] into) {
    float[] t = targets.get(i);
    System.arraycopy(t, 0, into, 0, t.length);
  }

  /** The weight of target {@code i}; all weights sum to 1. */
  public float weight(int i) {
    return weights[i];
  }

  /** How several targets combine. */
  public Combine combine() {
    return combine;
  }

  /** The beam width asked for; empty: the index decides. */
  public OptionalInt ef() {
    return ef;
  }

  /** Ids to start from beside the entry point. */
  public List<String> seeds() {
    return seeds;
  }

  /** The filter on attributes. */
  public Optional<Filter> filter() {
    return filter;
  }

  /** The filter on ids; when both filters are set, a result passes both. */
  public Optional<IdFilter> accept() {
    return accept;
  }

  /** Diversity and exclusion. */
  public Optional<Diversify> diversify() {
    return diversify;
  }

  /** Most hits to return. */
  public int limit() {
    return limit;
  }

  /** Hits to skip, for paging. */
  public int offset() {
    return offset;
  }

  /** Lowest combined score of a hit; 0 = all. */
  public float minScore() {
    return minScore;
  }

  @Override
  public String toString() {
    return "VectorQuery[targets="
        + targets.size()
        + "x"
        + dimension()
        + (targets.size() > 1 ? " " + combine + " " + Arrays.toString(weights) : "")
        + (ef.isPresent() ? ", ef=" + ef.getAsInt() : "")
        + (seeds.isEmpty() ? "" : ", seeds=" + seeds.size())
        + filter.map(f -> ", filter=" + f).orElse("")
        + accept.map(f -> ", accept=" + f).orElse("")
        + diversify.map(d -> ", " + d).orElse("")
        + ", limit="
        + limit
        + ", offset="
        + offset
        + ", minScore="
        + minScore
        + "]";
  }

  /** Collects the options of a query. Each method checks its value at once. */
  public static final class Builder {
    private List<float[]> targets = List.of();
    private float @Nullable [] weights;
    private Combine combine = Combine.WEIGHTED_SUM;
    private OptionalInt ef = OptionalInt.empty();
    private List<String> seeds = List.of();
    private Optional<Filter> filter = Optional.empty();
    private Optional<IdFilter> accept = Optional.empty();
    private Optional<Diversify> diversify = Optional.empty();
    private int limit = DEFAULT_LIMIT;
    private int offset;
    private float minScore;

    private Builder() {}

    /** 1 to 8 vectors of one dimension, finite; copied. */
    public Builder targets(float[]... newTargets) {
      Checks.present("targets", newTargets);
      List<float[]> list = new ArrayList<>();
      for (int i = 0; i < newTargets.length; i++) {
        list.add(Checks.finite("targets[" + i + "]", newTargets[i]).clone());
      }
      targets = list;
      return this;
    }

    /** One weight for each target, finite, at least 0, not all 0; default uniform. */
    public Builder weights(float... newWeights) {
      weights = Checks.present("weights", newWeights).clone();
      return this;
    }

    /** How several targets combine; default {@link Combine#WEIGHTED_SUM}. */
    public Builder combine(Combine newCombine) {
      combine = Checks.present("combine", newCombine);
      return this;
    }

    /** The beam width: more is more exact and slower. At least 1; the index has a cap. */
    public Builder ef(int newEf) {
      ef = OptionalInt.of(Checks.range("ef", newEf, 1, Integer.MAX_VALUE));
      return this;
    }

    /**
     * Ids to start from beside the entry point, such as the last turn's hits. Unknown ids are
     * ignored and counted; a seed that the filter refuses may start a path, not be a result.
     */
    public Builder seeds(Iterable<String> ids) {
      List<String> list = new ArrayList<>();
      for (String id : Checks.present("seeds", ids)) {
        list.add(Checks.id("seeds[" + list.size() + "]", id));
      }
      seeds = list;
      return this;
    }

    /** Only chunks that match. */
    public Builder filter(Filter newFilter) {
      filter = Optional.of(Checks.present("filter", newFilter));
      return this;
    }

    /** Only ids that this accepts. */
    public Builder accept(IdFilter newAccept) {
      accept = Optional.of(Checks.present("accept", newAccept));
      return this;
    }

    /** Diversity within the answer, and against what was served. */
    public Builder diversify(Diversify newDiversify) {
      diversify = Optional.of(Checks.present("diversify", newDiversify));
      return this;
    }

    /** Most hits to return, at least 1. */
    public Builder limit(int newLimit) {
      limit = Checks.range("limit", newLimit, 1, Integer.MAX_VALUE);
      return this;
    }

    /** Hits to skip, at least 0. */
    public Builder offset(int newOffset) {
      offset = Checks.range("offset", newOffset, 0, Integer.MAX_VALUE);
      return this;
    }

    /** Lowest combined score of a hit, in [0, 1]. */
    public Builder minScore(float newMinScore) {
      minScore = Checks.range("minScore", newMinScore, 0f, 1f);
      return this;
    }

    /**
     * The query.
     *
     * @throws IllegalArgumentException when the options don't fit together
     */
    public VectorQuery build() {
      return new VectorQuery(this);
    }
  }
}

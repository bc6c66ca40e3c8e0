package dev.petunia.hnsw;

import dev.petunia.core.Chunk;
import dev.petunia.core.Combine;
import dev.petunia.core.Diversify;
import dev.petunia.core.Filter;
import dev.petunia.core.IdFilter;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Chunks;
import dev.petunia.core.testing.Filters;
import dev.petunia.core.testing.Generator;
import dev.petunia.core.testing.Generators;
import dev.petunia.core.testing.Vectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Random small indexes, each with a query that uses all options at random. */
final class Cases {
  private Cases() {}

  /** An index and a query. */
  static final class Case {
    final Similarity similarity;
    final int dimension;

    /** In the order in which they are put. */
    final Map<String, float[]> vectors;

    /** Deleted afterwards. */
    final Set<String> deleted;

    /** The attributes that a filter asks for. */
    private final Map<String, Chunk> chunks;

    /** Whether a compiled filter comes as a list of ids or as a predicate. */
    private final boolean listed;

    final VectorQuery query;

    Case(
        Similarity similarity,
        int dimension,
        Map<String, float[]> vectors,
        Set<String> deleted,
        Map<String, Chunk> chunks,
        boolean listed,
        VectorQuery query) {
      this.similarity = similarity;
      this.dimension = dimension;
      this.vectors = vectors;
      this.deleted = deleted;
      this.chunks = chunks;
      this.listed = listed;
      this.query = query;
    }

    /** Whether an id passes both filters of the query. */
    Predicate<String> filter() {
      Optional<Filter> tree = query.filter();
      Optional<IdFilter> accept = query.accept();
      return id ->
          (tree.isEmpty() || matches(tree.get(), id))
              && (accept.isEmpty() || accept.get().accepts(id));
    }

    private boolean matches(Filter tree, String id) {
      Chunk chunk = chunks.get(id);
      return chunk != null && tree.matches(chunk);
    }

    IdFilter compile(Filter tree) {
      return of(
          chunks.keySet().stream().filter(id -> matches(tree, id)).collect(Collectors.toSet()),
          listed);
    }

    HnswConfig config() {
      // ef is always enough for all, so that the walk sees every vector
      return Given.config(dimension, similarity).filterCompiler(this::compile).build();
    }

    Oracle oracle() {
      Oracle oracle = new Oracle(similarity);
      vectors.forEach(oracle::put);
      deleted.forEach(oracle::delete);
      return oracle;
    }

    @Override
    public String toString() {
      return similarity
          + (listed ? " listed" : " predicate")
          + " vectors="
          + vectors.entrySet().stream()
              .map(e -> e.getKey() + Arrays.toString(e.getValue()))
              .toList()
          + " deleted="
          + deleted
          + " "
          + query
          + IntStream.range(0, query.targetCount())
              .mapToObj(t -> Arrays.toString(query.target(t)))
              .toList()
          + " seeds="
          + query.seeds();
    }
  }

  private static IdFilter of(Set<String> ids, boolean listed) {
    return listed ? IdFilter.of(ids) : IdFilter.where(ids::contains);
  }

  /**
   * A case; shrinks by leaving vectors out.
   *
   * @param exact every distance and score is exact in float arithmetic, so that ties are ties
   */
  static Generator<Case> any(int maxVectors, boolean exact) {
    return new Generator<>() {
      @Override
      public Case generate(RandomGenerator random) {
        return make(random, maxVectors, exact);
      }

      @Override
      public Iterable<Case> smaller(Case c) {
        List<Case> out = new ArrayList<>();
        List<String> ids = new ArrayList<>(c.vectors.keySet());
        for (int cut = ids.size(); cut >= 1; cut /= 2) {
          for (int from = 0; from + cut <= ids.size(); from += cut) {
            Map<String, float[]> rest = new LinkedHashMap<>(c.vectors);
            ids.subList(from, from + cut).forEach(rest::remove);
            out.add(
                new Case(c.similarity, c.dimension, rest, c.deleted, c.chunks, c.listed, c.query));
          }
        }
        return out;
      }
    };
  }

  private static Case make(RandomGenerator random, int maxVectors, boolean exact) {
    Similarity similarity = Generators.oneOf(Similarity.values()).generate(random);
    int[] dimensions = exact ? new int[] {4, 5, 16, 33} : new int[] {2, 3, 16, 31};
    int dimension = dimensions[random.nextInt(dimensions.length)];
    int n = Generators.size(random, 0, maxVectors);
    List<Chunk> corpus = Chunks.corpus(n).generate(random);
    Map<String, float[]> vectors = new LinkedHashMap<>();
    Map<String, Chunk> chunks = new LinkedHashMap<>();
    Set<String> deleted = new HashSet<>();
    List<float[]> earlier = new ArrayList<>();
    for (Chunk chunk : corpus) {
      float[] v =
          !earlier.isEmpty() && random.nextInt(4) == 0
              ? earlier.get(random.nextInt(earlier.size()))
              : vector(random, similarity, dimension, exact);
      earlier.add(v);
      vectors.put(chunk.id(), v);
      chunks.put(chunk.id(), chunk);
      if (random.nextInt(8) == 0) {
        deleted.add(chunk.id());
      }
    }
    VectorQuery query = query(random, similarity, dimension, exact, corpus);
    return new Case(similarity, dimension, vectors, deleted, chunks, random.nextBoolean(), query);
  }

  /** With {@code exact}: sums of products with any other such vector are exact in float. */
  private static float[] vector(
      RandomGenerator random, Similarity similarity, int dimension, boolean exact) {
    if (!exact) {
      float[] v = Vectors.gaussian(dimension).generate(random);
      return similarity == Similarity.DOT_PRODUCT ? Vectors.normalise(v) : v;
    }
    float[] v = new float[dimension];
    if (similarity == Similarity.EUCLIDEAN) {
      for (int i = 0; i < dimension; i++) {
        v[i] = random.nextInt(-2, 3);
      }
      return v;
    }
    // of length 1: one component of 1, or four of 1/2, anywhere
    int ones = random.nextBoolean() ? 1 : 4;
    for (int set = 0; set < ones; ) {
      int i = random.nextInt(dimension);
      if (v[i] == 0) {
        v[i] = (random.nextBoolean() ? 1f : -1f) / (ones == 1 ? 1 : 2);
        set++;
      }
    }
    if (similarity == Similarity.COSINE) {
      float length = Math.scalb(1f, random.nextInt(-20, 20));
      for (int i = 0; i < dimension; i++) {
        v[i] *= length;
      }
    }
    return v;
  }

  private static VectorQuery query(
      RandomGenerator random,
      Similarity similarity,
      int dimension,
      boolean exact,
      List<Chunk> corpus) {
    int targets = random.nextBoolean() ? 1 : random.nextInt(1, VectorQuery.MAX_TARGETS + 1);
    List<float[]> list = new ArrayList<>();
    for (int t = 0; t < targets; t++) {
      list.add(vector(random, similarity, dimension, exact));
    }
    VectorQuery.Builder query = VectorQuery.builder(list).ef(random.nextInt(500, 1001));
    if (random.nextInt(3) == 0) {
      query.combine(Combine.MIN);
    } else if (exact || random.nextBoolean()) {
      query.weights(weights(random, targets));
    }
    query.limit(1 + Generators.size(random, 0, 60)).offset(Generators.size(random, 0, 30));
    if (random.nextInt(4) == 0) {
      query.minScore(random.nextInt(0, 9) / 8f);
    }
    if (random.nextInt(3) == 0) {
      query.seeds(some(random, corpus));
    }
    if (random.nextInt(3) == 0) {
      query.filter(Filters.filter(2).generate(random));
    }
    if (random.nextInt(3) == 0) {
      query.accept(of(new HashSet<>(some(random, corpus)), random.nextBoolean()));
    }
    if (random.nextBoolean()) {
      query.diversify(diversify(random, corpus));
    }
    return query.build();
  }

  /** Eighths that sum to 1, zeros among them: exact in float, as are products with them. */
  private static float[] weights(RandomGenerator random, int n) {
    float[] w = new float[n];
    for (int i = 0; i < 8; i++) {
      w[random.nextInt(n)]++;
    }
    return w;
  }

  private static Diversify diversify(RandomGenerator random, List<Chunk> corpus) {
    Diversify d =
        Diversify.of(random.nextInt(0, 5) / 4.0)
            .against(some(random, corpus))
            .exclude(random.nextBoolean());
    return random.nextInt(3) == 0 ? d.poolSize(random.nextInt(91, 200)) : d;
  }

  /** Some ids of the corpus, the same one twice now and then, and some that are not there. */
  private static List<String> some(RandomGenerator random, List<Chunk> corpus) {
    List<String> out = new ArrayList<>();
    int n = Generators.size(random, 0, 20);
    for (int i = 0; i < n; i++) {
      out.add(
          corpus.isEmpty() || random.nextInt(6) == 0
              ? "not there " + i
              : corpus.get(random.nextInt(corpus.size())).id());
    }
    return out;
  }
}

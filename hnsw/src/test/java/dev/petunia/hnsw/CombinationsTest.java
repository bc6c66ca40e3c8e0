package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.COSINE;
import static dev.petunia.hnsw.Given.id;
import static dev.petunia.hnsw.Given.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Combine;
import dev.petunia.core.Diversify;
import dev.petunia.core.Filter;
import dev.petunia.core.IdFilter;
import dev.petunia.core.SearchResult;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Vectors;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every cell of the table of combinations in docs/vector-index.md. */
class CombinationsTest {
  private static final int N = 150;
  private static final List<float[]> VECTORS =
      Vectors.clustered(N, 16, 8, 0.7).generate(Given.random(1));
  private static final float[] ASKED = Vectors.unit(16).generate(Given.random(2));
  private static final float[] OTHER = Vectors.unit(16).generate(Given.random(3));
  private static final Oracle ORACLE = new Oracle(COSINE);
  private static final HnswIndex INDEX =
      HnswIndex.inMemory(
          Given.config(16, COSINE)
              .filterCompiler(f -> IdFilter.where(CombinationsTest::third))
              .build());

  private static boolean third(String id) {
    return Integer.parseInt(id) % 3 == 0;
  }

  @BeforeAll
  static void fill() {
    Given.fill(INDEX, VECTORS);
    for (int i = 0; i < N; i++) {
      ORACLE.put(id(i), VECTORS.get(i));
    }
  }

  /** An option of a query, as a row and a column of the table. */
  private enum Option {
    EF {
      @Override
      void set(VectorQuery.Builder query) {
        query.ef(900);
      }
    },
    SEEDS {
      @Override
      void set(VectorQuery.Builder query) {
        query.seeds(List.of(id(5), id(120), "unknown"));
      }
    },
    WEIGHTED_SUM {
      @Override
      void set(VectorQuery.Builder query) {
        query.targets(ASKED, OTHER).weights(0.7f, 0.3f);
      }
    },
    MIN {
      @Override
      void set(VectorQuery.Builder query) {
        query.targets(ASKED, OTHER).combine(Combine.MIN);
      }
    },
    MMR {
      @Override
      void set(VectorQuery.Builder query) {
        query.diversify(Diversify.of(0.4));
      }
    },
    EXCLUDE {
      @Override
      void set(VectorQuery.Builder query) {
        query.diversify(Diversify.excluding(List.of(id(2), id(10), id(18))));
      }
    },
    PENALISE {
      @Override
      void set(VectorQuery.Builder query) {
        query.diversify(Diversify.of(0.4).against(List.of(id(2), id(10))).exclude(false));
      }
    },
    FILTER {
      @Override
      void set(VectorQuery.Builder query) {
        query.filter(Filter.eq("third", true));
      }
    },
    ACCEPT {
      @Override
      void set(VectorQuery.Builder query) {
        query.accept(IdFilter.where(x -> Integer.parseInt(x) % 2 == 0));
      }
    },
    PAGE {
      @Override
      void set(VectorQuery.Builder query) {
        query.offset(7).limit(9);
      }
    },
    MIN_SCORE {
      @Override
      void set(VectorQuery.Builder query) {
        query.minScore(0.6f);
      }
    };

    abstract void set(VectorQuery.Builder query);
  }

  private static Stream<Arguments> pairs() {
    List<Arguments> out = new ArrayList<>();
    for (Option a : Option.values()) {
      for (Option b : Option.values()) {
        if (a.compareTo(b) <= 0 && !exclusive(a, b)) {
          out.add(Arguments.of(a, b));
        }
      }
    }
    return out.stream();
  }

  /** Two values of one setting, of which the later one counts: not a combination. */
  private static boolean exclusive(Option a, Option b) {
    return a != b
        && ((a == Option.WEIGHTED_SUM && b == Option.MIN) || (diversify(a) && diversify(b)));
  }

  private static boolean diversify(Option o) {
    return o == Option.MMR || o == Option.EXCLUDE || o == Option.PENALISE;
  }

  @ParameterizedTest(name = "{0} with {1}")
  @MethodSource("pairs")
  void twoOptionsMeanWhatEachOfThemMeans(Option a, Option b) {
    VectorQuery.Builder builder = VectorQuery.builder(ASKED).ef(200).limit(20);
    a.set(builder);
    b.set(builder);
    VectorQuery query = builder.build();
    Predicate<String> filter =
        x ->
            (query.filter().isEmpty() || third(x))
                && (query.accept().isEmpty() || query.accept().get().accepts(x));
    SearchResult found = INDEX.search(query);
    List<Oracle.Found> want = ORACLE.search(query, filter);
    assertEquals(want.stream().map(Oracle.Found::id).toList(), Given.ids(found));
    assertTrue(want.size() >= 2, () -> "a combination that finds " + want.size());
    for (int i = 0; i < want.size(); i++) {
      assertEquals(want.get(i).distance(), found.hits().get(i).distance(), 1e-5);
    }
  }

  @Test
  void allOptionsAtOnceMeanWhatEachOfThemMeans() {
    for (Option targets : new Option[] {Option.WEIGHTED_SUM, Option.MIN}) {
      VectorQuery.Builder builder = VectorQuery.builder(ASKED);
      targets.set(builder);
      for (Option o : Option.values()) {
        if (o != Option.WEIGHTED_SUM && o != Option.MIN && !diversify(o) && o != Option.ACCEPT) {
          o.set(builder);
        }
      }
      builder.diversify(Diversify.of(0.4).against(List.of(id(3), id(9))));
      VectorQuery query = builder.build();
      assertEquals(
          ORACLE.search(query, CombinationsTest::third).stream().map(Oracle.Found::id).toList(),
          Given.ids(INDEX.search(query)));
    }
  }

  @Test
  void whatMakesNoSenseTogetherIsRefusedByName() {
    VectorQuery.Builder query =
        VectorQuery.builder(List.of(VECTORS.get(0), VECTORS.get(1))).limit(20);
    refused(
        () -> query.weights(1, 2).combine(Combine.MIN).build(), "weights", "none with combine MIN");
    query.combine(Combine.WEIGHTED_SUM);
    refused(
        () -> query.diversify(Diversify.of(0.5).poolSize(19)).build(),
        "offset + limit",
        "poolSize, 19");
    query.diversify(Diversify.of(0.5));
    refused(() -> INDEX.search(query.offset(81).build()), "offset + limit", "pool, 100");
    refused(() -> INDEX.search(query.ef(1_001).build()), "ef", "maxEf, 1000");
    query.diversify(Diversify.of(1)).ef(10);
    refused(() -> INDEX.search(query.offset(981).build()), "offset + limit", "maxEf, 1000");
    assertEquals(0, INDEX.search(query.offset(980).build()).hits().size());
    HnswIndex plain = Given.hnsw(COSINE, VECTORS.subList(0, 5));
    refused(
        () -> plain.search(query.offset(0).filter(Filter.exists("third")).build()),
        "filter",
        "filterCompiler");
  }
}

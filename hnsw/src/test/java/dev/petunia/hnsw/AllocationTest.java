package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.petunia.core.Combine;
import dev.petunia.core.Diversify;
import dev.petunia.core.IdFilter;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.testing.Vectors;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A search allocates its result and nothing else. */
class AllocationTest {
  private static final List<float[]> VECTORS =
      Vectors.clustered(2_000, 32, 20, 0.5).generate(Given.random(1));
  private static final Map<Quantization, HnswIndex> INDEXES = new EnumMap<>(Quantization.class);

  @BeforeAll
  static void fill() {
    for (Quantization kind : Quantization.values()) {
      INDEXES.put(kind, Given.hnsw(Similarity.COSINE, kind, VECTORS));
    }
  }

  /**
   * Kernels that met mapped memory as well as allocated memory were compiled without inlining, and
   * put every vector register on the heap: megabytes for each search.
   */
  @ParameterizedTest
  @EnumSource(Quantization.class)
  void aSearchInMappedVectorsAllocatesItsResultOnly(Quantization kind, @TempDir Path folder) {
    HnswConfig config = Given.config(32, Similarity.COSINE).quantization(kind).codesFrom(2).build();
    try (HnswIndex written = HnswIndex.open(folder, config)) {
      Given.fill(written, VECTORS);
      written.commit();
    }
    try (HnswIndex mapped = HnswIndex.open(folder, config)) {
      long bytes = allocated(mapped, query().build(), bound(10, 1));
      assertTrue(bytes <= bound(10, 1), () -> bytes + " bytes");
    }
  }

  /** A scan of listed ids goes through the caller's set. */
  private static final int SET_ITERATOR = 48;

  private static VectorQuery.Builder query() {
    return VectorQuery.builder(VECTORS.get(7)).limit(10);
  }

  static Stream<Arguments> searches() {
    List<String> some = List.of(Given.id(7), Given.id(27), Given.id(47), "unknown");
    List<float[]> two = List.of(VECTORS.get(7), VECTORS.get(8));
    Set<String> even = new HashSet<>();
    for (int i = 0; i < 2_000; i += 2) {
      even.add(Given.id(i));
    }
    List<Arguments> kinds =
        List.of(
            Arguments.of("by bytes", query(), 0, Quantization.INT8),
            Arguments.of("by two bits", query(), 0, Quantization.BITS2),
            Arguments.of("by one bit", query(), 0, Quantization.BIT1),
            Arguments.of("by bits, seeded", query().seeds(some), 0, Quantization.BITS2),
            Arguments.of(
                "by bits, filtered",
                query().accept(IdFilter.where(even::contains)),
                0,
                Quantization.BITS2));
    return Stream.concat(plain(some, two, even), kinds.stream());
  }

  private static Stream<Arguments> plain(List<String> some, List<float[]> two, Set<String> even) {
    Quantization no = Quantization.NONE;
    return Stream.of(
        Arguments.of("plain", query(), 0, no),
        Arguments.of("seeded", query().seeds(some), 0, no),
        Arguments.of("excluding", query().diversify(Diversify.excluding(some)), 0, no),
        Arguments.of("diversified", query().diversify(Diversify.of(0.5).against(some)), 0, no),
        Arguments.of("filtered", query().accept(IdFilter.where(even::contains)), 0, no),
        Arguments.of("scanned", query().accept(IdFilter.of(even)), SET_ITERATOR, no),
        Arguments.of("two targets", query().targets(two.get(0), two.get(1)), 0, no),
        Arguments.of(
            "minimum", query().targets(two.get(0), two.get(1)).combine(Combine.MIN), 0, no));
  }

  /**
   * The bytes of a result, by the sizes of its objects (12 bytes of header, 4 a reference, rounded
   * up to 8): SearchResult 24, SearchTrace 80, the list 24 and its array 16 + 4 a hit, a Hit 32.
   * With t targets, t above 1, a hit has t Floats of 16, a list of 24 and its array of 16 + 4t.
   * Each list is made by way of an array and looked through once: 16 + 4 an element, and 32.
   */
  private static long bound(int hits, int targets) {
    long bytes = 24 + 80 + 24 + 2 * padded(16 + 4 * hits) + 32 + 32L * hits;
    if (targets > 1) {
      bytes += hits * (16L * targets + 24 + 2 * padded(16 + 4 * targets) + 32);
    }
    return bytes;
  }

  private static long padded(int bytes) {
    return (bytes + 7L) & ~7L;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("searches")
  void aSearchAllocatesItsResultOnly(
      String name, VectorQuery.Builder builder, int scan, Quantization kind) {
    HnswIndex index = INDEXES.get(kind);
    VectorQuery query = builder.build();
    int hits = index.search(query).hits().size();
    long bound = bound(hits, query.targetCount()) + scan;
    long measured = allocated(index, query, bound);
    assertTrue(measured <= bound, () -> measured + " bytes for a result of " + bound);
  }

  /** The fewest bytes that a search allocated; stops when these are few enough. */
  private static long allocated(HnswIndex index, VectorQuery query, long enough) {
    assumeTrue(
        ManagementFactory.getThreadMXBean() instanceof ThreadMXBean,
        "this JVM does not count allocations");
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    assumeTrue(threads.isThreadAllocatedMemorySupported());
    long thread = Thread.currentThread().threadId();
    long least = Long.MAX_VALUE;
    // compiled code keeps in registers what interpreted code allocates, so measure until it is
    for (int round = 0; round < 200 && least > enough; round++) {
      long before = threads.getThreadAllocatedBytes(thread);
      for (int i = 0; i < 100; i++) {
        index.search(query);
      }
      least = Math.min(least, (threads.getThreadAllocatedBytes(thread) - before) / 100);
    }
    return least;
  }
}

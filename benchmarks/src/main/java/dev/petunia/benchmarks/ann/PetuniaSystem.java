package dev.petunia.benchmarks.ann;

import dev.petunia.core.Hit;
import dev.petunia.core.IdFilter;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.SearchResult;
import dev.petunia.core.SearchTrace;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.VectorQuery;
import dev.petunia.hnsw.HnswConfig;
import dev.petunia.hnsw.HnswIndex;
import dev.petunia.hnsw.KernelAccess;
import dev.petunia.hnsw.MemoryUse;
import dev.petunia.hnsw.Quantization;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * This project's index, in a directory, walking over the vectors or over codes. The directory costs
 * nothing until a commit; {@link #save} makes one, and searches then run beside it as a user's do.
 */
final class PetuniaSystem implements AnnSystem {
  /** Whatever the grid of a run asks for. */
  private static final int MAX_EF = 1_000_000;

  private final Quantization quantization;
  private final Path folder;
  private final Map<Form, List<IdFilter>> filters =
      Map.of(
          Form.PREPARED, new ArrayList<>(),
          Form.LISTED, new ArrayList<>(),
          Form.PREDICATE, new ArrayList<>());
  private @Nullable HnswIndex index;

  /** Where copies of results go, so that the compiler can't leave them out. */
  private @Nullable Object sink;

  PetuniaSystem(Quantization quantization, Path folder) {
    this.quantization = quantization;
    this.folder = folder;
  }

  @Override
  public String describe() {
    return "Petunia, HnswIndex in a directory, walk over "
        + (quantization == Quantization.NONE ? "float32" : quantization + " codes, reranked all ef")
        + ", COSINE, kernels "
        + KernelAccess.name();
  }

  @Override
  public void build(float[][] base, Parameters parameters) throws IOException {
    close();
    Folders.empty(folder);
    List<VectorEntry> entries = new ArrayList<>(base.length);
    for (int row = 0; row < base.length; row++) {
      entries.add(new VectorEntry(String.valueOf(row), base[row]));
    }
    HnswIndex built = HnswIndex.open(folder, config(parameters));
    built.upsertAll(entries, ProgressListener.NONE);
    index = built;
  }

  private HnswConfig config(Parameters parameters) {
    return HnswConfig.builder(parameters.dimension(), Similarity.COSINE)
        .quantization(quantization)
        .m(parameters.m())
        .efConstruction(parameters.efConstruction())
        .threads(parameters.threads())
        .maxEf(MAX_EF)
        .build();
  }

  /** Commits, and copies the directory. */
  @Override
  public void save(Path target) throws IOException {
    built().commit();
    Folders.copy(folder, target);
  }

  @Override
  public void restore(Path source, float[][] base, Parameters parameters) {
    close();
    index = HnswIndex.openReadOnly(source, config(parameters));
  }

  @Override
  public int search(float[] query, int ef, int k, int[] rows, float[] distances) {
    return nearest(query(query, ef, k).build(), rows, distances);
  }

  private int nearest(VectorQuery query, int[] rows, float[] distances) {
    List<Hit> hits = built().search(query).hits();
    int found = hits.size();
    for (int i = 0; i < found; i++) {
      Hit hit = hits.get(i);
      rows[i] = Integer.parseInt(hit.id());
      distances[i] = hit.distance();
    }
    return found;
  }

  private static VectorQuery.Builder query(float[] target, int ef, int k) {
    VectorQuery.Builder query = VectorQuery.builder(target).limit(k);
    return ef == DEFAULT_EF ? query : query.ef(ef);
  }

  private List<IdFilter> filters(Form form) {
    return Objects.requireNonNull(filters.get(form)); // all forms are there
  }

  @Override
  public void filters(List<BitSet> passing) {
    filters.values().forEach(List::clear);
    for (BitSet rows : passing) {
      Set<String> ids =
          rows.stream().mapToObj(String::valueOf).collect(Collectors.toCollection(HashSet::new));
      filters(Form.PREPARED).add(built().prepare(IdFilter.of(ids)));
      filters(Form.LISTED).add(IdFilter.of(ids));
      filters(Form.PREDICATE).add(IdFilter.where(ids::contains));
    }
  }

  @Override
  public int search(
      float[] query, int filter, Form form, int ef, int k, int[] rows, float[] distances) {
    IdFilter accept = filters(form).get(filter);
    return nearest(query(query, ef, k).accept(accept).build(), rows, distances);
  }

  @Override
  public long distances(float[] query, int ef, int k) {
    return built().search(query(query, ef, k).build()).trace().distancesComputed();
  }

  @Override
  public void upsert(int row, float[] vector) {
    built().upsert(String.valueOf(row), vector);
  }

  @Override
  public void delete(int row) {
    built().delete(String.valueOf(row));
  }

  @Override
  public Footprint footprint() {
    MemoryUse use = built().memory();
    return new Footprint(use.heapBytes(), use.offHeapBytes(), use.mappedBytes(), use.diskBytes());
  }

  private HnswIndex built() {
    HnswIndex i = index;
    if (i == null) {
      throw new IllegalStateException("search before build");
    }
    return i;
  }

  /** Searches with queries made beforehand: a query object is its maker's, not the search's. */
  @Override
  public Allocation allocation(float[][] queries, int ef, int k) {
    HnswIndex searched = built();
    VectorQuery[] made = new VectorQuery[queries.length];
    SearchResult[] results = new SearchResult[queries.length];
    for (int q = 0; q < queries.length; q++) {
      made[q] = query(queries[q], ef, k).build();
    }
    double search = 0;
    double result = 0;
    for (int round = 0; round < 3; round++) { // the last round counts
      long start = Allocation.bytes();
      for (int q = 0; q < made.length; q++) {
        results[q] = searched.search(made[q]);
      }
      search = (double) (Allocation.bytes() - start) / made.length;
      start = Allocation.bytes();
      for (SearchResult r : results) {
        sink = copy(r);
      }
      result = (double) (Allocation.bytes() - start) / made.length;
    }
    return new Allocation(search, result);
  }

  /** The same objects again, but for the ids: those are the index's own and shared. */
  private static SearchResult copy(SearchResult r) {
    Hit[] hits = new Hit[r.hits().size()];
    for (int i = 0; i < hits.length; i++) {
      Hit h = r.hits().get(i);
      hits[i] = new Hit(h.id(), h.distance(), h.score(), h.targetDistances(), h.seed());
    }
    SearchTrace t = r.trace();
    return new SearchResult(
        List.of(hits),
        new SearchTrace(
            t.strategy(),
            t.effectiveEf(),
            t.nodesVisited(),
            t.distancesComputed(),
            t.reranked(),
            t.filterEvaluations(),
            t.seedsUsed(),
            t.seedsUnknown(),
            t.seedsFilteredOut(),
            t.seedsDuplicate(),
            t.poolSize(),
            t.againstUnknown(),
            t.excluded(),
            t.budgetExhausted(),
            t.nanos()));
  }

  @Override
  public void close() {
    if (index != null) {
      index.close();
      index = null;
    }
    sink = null;
  }
}

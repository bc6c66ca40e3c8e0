package dev.petunia.retriever;

import dev.petunia.core.Chunk;
import dev.petunia.core.ProgressListener;
import dev.petunia.dedup.DedupIndex;
import dev.petunia.dedup.Document;
import dev.petunia.dedup.Places;
import dev.petunia.dedup.Places.Membership;
import dev.petunia.dedup.RunReport;
import dev.petunia.lexical.LexicalIndex;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which chunks are near-duplicates of which, and which one stands for another in an answer. Without
 * an index, which is when it is turned off, no chunk is a near-duplicate.
 */
final class Duplicates implements AutoCloseable {
  /** What a reader says that found none, or of another commit, and so collapses nothing. */
  static final String NOT_OF_THIS =
      "what is known of near-duplicates is not of this commit, so none are left out; open the index"
          + " once for writing with near-duplicates on";

  /** So many texts are checked at a time: who asks meanwhile waits for that long. */
  private static final int SLICE = 512;

  private final @Nullable DedupIndex index;
  private final boolean isReadOnly;
  private final RetrieverConfig config;
  private final LexicalIndex texts;
  private final Map<String, Decided> decided = new ConcurrentHashMap<>();

  /** What was decided about a chunk, while nothing about its cluster changes. */
  private record Decided(Membership when, boolean isLeftOut) {}

  private Duplicates(
      @Nullable DedupIndex index, boolean isReadOnly, RetrieverConfig config, LexicalIndex texts) {
    this.index = index;
    this.isReadOnly = isReadOnly;
    this.config = config;
    this.texts = texts;
  }

  /** Those of a folder, which is made if need be. */
  static Duplicates open(Path folder, RetrieverConfig config, LexicalIndex texts) {
    return new Duplicates(
        config.nearDuplicates().map(c -> DedupIndex.open(folder, c)).orElse(null),
        false,
        config,
        texts);
  }

  /** No near-duplicates, though they are asked for. */
  static Duplicates none(RetrieverConfig config, LexicalIndex texts) {
    return new Duplicates(null, true, config, texts);
  }

  /** Those that were committed last; none when there was no commit. */
  static Duplicates openReadOnly(Path folder, RetrieverConfig config, LexicalIndex texts) {
    return new Duplicates(
        config
            .nearDuplicates()
            .filter(c -> DedupIndex.hasCommit(folder))
            .map(c -> DedupIndex.openReadOnly(folder, c))
            .orElse(null),
        true,
        config,
        texts);
  }

  /** Why there are none, though they are asked for; empty when that is not so. */
  Optional<String> shortcoming() {
    return index == null && config.nearDuplicates().isPresent()
        ? Optional.of(NOT_OF_THIS)
        : Optional.empty();
  }

  Optional<DedupIndex> index() {
    return Optional.ofNullable(index);
  }

  /** Finds what these chunks, which are about to be put, are near-duplicates of. */
  List<RunReport> check(List<Chunk> chunks) {
    DedupIndex to = index;
    List<RunReport> reports = new ArrayList<>();
    if (to != null) {
      for (int at = 0; at < chunks.size(); at += SLICE) {
        reports.add(
            to.ingest(
                chunks.subList(at, Math.min(chunks.size(), at + SLICE)).stream()
                    .map(c -> new Document(c.id(), c.text()))
                    .toList()));
      }
    }
    return reports;
  }

  void remove(Collection<String> ids) {
    DedupIndex from = index;
    if (from != null) {
      from.remove(ids);
      decided.keySet().removeAll(Set.copyOf(ids));
    }
  }

  /**
   * Which chunk stands for which, in one moment.
   *
   * @param standIns of those that the policy leaves out: which one stands for each
   * @param canonicals of those in clusters: their clusters' canonical chunks
   * @param gone of those that were deleted since they were found
   */
  record Standing(Map<String, String> standIns, Map<String, String> canonicals, Set<String> gone) {
    static final Standing NONE = new Standing(Map.of(), Map.of(), Set.of());
  }

  /** What stands for chunks; decided anew when anything about a chunk's cluster changed. */
  Standing standing(Collection<String> ids) {
    DedupIndex from = index;
    if (from == null) {
      return Standing.NONE;
    }
    // looked up once: another thread may renew or remove what is known while this one asks
    Map<String, Decided> known = new HashMap<>();
    Places places =
        from.places(
            ids,
            config.promotionPolicy(),
            this::text,
            (id, place) -> {
              Decided before = decided.get(id);
              if (before == null || !before.when.equals(place)) {
                return true;
              }
              known.put(id, before);
              return false;
            });
    Map<String, String> standIns = new HashMap<>();
    Map<String, String> canonicals = new HashMap<>();
    places
        .memberships()
        .forEach(
            (id, place) -> {
              canonicals.put(id, place.canonical());
              Decided now = known.get(id);
              if (now == null) {
                now = new Decided(place, places.view().isSuppressed(id));
                decided.put(id, now);
              }
              if (now.isLeftOut) {
                standIns.put(id, place.canonical());
              }
            });
    // a reader's findings may be of another commit than its texts: then it says nothing of them
    return new Standing(standIns, canonicals, isReadOnly ? Set.of() : places.unknown());
  }

  @Nullable String text(String id) {
    Chunk c = texts.get(id);
    return c == null ? null : c.text();
  }

  /** The commit that this is at; empty without an index. */
  Optional<Long> mark() {
    return index().map(DedupIndex::mark);
  }

  void commit(long mark) {
    DedupIndex at = index;
    if (at != null) {
      at.commit(mark);
    }
  }

  /**
   * Brings it up to the texts as they are: after a crash between two commits, or when chunks were
   * put without it. Chunks that it has not seen come in the order of their ids.
   */
  void catchUp(Shingles shingles, ProgressListener progress) {
    DedupIndex to = index;
    if (to == null) {
      return;
    }
    Set<String> gone = new HashSet<>(to.ids());
    long total = texts.size();
    long done = 0;
    try (Stream<String> ids = texts.ids()) {
      List<String> slice = new ArrayList<>(SLICE);
      for (String id : (Iterable<String>) ids::iterator) {
        gone.remove(id);
        slice.add(id);
        if (slice.size() == SLICE) {
          catchUp(slice, shingles);
          done += slice.size();
          progress.onProgress("near-duplicates", done, total);
          slice.clear();
        }
      }
      catchUp(slice, shingles);
      progress.onProgress("near-duplicates", total, total);
    }
    remove(gone);
  }

  private void catchUp(List<String> ids, Shingles shingles) {
    if (ids.isEmpty()) {
      return;
    }
    List<Chunk> chunks = texts.get(ids);
    check(chunks);
    Set<String> outdated = shingles.outdated(ids);
    if (!outdated.isEmpty()) {
      shingles.renew(chunks.stream().filter(c -> outdated.contains(c.id())).toList());
    }
  }

  /** Checks the index wholly, and that it has the chunks that the texts have. */
  void verify() {
    DedupIndex of = index;
    if (of == null) {
      return;
    }
    of.verify(ProgressListener.NONE);
    Set<String> known = of.ids();
    if (known.size() != texts.size()) {
      throw new IllegalStateException(
          known.size() + " chunks were checked for near-duplicates, and there are " + texts.size());
    }
    try (Stream<String> ids = texts.ids()) {
      ids.forEach(
          id -> {
            if (!known.contains(id)) {
              throw new IllegalStateException(
                  "chunk \"" + id + "\" was not checked for near-duplicates");
            }
          });
    }
  }

  @Override
  public void close() {
    DedupIndex open = index;
    if (open != null) {
      open.close();
    }
  }
}

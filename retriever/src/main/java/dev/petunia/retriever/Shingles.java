package dev.petunia.retriever;

import dev.petunia.core.Chunk;
import dev.petunia.core.SignalStore;
import dev.petunia.dedup.ShingleSet;
import dev.petunia.dedup.Shingler;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The chunks' shingles, kept beside their texts with the version that made them.
 *
 * <p>A question finds some that are missing or of another version: they are noted once each, count
 * as not similar, and are made anew by the next change.
 */
final class Shingles {
  /** The signal's name. */
  static final String SIGNAL = "shingles";

  /** So many are made anew at a time: a change should not take long because of them. */
  private static final int BATCH = 1024;

  private final SignalStore store;
  private final Function<Collection<String>, List<Chunk>> texts;
  private final Shingler shingler = Shingler.v1();
  private final Set<String> due = ConcurrentHashMap.newKeySet();

  /**
   * Shingles of a store.
   *
   * @param texts gives chunks by id, those that are not here left out
   */
  Shingles(SignalStore store, Function<Collection<String>, List<Chunk>> texts) {
    this.store = store;
    this.texts = texts;
  }

  ShingleSet of(String text) {
    return shingler.shingles(text);
  }

  /** The signals of chunks that are about to be put. */
  Map<String, byte[]> signals(Collection<Chunk> chunks) {
    Map<String, byte[]> signals = HashMap.newHashMap(chunks.size());
    for (Chunk c : chunks) {
      signals.put(c.id(), of(c.text()).toBytes());
    }
    return signals;
  }

  /** Those of the chunks that have some, of whatever version. */
  Map<String, ShingleSet> read(Collection<String> ids) {
    Map<String, ShingleSet> sets = HashMap.newHashMap(ids.size());
    store.signals(SIGNAL, ids).forEach((id, bytes) -> parse(bytes).ifPresent(s -> sets.put(id, s)));
    return sets;
  }

  private static Optional<ShingleSet> parse(byte[] bytes) {
    try {
      return Optional.of(ShingleSet.fromBytes(bytes));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // of a later form: as good as missing, and made anew
    }
  }

  /** Chunks whose shingles should be made anew. */
  void note(Collection<String> ids) {
    due.addAll(ids);
  }

  /** How many should be made anew. */
  int due() {
    return due.size();
  }

  /** Makes some anew; by who writes. */
  void renew() {
    List<String> some = due.stream().limit(BATCH).toList();
    if (!some.isEmpty()) {
      renew(texts.apply(some));
      some.forEach(due::remove);
    }
  }

  /** Makes those of chunks that are here anew. */
  void renew(Collection<Chunk> chunks) {
    store.putSignals(SIGNAL, signals(chunks));
  }

  /** The chunks whose shingles are missing or of another version. */
  Set<String> outdated(Collection<String> ids) {
    Map<String, ShingleSet> sets = read(ids);
    int version = of("").version();
    Set<String> out = new HashSet<>();
    for (String id : ids) {
      ShingleSet set = sets.get(id);
      if (set == null || set.version() != version) {
        out.add(id);
      }
    }
    return out;
  }
}

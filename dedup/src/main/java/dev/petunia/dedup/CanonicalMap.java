package dev.petunia.dedup;

import java.util.Map;

/**
 * For each chunk of a cluster that is not the canonical one, the canonical one.
 *
 * @param version grows with each change of the map
 * @param canonicalOf discarded to canonical; a chunk that is in no cluster, or is canonical, is
 *     absent
 */
public record CanonicalMap(long version, Map<String, String> canonicalOf) {
  /** Copies. */
  public CanonicalMap {
    canonicalOf = Map.copyOf(canonicalOf);
  }
}

package dev.petunia.dedup;

import java.util.Map;

/**
 * What a policy leaves out.
 *
 * @param mapVersion of the clusters that it was made from
 * @param canonicalOf chunks left out, with the canonical one that stands for each
 * @param kept members that are not canonical and stay, with the policy's reason
 */
public record SuppressionView(
    long mapVersion, Map<String, String> canonicalOf, Map<String, String> kept) {
  /** Copies. */
  public SuppressionView {
    canonicalOf = Map.copyOf(canonicalOf);
    kept = Map.copyOf(kept);
  }

  /** Whether the view leaves the chunk out. */
  public boolean isSuppressed(String chunkId) {
    return canonicalOf.containsKey(chunkId);
  }
}

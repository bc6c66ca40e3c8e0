package dev.petunia.dedup;

import java.util.Map;
import java.util.Set;

/**
 * What is known of some chunks in one moment.
 *
 * @param memberships of those that are in a cluster of two or more
 * @param view the policy's decisions about those of them that were to be decided
 * @param unknown ids that are not in the index
 */
public record Places(
    Map<String, Membership> memberships, SuppressionView view, Set<String> unknown) {
  /** Copies. */
  public Places {
    memberships = Map.copyOf(memberships);
    unknown = Set.copyOf(unknown);
  }

  /**
   * A chunk's place in a cluster.
   *
   * @param canonical the cluster's canonical member, maybe itself
   * @param version another number when something about the cluster may have changed: its members or
   *     what a person said of them; within one opening of the index
   */
  public record Membership(String canonical, long version) {}
}

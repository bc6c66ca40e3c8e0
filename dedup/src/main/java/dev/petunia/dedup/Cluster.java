package dev.petunia.dedup;

import java.util.List;

/**
 * Chunks that edges connect. Clusters chain: a and c may be in one through b without being similar
 * themselves, which is what the numbers are for.
 *
 * @param canonical the member ingested first
 * @param members all members in the order of ingest, the canonical one first
 * @param minJaccard the least similarity: of all pairs when {@code isMinExact}, else of members
 *     with the canonical one
 * @param isMinExact whether all pairs were compared; up to 64 distinct sets they are
 * @param hops edges on the longest of the shortest ways between two members; in clusters where not
 *     all pairs were compared, the longest from the canonical one
 */
public record Cluster(
    String canonical, List<Member> members, double minJaccard, boolean isMinExact, int hops) {
  /** Copies. */
  public Cluster {
    members = List.copyOf(members);
  }

  /**
   * A member.
   *
   * @param id the chunk
   * @param sequence its place in the order of ingest
   * @param toCanonical what it shares with the canonical member
   * @param isDirect whether that is at least 0.9; if not, it is here through others only
   */
  public record Member(String id, long sequence, Overlap toCanonical, boolean isDirect) {}

  /** Members that are here through others only. */
  public List<Member> chained() {
    return members.stream().filter(m -> !m.isDirect()).toList();
  }
}

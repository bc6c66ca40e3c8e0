package dev.petunia.retriever;

import dev.petunia.dedup.CanonicalMap;
import dev.petunia.dedup.Cluster;
import dev.petunia.dedup.DedupIndex;
import dev.petunia.dedup.DedupStats;
import dev.petunia.dedup.EdgeStore;
import dev.petunia.dedup.Explanation;
import dev.petunia.dedup.PromotionPolicy;
import dev.petunia.dedup.RunReport;
import dev.petunia.dedup.SuppressionView;
import java.util.List;
import java.util.Optional;

/**
 * What a retriever found out about near-duplicates among its chunks. Findings are data: nothing
 * here deletes a chunk. What a person says by {@link #judge} is durable at the retriever's next
 * commit.
 */
public final class NearDuplicates {
  private final DedupIndex index;
  private final Duplicates duplicates;
  private final PromotionPolicy policy;

  NearDuplicates(DedupIndex index, Duplicates duplicates, PromotionPolicy policy) {
    this.index = index;
    this.duplicates = duplicates;
    this.policy = policy;
  }

  /** The verified pairs with J ≥ 0.9. */
  public EdgeStore edges() {
    return index.edges();
  }

  /** All clusters of two or more; see {@link DedupIndex#clusters}. */
  public List<Cluster> clusters() {
    return index.clusters();
  }

  /** The cluster of a chunk; empty when it is alone or unknown. */
  public Optional<Cluster> clusterOf(String id) {
    return index.clusterOf(id);
  }

  /** Which chunk is canonical for which. */
  public CanonicalMap canonicalMap() {
    return index.canonicalMap();
  }

  /** What the retriever's policy leaves out of answers, of all chunks; reads many texts. */
  public SuppressionView view() {
    return view(policy);
  }

  /** What another policy would leave out. */
  public SuppressionView view(PromotionPolicy other) {
    return index.view(other, duplicates::text);
  }

  /** Why two chunks are, or are not, near-duplicates; see {@link DedupIndex#explain}. */
  public Explanation explain(String chunkA, String chunkB) {
    return index.explain(chunkA, chunkB, duplicates::text);
  }

  /** Keeps what a person said about two chunks; see {@link DedupIndex#judge}. */
  public void judge(String chunkA, String chunkB, boolean isSame, String note) {
    index.judge(chunkA, chunkB, isSame, note);
  }

  /** The last 100 runs of checks, oldest first. */
  public List<RunReport> runs() {
    return index.runs();
  }

  /** What the index of near-duplicates holds. */
  public DedupStats stats() {
    return index.stats();
  }
}

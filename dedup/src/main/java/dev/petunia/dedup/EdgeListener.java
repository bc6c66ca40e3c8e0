package dev.petunia.dedup;

import java.util.List;

/**
 * Hears what a run found, to keep it elsewhere too. Called by the thread that ingests or removes,
 * before that call returns, when a batch of up to 4,096 chunks is done: first what was withdrawn,
 * then the edges.
 *
 * <p>What it throws goes on to the caller; what was done until then stays in the index, and the
 * rest of the ingest is left out. It must not change the index: {@link DedupIndex#ingest}, {@link
 * DedupIndex#remove}, {@link DedupIndex#judge}, {@link DedupIndex#commit} and {@link
 * DedupIndex#close} refuse that with an {@link IllegalStateException}.
 */
public interface EdgeListener {
  /** Hears nothing. */
  EdgeListener NONE =
      new EdgeListener() {
        @Override
        public void found(List<Edge> edges) {}

        @Override
        public void withdrawn(String chunkId) {}
      };

  /** New edges. The key is (chunkA, chunkB, normalizerVersion); a later edge with it replaces. */
  void found(List<Edge> edges);

  /** The chunk was removed or got another text: its edges no longer hold. */
  void withdrawn(String chunkId);
}

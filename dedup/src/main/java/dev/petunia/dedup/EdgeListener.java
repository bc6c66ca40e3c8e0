package dev.petunia.dedup;

import java.util.List;

/**
 * Hears what a run found, to keep it elsewhere too. Called by the thread that ingests or removes,
 * before that call returns; it must not call the index.
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

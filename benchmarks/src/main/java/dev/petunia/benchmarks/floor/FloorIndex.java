package dev.petunia.benchmarks.floor;

import dev.petunia.core.Embedder;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.Reranker;
import dev.petunia.retriever.Retriever;
import dev.petunia.retriever.RetrieverConfig;
import dev.petunia.retriever.VectorChunk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A retriever over a collection, in a folder that outlives the run. */
final class FloorIndex {
  private FloorIndex() {}

  /** Opens it, after embedding what is not there yet. */
  static Retriever open(
      IrSet set, String model, Embedder embedder, Optional<Reranker> reranker, Path cache)
      throws IOException {
    Path folder = cache.resolve(set.name() + "-" + model);
    Files.createDirectories(folder);
    RetrieverConfig.Builder config = RetrieverConfig.builder(embedder);
    reranker.ifPresent(config::reranker);
    Retriever retriever = Retriever.open(folder, config.build());
    if (retriever.size() != set.chunks().size()) {
      fill(retriever, set, model);
    }
    return retriever;
  }

  private static void fill(Retriever retriever, IrSet set, String model) {
    float[][] vectors = set.vectors();
    if (vectors != null && model.equals("minilm")) {
      List<VectorChunk> all = new ArrayList<>();
      for (int i = 0; i < vectors.length; i++) {
        all.add(new VectorChunk(set.chunks().get(i), vectors[i]));
      }
      retriever.put(all);
    } else {
      retriever.ingest(set.chunks().iterator(), ProgressListener.NONE, set.chunks().size());
    }
    retriever.commit();
  }
}

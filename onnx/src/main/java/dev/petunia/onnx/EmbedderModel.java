package dev.petunia.onnx;

import dev.petunia.core.TextForm;
import dev.petunia.core.internal.Checks;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What a text embedding model is made of and how to use it: built in code, or read from a small
 * file beside the model ({@link #read}). The prefixes are part of the model: a model trained with
 * an instruction before its queries finds less without it.
 *
 * @param name of the model and its precision, such as {@code all-MiniLM-L6-v2-int8}
 * @param onnx the graph: inputs {@code input_ids} and, if it has them, {@code attention_mask},
 *     {@code token_type_ids} and {@code position_ids}, all int64 {@code [batch, tokens]}, and
 *     {@code past_key_values.*}, float or float16 {@code [batch, heads, past tokens, components]},
 *     which get no past; one float output {@code [batch, tokens, dimension]}, or {@code [batch,
 *     dimension]} with {@link Pooling#GRAPH}
 * @param tokenizer a {@code tokenizer.json} of Hugging Face
 * @param pooling how token vectors become one vector
 * @param normalize scale vectors to unit length. False says that the graph has done that: allowed
 *     with {@link Pooling#GRAPH} only, and a vector of another length is refused
 * @param queryPrefix put before a text in form {@link TextForm#QUERY}; may be empty
 * @param documentPrefix put before a text in form {@link TextForm#DOCUMENT}; may be empty
 * @param appendToken a token of the tokenizer put after each text, such as {@code <|endoftext|>} of
 *     Qwen3-Embedding, unless the tokenizer's file says so itself; empty for none
 * @param maxTokens most tokens that are read of a text, prefix, special and appended tokens
 *     included; 3 to 32768, or 4 to 32768 when one is appended
 * @param dimension components of a vector, 1 to 65536; {@code maxTokens * dimension} is at most
 *     2^28
 */
public record EmbedderModel(
    String name,
    ModelSource onnx,
    ModelSource tokenizer,
    Pooling pooling,
    boolean normalize,
    String queryPrefix,
    String documentPrefix,
    String appendToken,
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
    Checks.wellFormed("appendToken", appendToken);
    if (!normalize && pooling != Pooling.GRAPH) {
      throw Checks.bad("normalize", false, "true with pooling " + pooling.label());
    }
    Checks.range("maxTokens", maxTokens, appendToken.isEmpty() ? 3 : 4, 32_768);
    Checks.range("dimension", dimension, 1, 65_536);
    if ((long) maxTokens * dimension > MAX_COMPONENTS) {
      throw Checks.bad(
          "maxTokens * dimension", (long) maxTokens * dimension, "at most " + MAX_COMPONENTS);
    }
  }

  /** The name of a description file in a folder. */
  public static final String FILE_NAME = EmbedderModelFile.NAME;

  /**
   * The model that a description file describes. Such a file is JSON; its fields are those of this
   * class, and are read strictly:
   *
   * <pre>{@code
   * {"name": "Qwen3-Embedding-0.6B-int8",
   *  "files": {"onnx": "model_quantized.onnx", "tokenizer": "tokenizer.json"},
   *  "pooling": "last_token",
   *  "queryInstruction": "Given a web search query, retrieve relevant passages that answer the query",
   *  "appendToken": "<|endoftext|>",
   *  "maxTokens": 2048,
   *  "dimension": 1024}
   * }</pre>
   *
   * <p>Required: {@code name}, {@code files} with {@code onnx} and {@code tokenizer} (relative to
   * the file's folder, and inside it), {@code pooling} (mean, cls, last_token or graph), {@code
   * maxTokens}, {@code dimension}. May be left out: {@code normalize} (true), {@code queryPrefix}
   * or {@code queryInstruction} (see {@link Builder#queryInstruction}), {@code documentPrefix},
   * {@code appendToken}.
   *
   * @param path the file, or a folder with a {@value EmbedderModelFile#NAME} in it
   * @throws ModelException when there is none, it is no JSON, or a field is unknown, missing, there
   *     twice, of another type or out of its range: the message names file and field
   */
  public static EmbedderModel read(Path path) {
    return EmbedderModelFile.read(Checks.present("path", path));
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
   * of prefixes and appended token if there are any. Such as {@code
   * all-MiniLM-L6-v2-int8/mean/256}. {@code normalize} has no part in it: either way the vectors
   * have unit length.
   */
  public String id() {
    String id = name + '/' + pooling.label() + '/' + maxTokens;
    boolean plain = queryPrefix.isEmpty() && documentPrefix.isEmpty() && appendToken.isEmpty();
    return plain ? id : id + '/' + additionsHash();
  }

  private String additionsHash() {
    try {
      // U+0000 between them, so that moving a letter from one to the other changes the hash.
      String all = queryPrefix + '\0' + documentPrefix;
      if (!appendToken.isEmpty()) {
        all += '\0' + appendToken; // only then: ids of models without it stay what they were
      }
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(all.getBytes(StandardCharsets.UTF_8));
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
    b.normalize = normalize;
    b.appendToken = appendToken;
    b.queryPrefix = queryPrefix;
    b.documentPrefix = documentPrefix;
    b.maxTokens = maxTokens;
    b.dimension = dimension;
    return b;
  }

  /** A builder: MEAN pooling, unit length, no prefixes, nothing appended, 256 tokens. */
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
    private String appendToken = "";
    private boolean normalize = true;
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

    /** Whether vectors are scaled to unit length here; false when the graph does it. */
    public Builder normalize(boolean value) {
      normalize = value;
      return this;
    }

    /** The prefix of queries. */
    public Builder queryPrefix(String value) {
      queryPrefix = value;
      return this;
    }

    /**
     * The prefix of queries, made of a task in the form of Qwen3-Embedding: {@code Instruct: TASK},
     * a line feed, {@code Query:} without a space after it. Documents get none.
     */
    public Builder queryInstruction(String task) {
      return queryPrefix("Instruct: " + Checks.id("queryInstruction", task) + "\nQuery:");
    }

    /** The prefix of documents. */
    public Builder documentPrefix(String value) {
      documentPrefix = value;
      return this;
    }

    /** A token put after each text; empty for none. */
    public Builder appendToken(String value) {
      appendToken = value;
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
          normalize,
          queryPrefix,
          documentPrefix,
          appendToken,
          maxTokens,
          dimension);
    }
  }
}

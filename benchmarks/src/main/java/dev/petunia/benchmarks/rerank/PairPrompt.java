package dev.petunia.benchmarks.rerank;

import dev.petunia.onnx.ModelSource;
import dev.petunia.onnx.internal.TextTokenizer;
import dev.petunia.onnx.internal.TokenizerSettings;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Tokens of a query and a passage in the prompt of Qwen3-Reranker, as its model card's code makes
 * them: the parts are tokenised apart.
 */
final class PairPrompt implements AutoCloseable {
  static final String INSTRUCTION =
      "Given a web search query, retrieve relevant passages that answer the query";

  private static final String PREFIX =
      "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and"
          + " the Instruct provided. Note that the answer can only be \"yes\" or"
          + " \"no\".<|im_end|>\n<|im_start|>user\n";
  private static final String SUFFIX = "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n";

  private final TextTokenizer text;
  private final long[] prefix;
  private final long[] suffix;
  private final int yes;
  private final int no;

  PairPrompt(Path tokenizer) {
    ModelSource source = ModelSource.file(tokenizer);
    TokenizerSettings special = new TokenizerSettings(TokenizerSettings.NO_LIMIT, false, true);
    try (TextTokenizer template = TextTokenizer.open(source, special)) {
      prefix = template.encode(PREFIX).ids();
      suffix = template.encode(SUFFIX).ids();
      yes = only(template, "yes");
      no = only(template, "no");
    }
    text = TextTokenizer.open(source, TokenizerSettings.plain());
  }

  private static int only(TextTokenizer tokenizer, String word) {
    long[] ids = tokenizer.encode(word).ids();
    if (ids.length != 1) {
      throw new IllegalStateException(word + " is " + ids.length + " tokens, expected one");
    }
    return Math.toIntExact(ids[0]);
  }

  int yes() {
    return yes;
  }

  int no() {
    return no;
  }

  /** All tokens of a pair. */
  long[] ids(String query, String passage) {
    long[] body = text.encode(head(query) + ' ' + passage).ids();
    return Stream.of(prefix, body, suffix).flatMapToLong(Arrays::stream).toArray();
  }

  /** Tokens that all passages of a query share. */
  int shared(String query) {
    return prefix.length + text.encode(head(query)).ids().length;
  }

  private static String head(String query) {
    return "<Instruct>: " + INSTRUCTION + "\n<Query>: " + query + "\n<Document>:";
  }

  @Override
  public void close() {
    text.close();
  }
}

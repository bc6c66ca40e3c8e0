package dev.petunia.rerank;

import dev.petunia.core.internal.Checks;
import dev.petunia.onnx.ModelException;
import dev.petunia.onnx.ModelSource;
import dev.petunia.onnx.internal.TextTokenizer;
import dev.petunia.onnx.internal.TokenizerSettings;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Two texts with the special tokens that the tokenizer puts around a pair: {@code [CLS] query [SEP]
 * passage [SEP]} for BERT, {@code <s> query </s></s> passage </s>} for RoBERTa. Only the passage is
 * cut.
 */
final class PairPrompt implements Prompt {
  /** A word that nearly every vocabulary has; whatever its tokens are, they are found again. */
  private static final String PROBE = "a";

  private final TextTokenizer text;
  private final int maxTokens;
  private final int maxDocument;
  private final long[] before;
  private final long[] beforeTypes;
  private final long queryType;
  private final long[] between;
  private final long[] betweenTypes;
  private final long documentType;
  private final long[] after;
  private final long[] afterTypes;

  PairPrompt(ModelSource tokenizer, int maxTokens, int maxDocument) {
    this.maxTokens = maxTokens;
    this.maxDocument = maxDocument;
    TextTokenizer.Tokens pair;
    try (TextTokenizer pairs =
        TextTokenizer.open(
            tokenizer, new TokenizerSettings(TokenizerSettings.NO_LIMIT, true, false))) {
      pair = pairs.encodePair(PROBE, PROBE);
    }
    text = TextTokenizer.open(tokenizer, TokenizerSettings.literal(maxTokens));
    try {
      long[] probe = text.encode(PROBE).ids();
      int first = find(pair.ids(), probe, 0);
      int second = first < 0 ? -1 : find(pair.ids(), probe, first + probe.length);
      int end = second + probe.length;
      if (probe.length == 0 || second < 0 || second == probe.length) {
        throw new ModelException(
            tokenizer
                + " makes "
                + Arrays.toString(pair.ids())
                + " of a pair of texts, expected special tokens around both",
            null);
      }
      before = Arrays.copyOf(pair.ids(), first);
      beforeTypes = Arrays.copyOf(pair.typeIds(), first);
      queryType = pair.typeIds()[first];
      between = Arrays.copyOfRange(pair.ids(), first + probe.length, second);
      betweenTypes = Arrays.copyOfRange(pair.typeIds(), first + probe.length, second);
      documentType = pair.typeIds()[second];
      after = Arrays.copyOfRange(pair.ids(), end, pair.ids().length);
      afterTypes = Arrays.copyOfRange(pair.typeIds(), end, pair.ids().length);
    } catch (Throwable e) {
      text.close();
      throw e;
    }
  }

  private static int find(long[] in, long[] what, int from) {
    for (int i = from; i + what.length <= in.length; i++) {
      if (Arrays.equals(in, i, i + what.length, what, 0, what.length)) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public Frame frame(String query) {
    Checks.wellFormed("query", query);
    TextTokenizer.Tokens q = text.encode(query);
    int used = before.length + q.ids().length + between.length + after.length;
    if (q.truncated() || used + LEAST_DOCUMENT > maxTokens) {
      throw Checks.badSize(
          "query",
          (q.truncated() ? "more than " + maxTokens : used) + " tokens with the special ones",
          "at most " + (maxTokens - LEAST_DOCUMENT) + " (maxTokens is " + maxTokens + ")");
    }
    long[] queryTypes = new long[q.ids().length];
    Arrays.fill(queryTypes, queryType);
    return new Frame(
        join(before, q.ids(), between),
        join(beforeTypes, queryTypes, betweenTypes),
        documentType,
        after,
        afterTypes,
        Math.min(maxTokens - used, maxDocument));
  }

  private static long[] join(long[] a, long[] b, long[] c) {
    return LongStream.concat(
            Arrays.stream(a), LongStream.concat(Arrays.stream(b), Arrays.stream(c)))
        .toArray();
  }

  @Override
  public Scorer.Document document(Frame frame, String passage) {
    return Prompt.cut(text.encode(passage), frame);
  }

  @Override
  public String check() {
    return "special tokens around a pair found";
  }

  @Override
  public int[] noYes() {
    return new int[0];
  }

  @Override
  public void close() {
    text.close();
  }
}

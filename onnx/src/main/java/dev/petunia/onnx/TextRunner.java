package dev.petunia.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.petunia.core.Embedding;
import dev.petunia.onnx.internal.OnnxSession;
import dev.petunia.onnx.internal.SessionSettings;
import dev.petunia.onnx.internal.TextTokenizer;
import dev.petunia.onnx.internal.TokenizerSettings;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/** One text through tokenizer, graph and pooling. Safe for many threads. */
final class TextRunner implements AutoCloseable {
  /**
   * ONNX Runtime's fused LayerNormalization is a slow scalar kernel on CPU. Without these two
   * fusions it subtracts the mean itself and uses its RMS normalisation: the same numbers to float
   * precision, and 14 % less time for a whole MiniLM text (docs/embedding.md).
   */
  private static final Map<String, String> FASTER_LAYER_NORM =
      Map.of("optimization.disable_specified_optimizers", "LayerNormFusionL1;LayerNormFusionL2");

  /** Opening a model for very long texts must not cost what such a text costs. */
  private static final int SELF_CHECK_TOKENS = 1024;

  private static final double OWN_NORM_TOLERANCE = 1e-3;

  private final EmbedderModel model;
  private final EmbedderGraph graph;
  private final OnnxSession session;
  private final TextTokenizer tokenizer;
  private final TokenAppender appender;
  private final ConcurrentLinkedQueue<Scratch> scratches = new ConcurrentLinkedQueue<>();

  private TextRunner(
      EmbedderModel model, OnnxSession session, TextTokenizer tokenizer, TokenAppender appender) {
    this.model = model;
    this.appender = appender;
    this.session = session;
    this.tokenizer = tokenizer;
    this.graph = EmbedderGraph.of(model, session);
  }

  static TextRunner open(EmbedderModel model, int intraOpThreads) {
    TokenAppender appender = TokenAppender.of(model);
    TextTokenizer tokenizer =
        TextTokenizer.open(
            model.tokenizer(),
            TokenizerSettings.truncatingAt(model.maxTokens() - appender.count()));
    OnnxSession session = null;
    try {
      session =
          OnnxSession.open(
              model.onnx(),
              SessionSettings.withThreads(intraOpThreads).withConfig(FASTER_LAYER_NORM));
      TextRunner runner = new TextRunner(model, session, tokenizer, appender);
      runner.selfCheck();
      return runner;
    } catch (Throwable e) {
      if (session != null) {
        session.close();
      }
      tokenizer.close();
      throw e;
    }
  }

  /** Shape and finite numbers, and that the graph reads so many tokens. */
  private void selfCheck() {
    long[] word = tokenizer.encode("word").ids();
    if (word.length == 0) {
      throw noTokens("\"word\"");
    }
    appender.check(appender.append(tokenizer.encode("word")));
    long[] longText = new long[Math.min(model.maxTokens(), SELF_CHECK_TOKENS)];
    Arrays.fill(longText, word[word.length / 2]);
    graph.checkOutput(session, longText);
  }

  private ModelException noTokens(String what) {
    return new ModelException("tokenizer of " + model.name() + " makes no tokens of " + what, null);
  }

  Embedding run(String prefix, String text, int index) {
    TextTokenizer.Tokens tokens = appender.append(tokenizer.encode(prefix, text));
    int n = tokens.ids().length;
    if (n == 0) {
      throw noTokens("texts[" + index + "]");
    }
    Scratch scratch = scratches.poll();
    if (scratch == null || !scratch.fits(n)) {
      scratch = Scratch.atLeast(model, n);
    }
    try {
      infer(tokens, scratch);
      Arrays.fill(scratch.pooled, 0);
      model.pooling().pool(scratch.hidden, n, scratch.row, scratch.pooled);
      return new Embedding(unit(scratch.pooled, model.normalize()), n, tokens.truncated());
    } catch (OrtException | ArithmeticException e) {
      throw new ModelException(
          model.name() + " failed on texts[" + index + "] of " + n + " tokens: " + e.getMessage(),
          e);
    } finally {
      scratches.add(scratch);
    }
  }

  private void infer(TextTokenizer.Tokens tokens, Scratch s) throws OrtException {
    int n = tokens.ids().length;
    s.ids.put(0, tokens.ids());
    s.types.put(0, tokens.typeIds());
    int components = model.pooling().rows(n) * model.dimension();
    try (OnnxSession.Lease lease = session.lease();
        GraphFeed feed = graph.feed(lease, s, n);
        OnnxTensor hidden = lease.tensor(s.hidden.slice(0, components), graph.outputShape(n));
        OrtSession.Result result = lease.run(feed.tensors(), Map.of(graph.output(), hidden))) {
      // The graph has written into the scratch buffer; the result only has to be closed.
      assert result != null;
    }
  }

  /**
   * Unit length, computed in double: the norm of the result is 1 to float precision. Without
   * scaling the graph's own norm must be 1 but for the rounding of an int8 or fp16 graph.
   */
  private static float[] unit(double[] v, boolean scale) {
    double squares = 0;
    for (double x : v) {
      squares += x * x;
    }
    double norm = Math.sqrt(squares);
    if (!(norm > 0 && norm < Double.POSITIVE_INFINITY)) {
      throw new ArithmeticException("the vector has length " + norm);
    }
    if (!scale) {
      if (Math.abs(norm - 1) > OWN_NORM_TOLERANCE) {
        throw new ArithmeticException(
            "the graph's vector has length " + norm + ", not 1: describe it with normalize true");
      }
      norm = 1;
    }
    float[] out = new float[v.length];
    for (int i = 0; i < v.length; i++) {
      out[i] = (float) (v[i] / norm);
    }
    return out;
  }

  @Override
  public void close() {
    session.close();
    tokenizer.close();
    scratches.clear();
  }
}

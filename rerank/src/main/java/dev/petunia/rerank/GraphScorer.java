package dev.petunia.rerank;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import dev.petunia.onnx.ModelException;
import dev.petunia.onnx.internal.OnnxSession;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs a cross-encoder's graph. One passage at a time and never padded: GroupQueryAttention gives
 * wrong numbers for left-padded inputs, and dynamically quantised graphs give a text other numbers
 * beside other texts.
 */
final class GraphScorer implements Scorer {
  private final OnnxSession session;
  private final Signature signature;
  private final Prompt prompt;
  private final boolean reuse;
  private final int[] noYes;

  /**
   * @param reuse hand in the keys and values of the shared tokens, where the graph can
   */
  GraphScorer(OnnxSession session, Signature signature, Prompt prompt, boolean reuse) {
    this.session = session;
    this.signature = signature;
    this.prompt = prompt;
    this.reuse = reuse && signature.hasPast();
    this.noYes = prompt.noYes();
  }

  boolean reusesPrefix() {
    return reuse;
  }

  @Override
  public Question question(String query) {
    return new GraphQuestion(prompt.frame(query));
  }

  private final class GraphQuestion implements Question {
    private final Prompt.Frame frame;
    private final OnnxSession.Lease lease;
    private final OrtSession.RunOptions options;
    private OrtSession.@Nullable Result shared;

    GraphQuestion(Prompt.Frame frame) {
      this.frame = frame;
      this.lease = session.lease();
      OrtSession.RunOptions made = null;
      try {
        made = new OrtSession.RunOptions();
        // a terminated run throws; ONNX Runtime would also write it to stderr
        made.setLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
        options = made;
      } catch (OrtException e) {
        if (made != null) {
          made.close();
        }
        lease.close();
        throw new ModelException("no options for a run: " + e.getMessage(), e);
      }
    }

    @Override
    public int prefixTokens() {
      return reuse ? frame.head().length : 0;
    }

    @Override
    public void prefix() {
      Set<String> wanted = new LinkedHashSet<>();
      signature.past().forEach(p -> wanted.add(p.output()));
      try (Feed feed = new Feed(lease)) {
        feed.tokens(frame.head(), frame.headTypes(), 0);
        feed.emptyPast();
        shared = lease.run(feed.tensors, wanted, options);
      } catch (OrtException e) {
        throw new ModelException(
            "the model failed on the query's " + frame.head().length + " tokens: " + e.getMessage(),
            e);
      }
    }

    @Override
    public Document document(String passage) {
      return prompt.document(frame, passage);
    }

    @Override
    public int cost(Document d) {
      return d.ids().length + frame.tail().length + (reuse ? 0 : frame.head().length);
    }

    @Override
    public double score(Document d) {
      try (Feed feed = new Feed(lease)) {
        if (reuse) {
          OrtSession.Result past = shared;
          if (past == null) {
            throw new IllegalStateException("the prefix has not been computed");
          }
          feed.tokens(
              join(new long[0], d.ids(), frame.tail()),
              join(new long[0], d.types(), frame.tailTypes()),
              frame.head().length);
          feed.past(past);
        } else {
          feed.tokens(
              join(frame.head(), d.ids(), frame.tail()),
              join(frame.headTypes(), d.types(), frame.tailTypes()),
              0);
          feed.emptyPast();
        }
        try (OrtSession.Result result =
            lease.run(feed.tensors, Set.of(signature.output()), options)) {
          return logit((OnnxTensor) result.get(0));
        }
      } catch (OrtException e) {
        throw new ModelException(
            "the model failed on a passage of " + d.ids().length + " tokens: " + e.getMessage(), e);
      }
    }

    @Override
    public void stop() {
      try {
        options.setTerminate(true);
      } catch (OrtException e) {
        throw new ModelException("a run can't be stopped: " + e.getMessage(), e);
      }
    }

    @Override
    public void close() {
      if (shared != null) {
        shared.close();
      }
      options.close();
      lease.close();
    }
  }

  private static long[] join(long[] a, long[] b, long[] c) {
    long[] all = Arrays.copyOf(a, a.length + b.length + c.length);
    System.arraycopy(b, 0, all, a.length, b.length);
    System.arraycopy(c, 0, all, a.length + b.length, c.length);
    return all;
  }

  private double logit(OnnxTensor output) {
    FloatBuffer f = output.getFloatBuffer();
    int n = f.remaining();
    return switch (signature.kind()) {
      case ONE -> only(f, n, 1).get(0);
      case NO_YES -> (double) only(f, n, 2).get(1) - f.get(0);
      case VOCABULARY -> {
        int words = Math.toIntExact(output.getInfo().getShape()[2]);
        if (noYes.length != 2 || Math.max(noYes[0], noYes[1]) >= words) {
          throw wrong(output, "logits of a vocabulary that has yes and no");
        }
        yield (double) f.get(n - words + noYes[1]) - f.get(n - words + noYes[0]);
      }
    };
  }

  private FloatBuffer only(FloatBuffer f, int n, int expected) {
    if (n != expected) {
      throw new ModelException(
          "output " + signature.output() + " has " + n + " numbers, expected " + expected, null);
    }
    return f;
  }

  private ModelException wrong(OnnxTensor output, String expected) {
    return new ModelException(
        "output "
            + signature.output()
            + " has shape "
            + Arrays.toString(output.getInfo().getShape())
            + ", expected "
            + expected,
        null);
  }

  /** The inputs of one run. */
  private final class Feed implements AutoCloseable {
    private final OnnxSession.Lease lease;
    private final Map<String, OnnxTensor> tensors = new HashMap<>();
    private final Set<OnnxTensor> own = new LinkedHashSet<>();

    Feed(OnnxSession.Lease lease) {
      this.lease = lease;
    }

    void tokens(long[] ids, long[] types, int before) throws OrtException {
      put(Signature.IDS, ids);
      if (signature.mask()) {
        long[] ones = new long[before + ids.length];
        Arrays.fill(ones, 1);
        put(Signature.MASK, ones);
      }
      if (signature.positions()) {
        long[] positions = new long[ids.length];
        Arrays.setAll(positions, i -> before + i);
        put(Signature.POSITIONS, positions);
      }
      if (signature.types()) {
        put(Signature.TYPES, types);
      }
    }

    private void put(String name, long[] values) throws OrtException {
      OnnxTensor t = lease.tensor(LongBuffer.wrap(values), 1, values.length);
      own.add(t);
      tensors.put(name, t);
    }

    void emptyPast() throws OrtException {
      for (Signature.Past p : signature.past()) {
        OnnxTensor t = lease.empty(p.type(), 1, p.shape()[1], 0, p.shape()[3]);
        own.add(t);
        tensors.put(p.input(), t);
      }
    }

    /** ONNX Runtime's own tensors of the prefix, not copied. */
    void past(OrtSession.Result result) {
      for (Signature.Past p : signature.past()) {
        OnnxTensor t =
            (OnnxTensor)
                result
                    .get(p.output())
                    .orElseThrow(() -> new ModelException("no output " + p.output(), null));
        tensors.put(p.input(), t);
      }
    }

    @Override
    public void close() {
      own.forEach(OnnxTensor::close);
    }
  }
}

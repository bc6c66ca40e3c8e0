package dev.petunia.rerank;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.TensorInfo;
import dev.petunia.onnx.ModelException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a cross-encoder's graph takes and gives. Everything that isn't understood is refused here by
 * name, so that no other number is ever read as a score.
 *
 * @param past inputs of earlier tokens' keys and values with the outputs that hold them; may be
 *     empty
 * @param output what is read
 */
record Signature(
    boolean mask, boolean positions, boolean types, List<Past> past, String output, Kind kind) {
  static final String IDS = "input_ids";
  static final String MASK = "attention_mask";
  static final String POSITIONS = "position_ids";
  static final String TYPES = "token_type_ids";
  private static final Set<String> KNOWN = Set.of(IDS, MASK, POSITIONS, TYPES);
  private static final Pattern PAST =
      Pattern.compile("past(?:_key_values)?\\.(\\d+\\.(?:key|value))");

  /** What the output holds. */
  enum Kind {
    /** {@code [batch, tokens, vocabulary]}. */
    VOCABULARY,
    /** Two numbers: (no, yes). */
    NO_YES,
    /** One number. */
    ONE
  }

  /**
   * Keys or values of one layer.
   *
   * @param shape {@code [batch, heads, tokens, size]}; batch and tokens are −1
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Past(String input, String output, OnnxJavaType type, long[] shape) {}

  /**
   * Reads a signature.
   *
   * @param rewritten the output that a rewritten graph got; null when it wasn't rewritten
   * @throws ModelException for anything that isn't understood
   */
  static Signature of(
      Path graph,
      Map<String, TensorInfo> in,
      Map<String, TensorInfo> out,
      @Nullable String rewritten) {
    Reader r = new Reader(graph);
    if (!in.containsKey(IDS)) {
      throw r.wrong("has no input " + IDS + ", but " + in.keySet());
    }
    List<Past> past = new ArrayList<>();
    in.forEach(
        (name, info) -> {
          Matcher m = PAST.matcher(name);
          if (m.matches()) {
            past.add(r.past(name, info, m.group(1), out));
          } else if (!KNOWN.contains(name)) {
            throw r.wrong(
                "has input "
                    + name
                    + "; understood are "
                    + List.of(IDS, MASK, POSITIONS, TYPES)
                    + " and past_key_values.N.key/value");
          } else if (info.type != OnnxJavaType.INT64 || info.getShape().length != 2) {
            throw r.wrong(
                "input " + name + " is " + show(info) + ", expected INT64[batch, tokens]");
          }
        });
    String output = rewritten == null ? r.output(out) : rewritten;
    Kind kind = rewritten == null ? r.kind(output, out) : Kind.NO_YES;
    return new Signature(
        in.containsKey(MASK),
        in.containsKey(POSITIONS),
        in.containsKey(TYPES),
        List.copyOf(past),
        output,
        kind);
  }

  /** Whether earlier tokens can be handed in. */
  boolean hasPast() {
    return !past.isEmpty();
  }

  private static String show(@Nullable TensorInfo info) {
    return info == null ? "absent" : info.type + Arrays.toString(info.getShape());
  }

  private record Reader(Path graph) {
    Past past(String name, TensorInfo info, String part, Map<String, TensorInfo> out) {
      long[] shape = info.getShape();
      boolean number = info.type == OnnxJavaType.FLOAT || info.type == OnnxJavaType.FLOAT16;
      if (!number || shape.length != 4 || shape[1] < 1 || shape[2] != -1 || shape[3] < 1) {
        throw wrong(
            "input "
                + name
                + " is "
                + show(info)
                + ", expected FLOAT or FLOAT16[batch, heads, tokens, size]");
      }
      List<String> matching =
          out.keySet().stream()
              .filter(o -> o.startsWith("present") && o.endsWith("." + part))
              .toList();
      if (matching.size() != 1) {
        throw wrong("has input " + name + " but outputs " + matching + " for it, expected one");
      }
      return new Past(name, matching.getFirst(), info.type, shape);
    }

    /** The one called logits, or the only one that could be a score. */
    String output(Map<String, TensorInfo> out) {
      if (out.containsKey("logits")) {
        return "logits";
      }
      List<String> scores =
          out.entrySet().stream()
              .filter(e -> e.getValue().getShape().length == 2)
              .filter(e -> e.getValue().getShape()[1] == 1 || e.getValue().getShape()[1] == 2)
              .map(Map.Entry::getKey)
              .toList();
      if (scores.size() == 1) {
        return scores.getFirst();
      }
      throw wrong("has outputs " + shown(out) + ", expected " + EXPECTED);
    }

    private static final String EXPECTED =
        "logits[batch, tokens, vocabulary], [batch, 2] (no, yes) or [batch, 1]";

    Kind kind(String output, Map<String, TensorInfo> out) {
      TensorInfo info = out.get(output);
      long[] shape = info == null ? new long[0] : info.getShape();
      boolean number =
          info != null
              && (info.type == OnnxJavaType.FLOAT
                  || info.type == OnnxJavaType.FLOAT16
                  || info.type == OnnxJavaType.BFLOAT16);
      if (number && shape.length == 3 && (shape[2] == -1 || shape[2] > 2)) {
        return Kind.VOCABULARY;
      }
      if (number && shape.length == 2 && (shape[1] == 1 || shape[1] == 2)) {
        return shape[1] == 1 ? Kind.ONE : Kind.NO_YES;
      }
      throw wrong("output " + output + " is " + show(info) + ", expected " + EXPECTED);
    }

    private static Map<String, String> shown(Map<String, TensorInfo> all) {
      Map<String, String> shown = new LinkedHashMap<>();
      all.forEach((n, i) -> shown.put(n, show(i)));
      return shown;
    }

    ModelException wrong(String what) {
      return new ModelException("graph " + graph + " " + what, null);
    }
  }
}

package dev.petunia.benchmarks.rerank;

import dev.petunia.benchmarks.rerank.QwenGraph.Projection;

/**
 * The forward pass of Qwen3 in double, written from its description and not from the graph: token
 * by token with loops, no masks, no shared code but the weights.
 */
final class ReferenceForward {
  private final ModelShape s;
  private final Weights weights;

  ReferenceForward(ModelShape shape, long seed) {
    this.s = shape;
    this.weights = new Weights(seed);
  }

  /** Logits of all tokens at each position. */
  double[][] logits(long... ids) {
    int n = ids.length;
    Weights.Matrix embedding = QwenGraph.embedding(s, weights);
    double[][] x = new double[n][s.hidden()];
    for (int t = 0; t < n; t++) {
      for (int i = 0; i < s.hidden(); i++) {
        x[t][i] = embedding.at(i, (int) ids[t]);
      }
    }
    for (int layer = 0; layer < s.layers(); layer++) {
      addAttention(layer, x);
      for (int t = 0; t < n; t++) {
        double[] in = norm(x[t], 0, s.hidden(), "layers." + layer + ".post_attention_layernorm");
        double[] gate = project(layer, Projection.GATE, in);
        double[] up = project(layer, Projection.UP, in);
        for (int i = 0; i < up.length; i++) {
          up[i] *= gate[i] / (1 + Math.exp(-gate[i]));
        }
        add(x[t], project(layer, Projection.DOWN, up));
      }
    }
    double[][] out = new double[n][];
    for (int t = 0; t < n; t++) {
      out[t] = times(embedding, norm(x[t], 0, s.hidden(), "norm"));
    }
    return out;
  }

  private void addAttention(int layer, double[][] x) {
    int n = x.length;
    int d = s.headDim();
    double[][] q = new double[n][];
    double[][] k = new double[n][];
    double[][] v = new double[n][];
    for (int t = 0; t < n; t++) {
      double[] in = norm(x[t], 0, s.hidden(), "layers." + layer + ".input_layernorm");
      q[t] = turned(project(layer, Projection.Q, in), "layers." + layer + ".q_norm", t);
      k[t] = turned(project(layer, Projection.K, in), "layers." + layer + ".k_norm", t);
      v[t] = project(layer, Projection.V, in);
    }
    for (int t = 0; t < n; t++) {
      double[] context = new double[s.heads() * d];
      for (int head = 0; head < s.heads(); head++) {
        int kv = head / (s.heads() / s.kvHeads());
        double[] share = new double[t + 1];
        double max = Double.NEGATIVE_INFINITY;
        for (int past = 0; past <= t; past++) {
          for (int i = 0; i < d; i++) {
            share[past] += q[t][head * d + i] * k[past][kv * d + i];
          }
          share[past] /= Math.sqrt(d);
          max = Math.max(max, share[past]);
        }
        double sum = 0;
        for (int past = 0; past <= t; past++) {
          share[past] = Math.exp(share[past] - max);
          sum += share[past];
        }
        for (int past = 0; past <= t; past++) {
          for (int i = 0; i < d; i++) {
            context[head * d + i] += share[past] / sum * v[past][kv * d + i];
          }
        }
      }
      add(x[t], project(layer, Projection.O, context));
    }
  }

  /** Each head normalised, and then turned by its position: complex numbers (i, i + d/2). */
  private double[] turned(double[] all, String name, int position) {
    int d = s.headDim();
    double[] out = new double[all.length];
    for (int from = 0; from < all.length; from += d) {
      double[] head = norm(all, from, d, name);
      for (int i = 0; i < d / 2; i++) {
        double angle = position / Math.pow(ModelShape.ROPE_THETA, 2.0 * i / d);
        double re = head[i];
        double im = head[i + d / 2];
        out[from + i] = re * Math.cos(angle) - im * Math.sin(angle);
        out[from + i + d / 2] = re * Math.sin(angle) + im * Math.cos(angle);
      }
    }
    return out;
  }

  private double[] norm(double[] x, int from, int size, String name) {
    double squares = 0;
    for (int i = 0; i < size; i++) {
      squares += x[from + i] * x[from + i];
    }
    double root = Math.sqrt(squares / size + ModelShape.RMS_EPSILON);
    double[] out = new double[size];
    for (int i = 0; i < size; i++) {
      out[i] = x[from + i] / root * weights.norm(name, i);
    }
    return out;
  }

  private double[] project(int layer, Projection p, double[] in) {
    return times(QwenGraph.projection(s, weights, layer, p), in);
  }

  private static double[] times(Weights.Matrix m, double[] in) {
    double[] out = new double[m.out()];
    for (int o = 0; o < out.length; o++) {
      for (int i = 0; i < in.length; i++) {
        out[o] += in[i] * m.at(i, o);
      }
    }
    return out;
  }

  private static void add(double[] to, double[] what) {
    for (int i = 0; i < to.length; i++) {
      to[i] += what[i];
    }
  }
}

package dev.petunia.onnx;

import java.nio.FloatBuffer;
import java.util.Locale;

/** How the vectors of a text's tokens become one vector. */
public enum Pooling {
  /** The mean over all tokens, special ones included (Sentence-BERT, Reimers 2019, section 3). */
  MEAN {
    @Override
    void pool(FloatBuffer hidden, int tokens, float[] row, double[] into) {
      // The sum: the vector is scaled to unit length next, so dividing by the count changes
      // nothing.
      for (int t = 0; t < tokens; t++) {
        addRow(hidden, t, row, into);
      }
    }
  },

  /** The first token, [CLS] in models of BERT's kind: BGE v1.5. */
  CLS {
    @Override
    void pool(FloatBuffer hidden, int tokens, float[] row, double[] into) {
      addRow(hidden, 0, row, into);
    }
  },

  /**
   * The last token, an appended one included: in a decoder the only one that has seen the whole
   * text. Qwen3-Embedding.
   */
  LAST_TOKEN {
    @Override
    void pool(FloatBuffer hidden, int tokens, float[] row, double[] into) {
      addRow(hidden, tokens - 1, row, into);
    }
  },

  /**
   * The graph has done it: its output is {@code [batch, dimension]}, called sentence_embedding if
   * it has several of that form.
   */
  GRAPH {
    @Override
    void pool(FloatBuffer hidden, int tokens, float[] row, double[] into) {
      addRow(hidden, 0, row, into);
    }

    @Override
    int rows(int tokens) {
      return 1;
    }
  };

  /**
   * Adds up into {@code into}, which is 0 at first. The length of the result has no meaning, but
   * with {@link #GRAPH} it is the graph's.
   *
   * @param hidden {@link #rows} rows of {@code row.length} components, without padding
   * @param tokens 1 or more
   * @param row scratch
   */
  abstract void pool(FloatBuffer hidden, int tokens, float[] row, double[] into);

  /** Rows that the graph gives for a text of so many tokens. */
  int rows(int tokens) {
    return tokens;
  }

  /** The name in a model id and in a description file. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static void addRow(FloatBuffer hidden, int at, float[] row, double[] into) {
    hidden.get(at * row.length, row);
    for (int d = 0; d < row.length; d++) {
      into[d] += row[d];
    }
  }
}

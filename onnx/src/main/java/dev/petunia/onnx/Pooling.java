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
        hidden.get(t * row.length, row);
        for (int d = 0; d < row.length; d++) {
          into[d] += row[d];
        }
      }
    }
  };

  /**
   * Adds up into {@code into}, which is 0 at first. The length of the result has no meaning.
   *
   * @param hidden {@code tokens} rows of {@code row.length} components, without padding
   * @param row scratch
   */
  abstract void pool(FloatBuffer hidden, int tokens, float[] row, double[] into);

  /** The name in a model id. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}

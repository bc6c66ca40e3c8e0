package dev.petunia.hnsw;

import dev.petunia.core.VectorEntry;
import java.util.List;

/** What a {@link Quantizer} has to know of the vectors: their mean, from a sample. */
final class Training {
  /** Below so many vectors there are no codes: walks are short, and a mean would say little. */
  static final int AT_LEAST = 1000;

  private static final int SAMPLE = 10_000;

  private Training() {}

  /** The mean of vectors evenly spread over those that are stored and those that come. */
  static float[] centre(VectorTable table, List<VectorEntry> coming) {
    int dimension = table.form.dimension();
    double[] sum = new double[dimension];
    float[] v = new float[table.form.stride()];
    long all = (long) table.nodeLimit() + coming.size();
    long step = Math.max(1, all / SAMPLE);
    int n = 0;
    for (long i = 0; i < all; i += step) {
      if (i < table.nodeLimit()) {
        int node = (int) i;
        if (table.state(node) == Page.FREE) {
          continue;
        }
        table.copy(node, v);
      } else {
        VectorEntry e = coming.get((int) (i - table.nodeLimit()));
        table.form.prepare(e.id(), e.vector(), e.vector().length, v);
      }
      for (int k = 0; k < dimension; k++) {
        sum[k] += v[k];
      }
      n++;
    }
    float[] centre = new float[dimension];
    for (int k = 0; k < dimension; k++) {
      double mean = n == 0 ? 0 : sum[k] / n;
      centre[k] = (float) Math.clamp(mean, -Float.MAX_VALUE, Float.MAX_VALUE);
    }
    return centre;
  }
}

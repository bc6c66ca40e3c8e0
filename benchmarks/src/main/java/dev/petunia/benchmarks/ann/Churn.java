package dev.petunia.benchmarks.ann;

import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * Takes rows out of an index at random and puts them back; seeded. A row comes back with another
 * vector each time, for one that an index still remembers would cost it nothing: its own vector
 * plus noise of {@value #NOISE} of its length.
 */
final class Churn {
  private static final float NOISE = 0.3f;
  private static final long SEED = 3;

  private final AnnSystem system;
  private final float[][] base;
  private final int[] rows;
  private final BitSet absent = new BitSet();
  private final BitSet changed = new BitSet();
  private final SplittableRandom random = new SplittableRandom(SEED);

  /**
   * @param rows those that may be changed; all are in the index
   */
  Churn(AnnSystem system, float[][] base, int[] rows) {
    this.system = system;
    this.base = base;
    this.rows = rows;
  }

  /** Deletes a row that is there, or puts back one that is not. */
  void change() throws Exception {
    int i = random.nextInt(rows.length);
    changed.set(i);
    if (absent.get(i)) {
      system.upsert(rows[i], near(base[rows[i]]));
    } else {
      system.delete(rows[i]);
    }
    absent.flip(i);
  }

  private float[] near(float[] v) {
    float[] out = new float[v.length];
    double scale = NOISE / Math.sqrt(v.length);
    for (int j = 0; j < v.length; j++) {
      out[j] = v[j] + (float) (random.nextGaussian() * scale);
    }
    VectorFiles.normalise(out);
    return out;
  }

  /** Brings all rows back to their own vectors. */
  void restore() throws Exception {
    for (int i = changed.nextSetBit(0); i >= 0; i = changed.nextSetBit(i + 1)) {
      system.upsert(rows[i], base[rows[i]]);
    }
    changed.clear();
    absent.clear();
  }
}

package dev.petunia.benchmarks.crash;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Ids and their vectors. */
final class Content {
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  private final Map<String, float[]> vectors;

  Content() {
    this(new HashMap<>());
  }

  private Content(Map<String, float[]> vectors) {
    this.vectors = vectors;
  }

  Content copy() {
    return new Content(new HashMap<>(vectors)); // the vectors themselves never change
  }

  void apply(Workload.Step step) {
    switch (step) {
      case Workload.Put put -> put.entries().forEach(e -> vectors.put(e.id(), e.vector()));
      case Workload.Delete delete -> vectors.remove(delete.id());
      case Workload.Commit commit -> {}
      case Workload.Compact compact -> {}
    }
  }

  /** This content after so many steps of a workload. */
  Content after(long seed, int steps) {
    Content out = copy();
    Workload workload = new Workload(seed);
    for (int i = 0; i < steps; i++) {
      out.apply(workload.next());
    }
    return out;
  }

  long print() {
    return print(vectors.size(), vectors::get);
  }

  /**
   * A number that depends on each id and on each bit of its vector.
   *
   * @param vector of an id; null when it is not there
   */
  static long print(int size, Function<String, float @Nullable []> vector) {
    long print = size;
    for (int i = 0; i < Workload.IDS; i++) {
      print = print * MULTIPLIER + i;
      float @Nullable [] v = vector.apply(Workload.id(i));
      if (v != null) {
        for (float x : v) {
          print = Long.rotateLeft(print ^ Float.floatToRawIntBits(x), 23) * MULTIPLIER;
        }
      }
    }
    return print;
  }
}

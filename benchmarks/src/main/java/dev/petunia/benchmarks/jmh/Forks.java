package dev.petunia.benchmarks.jmh;

/** JVM arguments of the forks. */
final class Forks {
  static final String VECTOR_MODULE = "--add-modules=jdk.incubator.vector";
  static final String HEAP = "-Xmx2g";
  static final String NATIVE = "--enable-native-access=ALL-UNNAMED";

  private Forks() {}

  /** Fails the benchmark when an answer is wrong. */
  static void require(boolean right, String what) {
    if (!right) {
      throw new IllegalStateException("wrong answer: " + what);
    }
  }
}

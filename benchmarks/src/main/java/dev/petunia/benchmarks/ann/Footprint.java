package dev.petunia.benchmarks.ann;

/**
 * Bytes that an open index takes, as it says itself.
 *
 * @param heap on the Java heap
 * @param offHeap other memory of the process
 * @param mapped files that are mapped into memory
 * @param disk files that are not
 */
record Footprint(long heap, long offHeap, long mapped, long disk) {
  long sum() {
    return heap + offHeap + mapped + disk;
  }
}

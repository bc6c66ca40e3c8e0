package dev.petunia.hnsw;

/**
 * What an index takes, in bytes. Mapped files are memory and disk at once; they count once, under
 * mapped, so that the sum is what the index takes in all.
 *
 * @param heapBytes on the Java heap: links, ids, tables; by the sizes of the objects in a JVM with
 *     compressed references
 * @param offHeapBytes allocated outside the heap: vectors and codes that are in no file yet, or
 *     share a page with such
 * @param mappedBytes vectors and codes in files that are mapped into memory; the system keeps as
 *     much of them in memory as it has room for
 * @param diskBytes of files that are not mapped
 */
public record MemoryUse(long heapBytes, long offHeapBytes, long mappedBytes, long diskBytes) {
  /** All of it. */
  public long total() {
    return heapBytes + offHeapBytes + mappedBytes + diskBytes;
  }
}

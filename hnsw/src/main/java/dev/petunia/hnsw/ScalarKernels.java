package dev.petunia.hnsw;

import java.lang.foreign.MemorySegment;

/**
 * Plain loops. Four partial sums let the processor overlap additions (and the compiler use what
 * SIMD it can prove), where one sum would wait for itself.
 */
final class ScalarKernels extends Kernels {
  @Override
  String name() {
    return "scalar";
  }

  @Override
  int lanes() {
    return 4;
  }

  @Override
  float dot(MemorySegment a, long ao, MemorySegment b, long bo, int n) {
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    int i = 0;
    for (; i + 3 < n; i += 4) {
      s0 += a.get(FLOAT, ao + 4L * i) * b.get(FLOAT, bo + 4L * i);
      s1 += a.get(FLOAT, ao + 4L * (i + 1)) * b.get(FLOAT, bo + 4L * (i + 1));
      s2 += a.get(FLOAT, ao + 4L * (i + 2)) * b.get(FLOAT, bo + 4L * (i + 2));
      s3 += a.get(FLOAT, ao + 4L * (i + 3)) * b.get(FLOAT, bo + 4L * (i + 3));
    }
    float sum = (s0 + s1) + (s2 + s3);
    for (; i < n; i++) {
      sum += a.get(FLOAT, ao + 4L * i) * b.get(FLOAT, bo + 4L * i);
    }
    return sum;
  }

  @Override
  float squared(MemorySegment a, long ao, MemorySegment b, long bo, int n) {
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    int i = 0;
    for (; i + 3 < n; i += 4) {
      float d0 = a.get(FLOAT, ao + 4L * i) - b.get(FLOAT, bo + 4L * i);
      float d1 = a.get(FLOAT, ao + 4L * (i + 1)) - b.get(FLOAT, bo + 4L * (i + 1));
      float d2 = a.get(FLOAT, ao + 4L * (i + 2)) - b.get(FLOAT, bo + 4L * (i + 2));
      float d3 = a.get(FLOAT, ao + 4L * (i + 3)) - b.get(FLOAT, bo + 4L * (i + 3));
      s0 += d0 * d0;
      s1 += d1 * d1;
      s2 += d2 * d2;
      s3 += d3 * d3;
    }
    float sum = (s0 + s1) + (s2 + s3);
    for (; i < n; i++) {
      float d = a.get(FLOAT, ao + 4L * i) - b.get(FLOAT, bo + 4L * i);
      sum += d * d;
    }
    return sum;
  }

  @Override
  void dot4(
      MemorySegment q,
      long qo,
      int n,
      MemorySegment a,
      long ao,
      MemorySegment b,
      long bo,
      MemorySegment c,
      long co,
      MemorySegment d,
      long d0,
      float[] out,
      int at) {
    out[at] = dot(q, qo, a, ao, n);
    out[at + 1] = dot(q, qo, b, bo, n);
    out[at + 2] = dot(q, qo, c, co, n);
    out[at + 3] = dot(q, qo, d, d0, n);
  }

  @Override
  void squared4(
      MemorySegment q,
      long qo,
      int n,
      MemorySegment a,
      long ao,
      MemorySegment b,
      long bo,
      MemorySegment c,
      long co,
      MemorySegment d,
      long d0,
      float[] out,
      int at) {
    out[at] = squared(q, qo, a, ao, n);
    out[at + 1] = squared(q, qo, b, bo, n);
    out[at + 2] = squared(q, qo, c, co, n);
    out[at + 3] = squared(q, qo, d, d0, n);
  }
}

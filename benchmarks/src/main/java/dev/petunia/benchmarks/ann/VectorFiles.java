package dev.petunia.benchmarks.ann;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Row-major, little-endian vector files without a header: half floats, int16, int32, float32. */
final class VectorFiles {
  private VectorFiles() {}

  /** A file's bytes; unpacked when its name ends in .gz. */
  static ByteBuffer read(Path file) throws IOException {
    byte[] bytes;
    if (file.toString().endsWith(".gz")) {
      try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file), 1 << 16)) {
        bytes = in.readAllBytes();
      }
    } else {
      bytes = Files.readAllBytes(file);
    }
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** The first {@code rows} rows of IEEE 754 half floats, each brought back to unit length. */
  static float[][] halfFloats(ByteBuffer bytes, int rows, int dimension) {
    requireRows(bytes, rows, dimension, Short.BYTES);
    float[][] out = new float[rows][dimension];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < dimension; j++) {
        out[i][j] = Float.float16ToFloat(bytes.getShort((i * dimension + j) * Short.BYTES));
      }
      normalise(out[i]);
    }
    return out;
  }

  /** The first {@code rows} rows of int16; only their direction counts, so scale doesn't. */
  static float[][] shorts(ByteBuffer bytes, int rows, int dimension) {
    requireRows(bytes, rows, dimension, Short.BYTES);
    float[][] out = new float[rows][dimension];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < dimension; j++) {
        out[i][j] = bytes.getShort((i * dimension + j) * Short.BYTES);
      }
      normalise(out[i]);
    }
    return out;
  }

  /** Rows of int32. */
  static int[][] ints(ByteBuffer bytes, int rows, int columns) {
    requireRows(bytes, rows, columns, Integer.BYTES);
    int[][] out = new int[rows][columns];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        out[i][j] = bytes.getInt((i * columns + j) * Integer.BYTES);
      }
    }
    return out;
  }

  /** The first rows of a file of float32 as they are, read row by row: files of gigabytes too. */
  static float[][] floats(Path file, int rows, int dimension) throws IOException {
    long need = (long) rows * dimension * Float.BYTES;
    long size = Files.size(file);
    if (size < need) {
      throw tooShort(size, need);
    }
    float[][] out = new float[rows][dimension];
    ByteBuffer row = ByteBuffer.allocate(dimension * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 20)) {
      for (float[] r : out) {
        in.readNBytes(row.array(), 0, row.capacity());
        row.clear().asFloatBuffer().get(r);
      }
    }
    return out;
  }

  /** Writes rows as float32. */
  static void write(Path file, float[][] rows) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      ByteBuffer row =
          ByteBuffer.allocate(rows[0].length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      for (float[] r : rows) {
        row.clear();
        row.asFloatBuffer().put(r);
        out.write(row.array());
      }
    }
  }

  /** Brings a vector to length 1, in double precision. */
  static void normalise(float[] v) {
    double sum = 0;
    for (float x : v) {
      sum += (double) x * x;
    }
    if (!(sum > 0) || Double.isInfinite(sum)) {
      throw new IllegalArgumentException("vector has length " + sum + ", allowed: above 0, finite");
    }
    double length = Math.sqrt(sum);
    for (int i = 0; i < v.length; i++) {
      v[i] = (float) (v[i] / length);
    }
  }

  private static void requireRows(ByteBuffer bytes, int rows, int columns, int size) {
    long need = (long) rows * columns * size;
    if (bytes.capacity() < need) {
      throw tooShort(bytes.capacity(), need);
    }
  }

  private static IllegalArgumentException tooShort(long size, long need) {
    return new IllegalArgumentException(
        "vector file has " + size + " bytes, allowed: at least " + need);
  }
}

package dev.petunia.benchmarks.ann;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VectorFilesTest {
  private static ByteBuffer shorts(int... values) {
    ByteBuffer out =
        ByteBuffer.allocate(values.length * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int v : values) {
      out.putShort((short) v);
    }
    return out;
  }

  @Test
  void halfFloatsAreWidenedAndBroughtToUnitLength() {
    // IEEE 754: 0x4200 = 3, 0xc400 = -4; 0x0001 = 2^-24, the smallest; 0x7bff = 65504, the largest
    float[][] v =
        VectorFiles.halfFloats(shorts(0x4200, 0xc400, 0x0001, 0x0000, 0x7bff, 0x7bff), 3, 2);
    assertArrayEquals(new float[] {0.6f, -0.8f}, v[0], 1e-7f);
    assertArrayEquals(new float[] {1f, 0f}, v[1], 0f);
    assertArrayEquals(new float[] {0.70710678f, 0.70710678f}, v[2], 1e-7f);
  }

  @Test
  void shortsKeepTheirSignAndDirection() {
    assertArrayEquals(
        new float[] {-0.6f, 0.8f}, VectorFiles.shorts(shorts(-3000, 4000, 1, 1), 1, 2)[0], 1e-7f);
  }

  @Test
  void fewerRowsThanTheFileHasAreItsFirstOnes() {
    assertEquals(1, VectorFiles.shorts(shorts(1, 0, 0, 1), 1, 2).length);
  }

  @Test
  void aFileThatIsTooShortIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> VectorFiles.shorts(shorts(1, 2, 3), 2, 2));
    assertThrows(
        IllegalArgumentException.class, () -> VectorFiles.halfFloats(shorts(1, 2, 3), 2, 2));
  }

  @Test
  void zeroAndInfiniteVectorsAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> VectorFiles.normalise(new float[3]));
    assertThrows(
        IllegalArgumentException.class,
        () -> VectorFiles.normalise(new float[] {Float.POSITIVE_INFINITY, 1}));
    assertThrows(
        IllegalArgumentException.class, () -> VectorFiles.normalise(new float[] {Float.NaN, 1}));
  }

  @Test
  void floatsComeBackAsTheyWereWritten(@TempDir Path folder) throws IOException {
    float[][] rows = {{1.5f, -0f, Float.MIN_VALUE}, {3, 4, 5}};
    Path file = folder.resolve("rows.f32");
    VectorFiles.write(file, rows);
    assertEquals(24, Files.size(file));
    float[][] back = VectorFiles.floats(file, 2, 3);
    assertArrayEquals(rows[0], back[0]);
    assertArrayEquals(rows[1], back[1]);
    assertEquals(1, VectorFiles.floats(file, 1, 3).length);
    assertThrows(IllegalArgumentException.class, () -> VectorFiles.floats(file, 3, 3));
  }

  @Test
  void gzippedFilesAreUnpacked(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("rows.i32.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(new byte[] {1, 0, 0, 0, -1, -1, -1, -1});
    }
    assertArrayEquals(new int[] {1, -1}, VectorFiles.ints(VectorFiles.read(file), 1, 2)[0]);
  }
}

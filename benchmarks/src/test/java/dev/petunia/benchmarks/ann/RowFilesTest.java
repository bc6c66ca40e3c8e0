package dev.petunia.benchmarks.ann;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowFilesTest {
  @TempDir Path folder;

  @Test
  void rowsComeBackAsTheyWereWritten() throws IOException {
    Path file = folder.resolve("rows");
    RowFiles.write(file, new int[] {3, 0, 99_999_999});
    assertArrayEquals(new int[] {3, 0, 99_999_999}, RowFiles.rows(file));
    RowFiles.write(file, new int[0]);
    assertEquals(0, RowFiles.rows(file).length);
  }

  @Test
  void filtersComeBackAsTheyWereWritten() throws IOException {
    BitSet some = new BitSet();
    some.set(0);
    some.set(64, 70);
    Path file = folder.resolve("filters");
    RowFiles.write(file, new RowFiles.Filters(List.of(some, new BitSet()), new int[] {1, 0, 0}));
    RowFiles.Filters back = RowFiles.filters(file);
    assertEquals(List.of(some, new BitSet()), back.passing());
    assertArrayEquals(new int[] {1, 0, 0}, back.ofQuery());
  }
}

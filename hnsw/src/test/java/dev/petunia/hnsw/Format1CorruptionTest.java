package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.EUCLIDEAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.CorruptIndexException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage to a directory of format version 1, which is read still. */
class Format1CorruptionTest {
  private static final String LAST = "vectors-0000000002.pv";
  private static final HnswConfig CONFIG = Given.config(3, EUCLIDEAN).m(3).build();

  @TempDir Path folder;

  @BeforeEach
  void copyASample() throws IOException {
    for (String name : new String[] {"vectors-0000000001.pv", LAST, "commit"}) {
      try (InputStream in = Format1CorruptionTest.class.getResourceAsStream("/format-1/" + name)) {
        if (in == null) {
          throw new AssertionError(name + " is missing");
        }
        Files.copy(in, folder.resolve(name));
      }
    }
  }

  private CorruptIndexException refusedBecauseOf(Path file, String what) {
    try (HnswIndex index = HnswIndex.openReadOnly(folder, CONFIG)) {
      throw new AssertionError(what + " was not noticed; size " + index.size());
    } catch (CorruptIndexException e) {
      assertEquals(file, e.file(), what);
      return e;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {LAST, "commit"})
  void aFileCutAtAnyLengthIsRefused(String name) throws IOException {
    Path file = folder.resolve(name);
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < whole.length; length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      refusedBecauseOf(file, name + " cut to " + length);
    }
    Files.write(file, Arrays.copyOf(whole, whole.length + 1));
    refusedBecauseOf(file, "a byte after the end of " + name);
  }

  @ParameterizedTest
  @ValueSource(strings = {LAST, "commit"})
  void aFlippedBitAnywhereIsRefused(String name) throws IOException {
    Path file = folder.resolve(name);
    byte[] whole = Files.readAllBytes(file);
    SplittableRandom random = Given.random(1);
    for (int at = 0; at < whole.length; at++) {
      byte[] bad = whole.clone();
      bad[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, bad);
      refusedBecauseOf(file, "a flipped bit of byte " + at + " of " + name);
    }
  }

  @ParameterizedTest(name = "{0} = {2}")
  @CsvSource({
    "version, 8, 0",
    "similarity, 12, 3",
    "dimension, 16, 65537",
    "M, 20, 129",
    "nodes, 24, 2147483647",
    "nodes, 24, -1",
    "ids, 28, 2147483647",
    "ids, 28, -1",
    "entry, 32, 60",
    "entry level, 36, 31"
  })
  void aFieldThatCantBeIsNamedWithItsOffset(String field, int offset, int value)
      throws IOException {
    Path file = folder.resolve(LAST);
    ByteBuffer b = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    b.putInt(offset, value);
    CRC32C crc = new CRC32C();
    crc.update(b.array(), 0, 76);
    b.putInt(76, (int) crc.getValue());
    Files.write(file, b.array());
    CorruptIndexException e = refusedBecauseOf(file, field + " " + value);
    assertTrue(String.valueOf(e.getMessage()).contains(field + " "), e::toString);
    assertTrue(String.valueOf(e.getMessage()).contains(String.valueOf(value)), e::toString);
    assertEquals(offset, e.offset());
  }

  @Test
  void damageIsFoundByVerifyAfterTheOpeningToo() throws IOException {
    Path file = folder.resolve(LAST);
    byte[] whole = Files.readAllBytes(file);
    try (HnswIndex index = HnswIndex.open(folder, CONFIG)) {
      index.verify();
      for (int at = 0; at < whole.length; at += 5) {
        byte[] bad = whole.clone();
        bad[at] ^= 64;
        Files.write(file, bad);
        try {
          index.verify();
          throw new AssertionError("byte " + at);
        } catch (CorruptIndexException e) {
          assertEquals(file, e.file());
        }
      }
      index.add("new", Given.v(9, 9, 9)); // and a commit mends it, as format version 2
      assertEquals(3, index.commit());
      index.verify();
    }
    try (HnswIndex index = HnswIndex.open(folder, CONFIG)) {
      assertEquals("new", Given.top(index, Given.v(9, 9, 9)));
      index.verify();
    }
  }
}

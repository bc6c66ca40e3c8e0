package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.EUCLIDEAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.petunia.core.CorruptIndexException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A damaged file is refused by name, whatever the damage: never a wrong answer. */
class CorruptionTest {
  private static final HnswConfig CONFIG = Given.config(3, EUCLIDEAN).m(2).build();

  @TempDir Path folder;
  private Path directory;
  private Path graph;
  private Path vectors;
  private boolean writing;

  @BeforeEach
  void commitASmallIndex() {
    directory = folder.resolve("index");
    vectors = directory.resolve("vectors-0000000001.pv");
    graph = directory.resolve("graph-0000000002.pv");
    try (HnswIndex index = HnswIndex.open(directory, CONFIG)) {
      for (int i = 0; i < 12; i++) {
        if (i == 9) {
          index.commit(); // so that the graph file has two frames
        }
        index.add("id-" + i, Given.v(i % 10, 1, -i % 3));
      }
      int top = 0;
      for (int node = 0; node < 12; node++) {
        top = Math.max(top, index.state().graph.level(node));
      }
      assertTrue(top > 0, "the sample should have upper layers");
      index.commit();
    }
  }

  private Path file(String name) {
    return name.equals("commit")
        ? directory.resolve("commit")
        : name.equals("graph") ? graph : vectors;
  }

  /** How many bytes of a file a commit refers to. */
  private static int committed(String name, byte[] whole) {
    return whole.length - (name.equals("vectors") ? CodeKernels.OVERREAD : 0);
  }

  private CorruptIndexException refusedBecauseOf(Path file, String what) {
    writing ^= true; // for reading and for writing by turns
    try (HnswIndex index =
        writing ? HnswIndex.open(directory, CONFIG) : HnswIndex.openReadOnly(directory, CONFIG)) {
      index.verify(); // checks what opening does not read: the vectors
      throw new AssertionError(what + " was not noticed; size " + index.size());
    } catch (CorruptIndexException e) {
      assertEquals(file, e.file(), what);
      assertTrue(e.offset() >= -1 && String.valueOf(e.getMessage()).contains(file.toString()));
      return e;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"commit", "graph", "vectors"})
  void aFileCutAtAnyLengthIsRefused(String name) throws IOException {
    Path file = file(name);
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < committed(name, whole); length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      refusedBecauseOf(file, name + " cut to " + length + " bytes");
    }
    Files.write(file, whole);
    try (HnswIndex index = HnswIndex.open(directory, CONFIG)) {
      assertEquals(12, index.size()); // nothing was removed on the way
      index.verify();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"commit", "graph", "vectors"})
  void aFlippedBitAnywhereIsRefused(String name) throws IOException {
    Path file = file(name);
    byte[] whole = Files.readAllBytes(file);
    SplittableRandom random = Given.random(1);
    for (int at = 0; at < committed(name, whole); at++) {
      byte[] bad = whole.clone();
      bad[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, bad);
      refusedBecauseOf(file, "a flipped bit of byte " + at + " of " + name);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"graph", "vectors"})
  void damageAfterTheOpeningIsFoundByVerifyAndNoAnswerChanges(String name) throws IOException {
    Path file = file(name);
    byte[] whole = Files.readAllBytes(file);
    try (HnswIndex index = HnswIndex.open(directory, CONFIG)) {
      index.verify();
      for (int at = 0; at < committed(name, whole); at += 7) {
        byte[] bad = whole.clone();
        bad[at] ^= 4;
        Files.write(file, bad);
        assertThrows(CorruptIndexException.class, index::verify);
        assertEquals("id-7", Given.top(index, Given.v(7, 1, -1)));
      }
      Files.write(file, whole);
      index.verify();
      Files.delete(file);
      assertThrows(CorruptIndexException.class, index::verify);
      index.commit(); // and a new commit mends it
      index.verify();
    }
    try (HnswIndex index = HnswIndex.open(directory, CONFIG)) {
      assertEquals(12, index.size());
      index.verify();
    }
  }

  @Test
  void whatNoCommitRefersToDoesNotMatterAndIsWrittenOver() throws IOException {
    Files.write(graph, new byte[] {1, 2, 3, 4, 5}, StandardOpenOption.APPEND);
    byte[] bytes = Files.readAllBytes(vectors);
    Arrays.fill(bytes, bytes.length - CodeKernels.OVERREAD, bytes.length, (byte) 77);
    Files.write(vectors, bytes);
    try (HnswIndex index = HnswIndex.open(directory, CONFIG)) {
      index.verify();
      assertEquals(12, index.size());
      index.add("new", Given.v(4, 4, 4));
      index.commit();
      index.verify();
    }
    try (HnswIndex index = HnswIndex.open(directory, CONFIG)) {
      index.verify();
      assertEquals("new", Given.top(index, Given.v(4, 4, 4)));
    }
  }

  @Test
  void bytesAfterTheEndOfTheCommitFileAreRefused() throws IOException {
    Files.write(file("commit"), new byte[] {0}, StandardOpenOption.APPEND);
    refusedBecauseOf(file("commit"), "a byte after the end");
  }

  @ParameterizedTest
  @ValueSource(strings = {"graph", "vectors"})
  void aMissingFileIsNamed(String name) throws IOException {
    Files.delete(file(name));
    refusedBecauseOf(file(name), "a missing file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"graph", "vectors"})
  void anotherFileInPlaceOfOneIsNamed(String name) throws IOException {
    Files.writeString(file(name), "x".repeat(5000));
    CorruptIndexException e = refusedBecauseOf(file(name), "another file");
    assertTrue(String.valueOf(e.getMessage()).contains("not "), e::toString);
    assertEquals(0, e.offset());
  }

  /** Changes a field of the graph file and makes its section's checksum right again. */
  private void forge(int offset, int value) throws IOException {
    byte[] bytes = Files.readAllBytes(graph);
    ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    b.putInt(offset, value);
    int from = offset < 44 ? 0 : 44;
    int end = offset < 44 ? 40 : 92;
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, end - from);
    b.putInt(end, (int) crc.getValue());
    Files.write(graph, bytes);
  }

  @ParameterizedTest(name = "{0} = {2}")
  @CsvSource({
    "version, 8, 3",
    "version, 8, 0",
    "similarity, 12, 3",
    "similarity, 12, -1",
    "dimension, 16, 0",
    "dimension, 16, 65537",
    "dimension, 16, -5",
    "M, 20, 1",
    "M, 20, 129",
    "codes, 24, 4",
    "codes, 24, -1",
    "nodes, 60, 2147483647",
    "nodes, 60, -1",
    "nodes, 60, 100000000",
    "entry, 64, 12",
    "entry, 64, -2",
    "entry level, 68, 31",
    "entry level, 68, -1",
    "changed nodes, 72, 13",
    "changed nodes, 72, -1",
    "ids, 76, 2147483647",
    "ids, 76, -1",
    "ids, 80, 2147483647",
    "ids, 80, -1"
  })
  void aFieldThatCantBeIsNamedWithItsOffsetAndAllocatesNothing(String field, int offset, int value)
      throws IOException {
    forge(offset, value);
    assumeTrue(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().threadId());
    CorruptIndexException e = refusedBecauseOf(graph, field + " " + value);
    long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().threadId()) - before;
    assertTrue(String.valueOf(e.getMessage()).contains(field + " "), e::toString);
    assertTrue(String.valueOf(e.getMessage()).contains(String.valueOf(value)), e::toString);
    assertEquals(offset, e.offset());
    assertTrue(allocated < 20_000_000, () -> allocated + " bytes"); // two buffers of a megabyte
  }

  @Test
  void aHugeLengthOfAnIdIsRefusedBeforeItIsAllocated() throws IOException {
    byte[] bytes = Files.readAllBytes(graph);
    ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    while (b.getInt(at) != 4 || bytes[at + 4] != 'i' || bytes[at + 5] != 'd') {
      at++; // the length of the first id, before its text
    }
    for (int length : new int[] {Integer.MAX_VALUE, -1, 0, 1_000_000}) {
      b.putInt(at, length);
      Files.write(graph, bytes);
      CorruptIndexException e = refusedBecauseOf(graph, "length " + length);
      assertTrue(String.valueOf(e.getMessage()).contains("length of an id"), e::toString);
    }
  }

  // ---- beyond 2^31 ---------------------------------------------------------------------------

  @Test
  void sizesOfLargeSectionsDontOverflow() {
    // sizes at which peers' int arithmetic turned negative
    assertEquals(3_070_061_568L, Snapshot.vectorBytes(999_369, 768));
    assertEquals(4L * Integer.MAX_VALUE * 65_536, Snapshot.vectorBytes(Integer.MAX_VALUE, 65_536));
    assertEquals(4L * 32 * 17_000_000, Snapshot.linkBytes(17_000_000, 16));
    assertEquals(8L * 128 * Integer.MAX_VALUE, Snapshot.linkBytes(Integer.MAX_VALUE, 128));
    assertEquals(4L * 30 * 128, Snapshot.upperBytes(30, 128));
    for (int dimension : new int[] {1, 768, 65_535, 65_536}) {
      VectorForm form = VectorForm.of(dimension, EUCLIDEAN);
      VectorTable table = new VectorTable(form, 256, new Reclaimer());
      int last = Integer.MAX_VALUE - 1;
      assertTrue(table.at(last) >= 0 && table.at(last) <= table.mask * form.bytes());
      assertTrue((last & table.mask) * 256L + 256 <= (1 << 10) * 256L);
    }
  }

  @Test
  void aFileBeyondTwoGigabytesIsReadToItsEnd() throws IOException {
    assumeTrue(
        Boolean.getBoolean("petunia.test.large"),
        "takes some seconds and 2.2 GB of holes on disk: -Dpetunia.test.large=true");
    // only holes: the sections' zeros take no room on disk, but 2.2 GB of reading
    int nodes = 8_400;
    int dimension = 65_536;
    long vectors = Snapshot.vectorBytes(nodes, dimension);
    assertTrue(vectors > Integer.MAX_VALUE);
    Path file = folder.resolve("large.pv");
    assumeTrue(Files.getFileStore(folder).getUsableSpace() > 4 * vectors, "little room on disk");
    ByteBuffer header = ByteBuffer.allocate(80).order(ByteOrder.LITTLE_ENDIAN);
    header.put("PETUNIAV".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    header.putInt(1).putInt(2).putInt(dimension).putInt(2).putInt(nodes).putInt(nodes);
    CRC32C crc = new CRC32C();
    crc.update(header.array(), 0, 76);
    header.putInt(76, (int) crc.getValue()).rewind();
    try (FileChannel out =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE,
            StandardOpenOption.SPARSE)) {
      out.write(header, 0);
      long at = 80;
      // vectors, levels, links, parents, upper: each of zeros, with its checksum
      for (long size : new long[] {vectors, nodes, Snapshot.linkBytes(nodes, 2), 4L * nodes, 0}) {
        ByteBuffer sum = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
        sum.putInt(0, crcOfZeros(size));
        out.write(sum, at + size);
        at += size + 4;
      }
      out.write(ByteBuffer.allocate(8), at); // an id of node 0 and length 0
      CorruptIndexException e =
          assertThrows(CorruptIndexException.class, () -> Snapshot.verify(file));
      assertTrue(String.valueOf(e.getMessage()).contains("length of an id is 0"), e::toString);
      assertEquals(at + 8, e.offset()); // so the checksums of all before were right
    }
  }

  private static int crcOfZeros(long n) {
    CRC32C crc = new CRC32C();
    byte[] zeros = new byte[1 << 20];
    for (long left = n; left > 0; left -= zeros.length) {
      crc.update(zeros, 0, (int) Math.min(left, zeros.length));
    }
    return (int) crc.getValue();
  }
}

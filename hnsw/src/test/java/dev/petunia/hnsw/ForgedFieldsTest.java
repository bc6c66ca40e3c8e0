package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import dev.petunia.core.CorruptIndexException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Fields that can't be, with right checksums: they are named with value and offset, and nothing is
 * allocated by them.
 */
class ForgedFieldsTest {
  private static final long MOST = 20_000_000; // some buffers of a megabyte

  @TempDir Path folder;

  private static ByteBuffer read(Path file) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Makes the checksum of bytes right, which follows them, and writes the file. */
  private static void seal(Path file, ByteBuffer b, int from, int end) throws IOException {
    CRC32C crc = new CRC32C();
    crc.update(b.array(), from, end - from);
    b.putInt(end, (int) crc.getValue());
    Files.write(file, b.array());
  }

  /** Refused by a reader and a writer because of a file, with little memory. */
  private static CorruptIndexException refused(SmallIndex index, Path file, String what) {
    assumeTrue(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().threadId();
    index.refused(file, what, true);
    long before = threads.getThreadAllocatedBytes(thread);
    CorruptIndexException e = index.refused(file, what, false);
    long allocated = threads.getThreadAllocatedBytes(thread) - before;
    assertTrue(allocated < MOST, () -> what + ": " + allocated + " bytes");
    return e;
  }

  private static void says(CorruptIndexException e, String field, long value, long offset) {
    String message = String.valueOf(e.getMessage());
    assertTrue(message.contains(field), message);
    assertTrue(message.contains(String.valueOf(value)), message);
    assertEquals(offset, e.offset(), message);
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
    "generation, 52, 0",
    "generation, 52, 3",
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
  void aFieldOfTheGraphFile(String field, int offset, int value) throws IOException {
    SmallIndex index = SmallIndex.make(folder, Quantization.NONE);
    Path graph = index.file("graph");
    ByteBuffer b = read(graph);
    b.putInt(offset, value);
    seal(graph, b, offset < 44 ? 0 : 44, offset < 44 ? 40 : 92);
    says(refused(index, graph, field), field + " ", value, offset);
  }

  @ParameterizedTest(name = "{0} = {3} is noticed in {2}")
  @CsvSource({
    "generation, 16, commit, -1",
    "generation, 16, graph, 3",
    "generation, 16, graph, 9223372036854775807",
    "vectors file, 24, commit, 0",
    "vectors file, 24, commit, -3",
    "codes file, 32, commit, -1",
    "graph file, 40, commit, 0",
    "graph file, 40, commit, -9223372036854775808",
    "length, 48, commit, -1",
    "length, 48, commit, -2",
    "length, 48, graph, 0",
    "length, 48, graph, 43",
    "length, 48, graph, 200",
    "the file ends too early, 48, graph, 9223372036854775807",
    "generation, 64, commit, -1",
    "vectors file, 72, commit, 0",
    "graph file, 88, commit, -7"
  })
  void aLongFieldOfTheCommitFile(String field, int offset, String in, long value)
      throws IOException {
    SmallIndex index = SmallIndex.make(folder, Quantization.NONE);
    Path commit = index.file("commit");
    ByteBuffer b = read(commit);
    b.putLong(offset, value);
    seal(commit, b, 0, 112);
    CorruptIndexException e = refused(index, index.file(in), field + " " + value);
    assertTrue(String.valueOf(e.getMessage()).contains(field), e::toString);
    if (in.equals("commit")) {
      says(e, field, value, offset);
    }
  }

  @ParameterizedTest(name = "{0} nodes are noticed in {1}")
  @CsvSource({
    "-1, commit",
    "-2147483648, commit",
    "2147483647, vectors",
    "100000000, vectors",
    "13, vectors",
    "13, graph",
    "8, graph",
    "0, graph"
  })
  void theNumberOfNodesInTheCommitFile(int nodes, String in) throws IOException {
    SmallIndex index = SmallIndex.make(folder, Quantization.NONE);
    Path commit = index.file("commit");
    ByteBuffer b = read(commit);
    b.putInt(16 + 40, nodes);
    seal(commit, b, 0, 112);
    if (in.equals("graph")) { // so that it is not for want of slots
      Files.write(index.file("vectors"), new byte[100], StandardOpenOption.APPEND);
    }
    CorruptIndexException e = refused(index, index.file(in), nodes + " nodes");
    if (!in.equals("graph")) {
      assertTrue(String.valueOf(e.getMessage()).contains(String.valueOf(nodes)), e::toString);
    }
  }

  @Test
  void aCodesFileOfAnIndexWithoutCodes() throws IOException {
    SmallIndex index = SmallIndex.make(folder, Quantization.NONE);
    Path commit = index.file("commit");
    ByteBuffer b = read(commit);
    b.putLong(16 + 16, 7);
    seal(commit, b, 0, 112);
    says(refused(index, index.file("graph"), "codes"), "codes", 0, 24);
  }

  @ParameterizedTest(name = "{0} of {1} = {3}")
  @CsvSource({
    "version, vectors, 8, 3",
    "version, codes, 8, 1",
    "slots, vectors, 12, 20",
    "slots, vectors, 12, 0",
    "slots, vectors, 12, -64",
    "slots, vectors, 12, 2147483647",
    "slots, codes, 12, 1",
    "file number, vectors, 16, 2",
    "file number, codes, 16, 1"
  })
  void aFieldOfAFileOfSlots(String field, String name, int offset, int value) throws IOException {
    SmallIndex index = SmallIndex.make(folder, Quantization.BITS2);
    ByteBuffer b = read(index.file(name));
    b.putInt(offset, value);
    seal(index.file(name), b, 0, 60);
    says(refused(index, index.file(name), field), field, value, offset);
  }

  @Test
  void aHugeLengthOfAnIdIsRefusedBeforeItIsAllocated() throws IOException {
    SmallIndex index = SmallIndex.make(folder, Quantization.NONE);
    Path graph = index.file("graph");
    ByteBuffer b = read(graph);
    int at = 0;
    while (b.getInt(at) != 4 || b.get(at + 4) != 'i' || b.get(at + 5) != 'd') {
      at++; // the length of the first id, before its text
    }
    for (int length : new int[] {Integer.MAX_VALUE, -1, 0, 1_000_000}) {
      b.putInt(at, length);
      Files.write(graph, b.array());
      CorruptIndexException e = refused(index, graph, "length " + length);
      assertTrue(String.valueOf(e.getMessage()).contains("length of an id"), e::toString);
    }
  }
}

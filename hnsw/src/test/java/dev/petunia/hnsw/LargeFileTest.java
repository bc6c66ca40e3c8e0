package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.EUCLIDEAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.petunia.core.CorruptIndexException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sizes beyond 2^31. */
class LargeFileTest {
  @TempDir Path folder;

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

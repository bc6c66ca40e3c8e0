package dev.petunia.hnsw;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The codes of all vectors, page by page as the vectors themselves. */
final class Codes {
  final Quantizer quantizer;
  private final int perPage;
  private volatile MemorySegment[] pages;

  Codes(Quantizer quantizer, int perPage) {
    this(quantizer, perPage, new MemorySegment[0]);
  }

  Codes(Quantizer quantizer, int perPage, MemorySegment[] pages) {
    this.quantizer = quantizer;
    this.perPage = perPage;
    this.pages = pages;
  }

  /** Gives pages other memory of the same content; under the table's registry lock. */
  void pages(MemorySegment[] segments) {
    pages = segments;
  }

  /** Node i's record at {@code (i & mask) * quantizer.record}. */
  MemorySegment[] pages() {
    return pages;
  }

  /** Bytes of all records. */
  long bytes() {
    return (long) pages.length * perPage * quantizer.record;
  }

  /** Makes room for so many pages; under the table's registry lock. */
  void room(int count) {
    MemorySegment[] more = Arrays.copyOf(pages, count);
    for (int i = pages.length; i < count; i++) {
      more[i] =
          Arena.ofAuto()
              .allocate(
                  (long) perPage * quantizer.record + CodeKernels.OVERREAD, VectorTable.ALIGNMENT);
    }
    pages = more;
  }

  /** Codes a node's vector, before the first link to the node is written. */
  void encode(VectorTable table, int node, Quantizer.Work work) {
    quantizer.encode(
        table.vectors(node),
        table.at(node),
        pages[node >> table.shift],
        (long) (node & table.mask) * quantizer.record,
        work);
  }
}

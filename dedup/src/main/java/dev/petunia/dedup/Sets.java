package dev.petunia.dedup;

import dev.petunia.core.CorruptIndexException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The shingle sets of the groups: mapped as far as they are committed, on the heap from there on.
 */
final class Sets implements HotJoin.SetSource {
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final State state;
  private final LongList offsets = new LongList();
  private final List<long[]> recent = new ArrayList<>();
  private @Nullable MemorySegment map;
  private int mapped;
  private long length;

  Sets(State state) {
    this.state = state;
  }

  /** The next group's set. */
  void add(long[] set) {
    place(set.length);
    recent.add(set);
  }

  /** The next group's set is in the file, after the one before. */
  void place(int size) {
    offsets.add(length);
    length += 8L * size;
  }

  /** Bytes of all sets. */
  long length() {
    return length;
  }

  /** Sets that are not in the file yet. */
  List<long[]> recent() {
    return recent;
  }

  /** All sets are in this mapping now. */
  void map(MemorySegment all) {
    map = all;
    mapped = offsets.size();
    recent.clear();
  }

  @Override
  public long[] set(int group) {
    if (group >= mapped) {
      return recent.get(group - mapped);
    }
    MemorySegment m = map;
    long[] out = new long[state.setSizes.get(group)];
    if (m != null) {
      MemorySegment.copy(m, LONG, offsets.get(group), out, 0, out.length);
    }
    return out;
  }

  /** A group's set; empty for {@link State#NONE}. */
  ShingleSet shingles(int group) {
    return group == State.NONE
        ? new ShingleSet(new long[0], 0, Normalizer.VERSION)
        : new ShingleSet(set(group), state.tokenCounts.get(group), Normalizer.VERSION);
  }

  static int sum(long[] set) {
    CRC32C crc = new CRC32C();
    byte[] b = new byte[8 * set.length];
    MemorySegment.copy(set, 0, MemorySegment.ofArray(b), LONG, 0, set.length);
    crc.update(b);
    return (int) crc.getValue();
  }

  void verify(int group, Path file) {
    if (sum(set(group)) != state.setSums.get(group)) {
      throw new CorruptIndexException(
          file, offsets.get(group), "the shingles of set " + group + " fail their checksum");
    }
  }
}

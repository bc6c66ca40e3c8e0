package dev.petunia.benchmarks.ann;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** A child's answer to one command: a line, fields separated by tabs, and bytes after it. */
@SuppressWarnings("ArrayRecordComponent")
record Reply(String line, byte @Nullable [] payload) {
  static Reply ok(Object... fields) {
    StringBuilder line = new StringBuilder("ok");
    for (Object field : fields) {
      line.append('\t').append(field);
    }
    return new Reply(line.toString(), null);
  }

  static Reply error(Throwable cause) {
    return new Reply("error\t" + cause.toString().replace('\n', ' ').replace('\t', ' '), null);
  }

  /** With the answers to all queries after the line, as pairs of row and distance. */
  Reply with(int[] rows, float[] distances) {
    ByteBuffer bytes =
        ByteBuffer.allocate(rows.length * (Integer.BYTES + Float.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < rows.length; i++) {
      bytes.putInt(rows[i]).putFloat(distances[i]);
    }
    return new Reply(line, bytes.array());
  }
}

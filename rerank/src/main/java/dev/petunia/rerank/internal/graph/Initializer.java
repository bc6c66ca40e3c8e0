package dev.petunia.rerank.internal.graph;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A weight (TensorProto). Its values are not read: they are a range of a file, either of the graph
 * itself or of the one beside it.
 *
 * @param type number of TensorProto.DataType
 * @param file where the values are; null when they are in {@code rest}
 * @param rest every field but the raw values and the place of external ones, encoded
 */
record Initializer(
    String name,
    List<Long> dims,
    int type,
    @Nullable String file,
    long offset,
    long length,
    ByteString rest) {
  static final int FLOAT = 1;
  static final int UINT8 = 2;
  static final int INT8 = 3;
  static final int INT64 = 7;
  static final int FLOAT16 = 10;
  static final int BFLOAT16 = 16;

  /**
   * Reads one, its tag and length being read, up to the limit.
   *
   * @param own name of the graph's own file
   */
  static Initializer read(CodedInputStream p, String own) throws IOException {
    List<Long> dims = new ArrayList<>();
    String name = "";
    int type = 0;
    long offset = -1;
    long length = 0;
    Map<String, String> external = new TreeMap<>();
    ByteString.Output rest = ByteString.newOutput();
    CodedOutputStream copy = CodedOutputStream.newInstance(rest);
    for (int tag = p.readTag(); tag != 0; tag = p.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case 1 -> Wire.numbers(p, tag, dims);
        case 2 -> {
          type = p.readInt32();
          copy.writeInt32(2, type);
        }
        case 8 -> {
          name = p.readString();
          copy.writeString(8, name);
        }
        case 9 -> {
          int n = p.readRawVarint32();
          offset = p.getTotalBytesRead();
          length = n;
          p.skipRawBytes(n);
        }
        case 13 -> {
          ByteString entry = p.readBytes();
          external.put(Wire.text(entry, 1), Wire.text(entry, 2));
        }
        case 14 -> p.skipField(tag); // data_location: told by the entries
        default -> Wire.copy(p, tag, copy);
      }
    }
    for (long d : dims) {
      copy.writeInt64(1, d);
    }
    copy.flush();
    if (external.isEmpty()) {
      String file = offset < 0 ? null : own;
      return new Initializer(name, dims, type, file, offset, length, rest.toByteString());
    }
    String location = external.get("location");
    if (location == null) {
      throw new IOException("external data of " + name + " has no location");
    }
    long size = bytes(dims, type);
    return new Initializer(
        name,
        dims,
        type,
        location,
        Long.parseLong(external.getOrDefault("offset", "0")),
        external.containsKey("length") ? Long.parseLong(external.get("length")) : size,
        rest.toByteString());
  }

  /** One with values of its own. */
  static Initializer of(String name, List<Long> dims, int type, ByteBuffer values)
      throws IOException {
    ByteString.Output rest = ByteString.newOutput();
    CodedOutputStream o = CodedOutputStream.newInstance(rest);
    for (long d : dims) {
      o.writeInt64(1, d);
    }
    o.writeInt32(2, type);
    o.writeString(8, name);
    o.writeBytes(9, ByteString.copyFrom(values));
    o.flush();
    return new Initializer(name, dims, type, null, 0, 0, rest.toByteString());
  }

  /** Bytes of one value; 0 for types that are packed or unknown. */
  static int width(int type) {
    return switch (type) {
      case UINT8, INT8, 9, 17, 18, 19, 20 -> 1;
      case 4, 5, FLOAT16, BFLOAT16 -> 2;
      case FLOAT, 6, 12 -> 4;
      case INT64, 11, 13 -> 8;
      default -> 0;
    };
  }

  private static long bytes(List<Long> dims, int type) {
    long n = width(type);
    for (long d : dims) {
      n *= d;
    }
    return n;
  }

  /** Whether the values are a range of a file that holds exactly what type and dims say. */
  boolean plain() {
    return file != null && width(type) > 0 && length == bytes(dims, type);
  }

  /**
   * Rows {@code [index, :]} of a matrix, or columns {@code [:, index]}; read value by value, so the
   * matrix itself is never in memory.
   *
   * @param columns keep the first dimension and take columns
   */
  ByteBuffer pick(Path folder, int[] indexes, boolean columns) throws IOException {
    int w = width(type);
    long n = dims.getFirst();
    long m = dims.size() > 1 ? dims.get(1) : 1;
    long kept = columns ? n : m;
    ByteBuffer out = ByteBuffer.allocate(Math.toIntExact(kept * indexes.length * w));
    try (FileChannel channel = FileChannel.open(folder.resolve(String.valueOf(file)))) {
      if (columns) {
        for (long row = 0; row < n; row++) {
          for (int i : indexes) {
            fill(channel, out, (row * m + i) * w, w);
          }
        }
      } else {
        for (int i : indexes) {
          fill(channel, out, i * m * w, Math.toIntExact(m * w));
        }
      }
    }
    return out.flip();
  }

  private void fill(FileChannel channel, ByteBuffer out, long at, int bytes) throws IOException {
    ByteBuffer part = out.slice(out.position(), bytes);
    while (part.hasRemaining()) {
      if (channel.read(part, offset + at + part.position()) < 0) {
        throw new EOFException(name + " ends before its last value, in " + file);
      }
    }
    out.position(out.position() + bytes);
  }
}

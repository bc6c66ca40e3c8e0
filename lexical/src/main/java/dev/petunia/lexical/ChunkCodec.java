package dev.petunia.lexical;

import dev.petunia.core.Chunk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.DataOutput;

/**
 * A chunk as bytes, so that every value comes back with its type.
 *
 * <pre>{@code
 * chunk      version:byte=1  ordinal:vint  id:string  entryId:string
 *            count:vint  attribute*count  text:string
 * attribute  name:string  tag:byte  value
 * value      's' string | 'l' long, 8 bytes | 'd' bits of the double, 8 bytes
 *            't' true, no bytes | 'f' false, no bytes | 'a' count:vint string*count
 * string     length in bytes:vint  UTF-8
 * }</pre>
 *
 * <p>{@code vint}, {@code long} and {@code string} are those of Lucene's {@link DataOutput}: vint
 * is 7 bits a byte, low bits first; long is 8 bytes, little-endian.
 */
final class ChunkCodec {
  private static final byte VERSION = 1;

  private ChunkCodec() {}

  /** What a filter needs of a stored chunk. */
  record Facts(String entryId, Map<String, Object> attributes) {}

  static byte[] encode(Chunk chunk) {
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    try {
      out.writeByte(VERSION);
      out.writeVInt(chunk.ordinal());
      out.writeString(chunk.id());
      out.writeString(chunk.entryId());
      out.writeVInt(chunk.attributes().size());
      for (Map.Entry<String, Object> e : chunk.attributes().entrySet()) {
        out.writeString(e.getKey());
        writeValue(out, e.getValue());
      }
      out.writeString(chunk.text());
    } catch (IOException e) {
      throw new AssertionError("a buffer in memory does not fail", e);
    }
    return out.toArrayCopy();
  }

  private static void writeValue(DataOutput out, Object value) throws IOException {
    switch (value) {
      case String s -> {
        out.writeByte((byte) 's');
        out.writeString(s);
      }
      case Long l -> {
        out.writeByte((byte) 'l');
        out.writeLong(l);
      }
      case Double d -> {
        out.writeByte((byte) 'd');
        out.writeLong(Double.doubleToRawLongBits(d));
      }
      case Boolean b -> out.writeByte((byte) (b ? 't' : 'f'));
      case List<?> list -> {
        out.writeByte((byte) 'a');
        out.writeVInt(list.size());
        for (Object element : list) {
          out.writeString((String) element);
        }
      }
      default -> throw new AssertionError("Chunk admits no " + value.getClass());
    }
  }

  static Chunk decode(byte[] bytes, int offset, int length) throws IOException {
    DataInput in = open(bytes, offset, length);
    int ordinal = in.readVInt();
    String id = in.readString();
    String entryId = in.readString();
    Map<String, Object> attributes = readAttributes(in);
    return new Chunk(id, entryId, ordinal, in.readString(), attributes);
  }

  /** Reads no further than the attributes. */
  static Facts decodeFacts(byte[] bytes, int offset, int length) throws IOException {
    DataInput in = open(bytes, offset, length);
    in.readVInt();
    in.readString();
    String entryId = in.readString();
    return new Facts(entryId, readAttributes(in));
  }

  private static DataInput open(byte[] bytes, int offset, int length) throws IOException {
    ByteArrayDataInput in = new ByteArrayDataInput(bytes, offset, length);
    byte version = in.readByte();
    if (version != VERSION) {
      throw new org.apache.lucene.index.CorruptIndexException(
          "a stored chunk has version " + version + ", known is " + VERSION, in);
    }
    return in;
  }

  private static Map<String, Object> readAttributes(DataInput in) throws IOException {
    int count = in.readVInt();
    Map<String, Object> attributes = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      attributes.put(in.readString(), readValue(in));
    }
    return attributes;
  }

  private static Object readValue(DataInput in) throws IOException {
    byte tag = in.readByte();
    return switch (tag) {
      case 's' -> in.readString();
      case 'l' -> in.readLong();
      case 'd' -> Double.longBitsToDouble(in.readLong());
      case 't' -> true;
      case 'f' -> false;
      case 'a' -> {
        String[] list = new String[in.readVInt()];
        for (int i = 0; i < list.length; i++) {
          list[i] = in.readString();
        }
        yield new ArrayList<>(Arrays.asList(list));
      }
      default ->
          throw new org.apache.lucene.index.CorruptIndexException(
              "a stored attribute has the unknown type " + tag, in);
    };
  }
}

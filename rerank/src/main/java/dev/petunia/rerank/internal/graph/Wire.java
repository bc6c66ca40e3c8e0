package dev.petunia.rerank.internal.graph;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads single fields of small messages. */
final class Wire {
  private Wire() {}

  /** All messages (or strings, or packed lists) of a field. */
  static List<ByteString> messages(ByteString message, int field) throws IOException {
    List<ByteString> found = new ArrayList<>();
    CodedInputStream p = message.newCodedInput();
    for (int tag = p.readTag(); tag != 0; tag = p.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == field
          && WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
        found.add(p.readBytes());
      } else {
        p.skipField(tag);
      }
    }
    return found;
  }

  /** The last string of a field, as protobuf wants it; empty when absent. */
  static String text(ByteString message, int field) throws IOException {
    List<ByteString> all = messages(message, field);
    return all.isEmpty() ? "" : all.getLast().toStringUtf8();
  }

  /** The integers of a repeated field, packed or not; of a float their bits. */
  static List<Long> numbers(ByteString message, int field) throws IOException {
    List<Long> found = new ArrayList<>();
    CodedInputStream p = message.newCodedInput();
    for (int tag = p.readTag(); tag != 0; tag = p.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == field) {
        numbers(p, tag, found);
      } else {
        p.skipField(tag);
      }
    }
    return found;
  }

  /** Reads one field of integers, its tag being read. */
  static void numbers(CodedInputStream p, int tag, List<Long> to) throws IOException {
    switch (WireFormat.getTagWireType(tag)) {
      case WireFormat.WIRETYPE_VARINT -> to.add(p.readInt64());
      case WireFormat.WIRETYPE_FIXED32 -> to.add((long) p.readFixed32());
      case WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
        int old = p.pushLimit(p.readRawVarint32());
        while (p.getBytesUntilLimit() > 0) {
          to.add(p.readInt64());
        }
        p.popLimit(old);
      }
      default -> throw new IOException("wire type " + WireFormat.getTagWireType(tag));
    }
  }

  /** Copies one field, its tag being read. */
  static void copy(CodedInputStream p, int tag, CodedOutputStream to) throws IOException {
    int field = WireFormat.getTagFieldNumber(tag);
    switch (WireFormat.getTagWireType(tag)) {
      case WireFormat.WIRETYPE_VARINT -> to.writeUInt64(field, p.readRawVarint64());
      case WireFormat.WIRETYPE_FIXED32 -> to.writeFixed32(field, p.readFixed32());
      case WireFormat.WIRETYPE_FIXED64 -> to.writeFixed64(field, p.readFixed64());
      case WireFormat.WIRETYPE_LENGTH_DELIMITED -> to.writeBytes(field, p.readBytes());
      default -> throw new IOException("wire type " + WireFormat.getTagWireType(tag));
    }
  }

  /** The last integer of a field. */
  static long number(ByteString message, int field, long whenAbsent) throws IOException {
    List<Long> all = numbers(message, field);
    return all.isEmpty() ? whenAbsent : all.getLast();
  }
}

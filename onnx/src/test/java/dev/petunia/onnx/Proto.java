package dev.petunia.onnx;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes protobuf fields, for graphs that tests make (field numbers of onnx.proto3). */
final class Proto {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  Proto number(int field, long value) {
    varint((long) field << 3);
    varint(value);
    return this;
  }

  Proto text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  Proto message(int field, Proto value) {
    return bytes(field, value.toByteArray());
  }

  Proto packed(int field, long... values) {
    Proto p = new Proto();
    for (long v : values) {
      p.varint(v);
    }
    return message(field, p);
  }

  Proto bytes(int field, byte[] value) {
    varint((long) field << 3 | 2);
    varint(value.length);
    out.writeBytes(value);
    return this;
  }

  byte[] toByteArray() {
    return out.toByteArray();
  }

  private void varint(long value) {
    long v = value;
    while ((v & ~127L) != 0) { // negative numbers too: they take ten bytes
      out.write((int) (v & 127 | 128));
      v >>>= 7;
    }
    out.write((int) v);
  }
}

package dev.petunia.benchmarks.rerank;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes protobuf fields. An ONNX graph without its weights needs four kinds of field, so no
 * library and no generated classes; field numbers are those of onnx.proto3.
 */
final class Proto {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  Proto number(int field, long value) {
    varint((long) field << 3);
    varint(value);
    return this;
  }

  Proto real(int field, float value) {
    varint(((long) field << 3) | 5);
    int bits = Float.floatToIntBits(value);
    for (int shift = 0; shift < 32; shift += 8) {
      out.write(bits >>> shift);
    }
    return this;
  }

  Proto text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  Proto message(int field, Proto value) {
    return bytes(field, value.toByteArray());
  }

  Proto numbers(int field, long... values) {
    Proto packed = new Proto();
    for (long v : values) {
      packed.varint(v);
    }
    return message(field, packed);
  }

  Proto bytes(int field, byte[] value) {
    varint(((long) field << 3) | 2);
    varint(value.length);
    out.writeBytes(value);
    return this;
  }

  byte[] toByteArray() {
    return out.toByteArray();
  }

  private void varint(long value) {
    long v = value;
    while ((v & ~127L) != 0) { // negative numbers take ten bytes
      out.write((int) ((v & 127) | 128));
      v >>>= 7;
    }
    out.write((int) v);
  }
}

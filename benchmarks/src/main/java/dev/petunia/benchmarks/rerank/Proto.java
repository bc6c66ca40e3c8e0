package dev.petunia.benchmarks.rerank;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A protobuf message, field by field. An ONNX graph without its weights needs five kinds of field,
 * so no generated classes; field numbers are those of onnx.proto3.
 */
final class Proto {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CodedOutputStream out = CodedOutputStream.newInstance(bytes);

  /** Writes one field. */
  private interface Field {
    void write(CodedOutputStream out) throws IOException;
  }

  private Proto write(Field field) {
    try {
      field.write(out);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
  }

  Proto number(int field, long value) {
    return write(o -> o.writeInt64(field, value));
  }

  Proto real(int field, float value) {
    return write(o -> o.writeFloat(field, value));
  }

  Proto text(int field, String value) {
    return write(o -> o.writeString(field, value));
  }

  Proto message(int field, Proto value) {
    return bytes(field, value.toByteArray());
  }

  Proto numbers(int field, long... values) {
    Proto packed = new Proto();
    for (long v : values) {
      packed.write(o -> o.writeInt64NoTag(v));
    }
    return message(field, packed);
  }

  Proto bytes(int field, byte[] value) {
    return write(o -> o.writeByteArray(field, value));
  }

  byte[] toByteArray() {
    write(CodedOutputStream::flush);
    return bytes.toByteArray();
  }
}

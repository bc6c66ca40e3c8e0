package dev.petunia.onnx;

import ai.onnxruntime.OnnxTensor;
import java.util.HashMap;
import java.util.Map;

/** The inputs of one run by name; closing it closes them. */
final class GraphFeed implements AutoCloseable {
  private final Map<String, OnnxTensor> tensors = new HashMap<>();

  void add(String name, OnnxTensor tensor) {
    tensors.put(name, tensor);
  }

  Map<String, OnnxTensor> tensors() {
    return tensors;
  }

  @Override
  public void close() {
    tensors.values().forEach(OnnxTensor::close);
  }
}

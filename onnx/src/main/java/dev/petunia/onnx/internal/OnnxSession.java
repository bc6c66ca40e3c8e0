package dev.petunia.onnx.internal;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import dev.petunia.core.IndexClosedException;
import dev.petunia.onnx.ModelException;
import dev.petunia.onnx.ModelSource;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * A graph in ONNX Runtime. Safe for many threads; all use goes through a {@link Lease}, and closing
 * waits until the last lease is given back.
 */
public final class OnnxSession implements AutoCloseable {
  private final OrtEnvironment env;
  private final OrtSession session;
  private final CloseGate gate;
  private final Map<String, TensorInfo> inputs;
  private final Map<String, TensorInfo> outputs;

  private OnnxSession(OrtEnvironment env, OrtSession session, ModelSource model)
      throws OrtException {
    this.env = env;
    this.session = session;
    this.gate = new CloseGate("ONNX session of " + model);
    this.inputs = tensors(model, "input", session.getInputInfo());
    this.outputs = tensors(model, "output", session.getOutputInfo());
    SafeExit.add(gate);
  }

  /**
   * Loads a graph.
   *
   * @throws ModelException when it is missing, no graph, or takes or gives something that isn't a
   *     tensor
   */
  public static OnnxSession open(ModelSource model, SessionSettings settings) {
    OrtEnvironment env = Natives.onnxRuntime();
    try (OrtSession.SessionOptions options = options(settings)) {
      OrtSession session =
          switch (model) {
            // By path, so that external data beside the graph is found.
            case ModelSource.File file ->
                env.createSession(ModelFiles.existing(file).toString(), options);
            case ModelSource.Resource resource ->
                env.createSession(ModelFiles.read(resource), options);
          };
      try {
        return new OnnxSession(env, session, model);
      } catch (OrtException | ModelException e) {
        session.close();
        throw e;
      }
    } catch (OrtException e) {
      throw new ModelException(
          model + " is no graph that ONNX Runtime can load: " + e.getMessage(), e);
    }
  }

  /**
   * Loads a graph that is in memory, a changed copy of a file.
   *
   * @param original where the graph comes from, for messages
   * @param folder where external data is
   * @throws ModelException when it is no graph, or takes or gives something that isn't a tensor
   */
  public static OnnxSession open(
      ModelSource original, byte[] graph, Path folder, SessionSettings settings) {
    OrtEnvironment env = Natives.onnxRuntime();
    try (OrtSession.SessionOptions options = options(settings)) {
      options.addConfigEntry(
          "session.model_external_initializers_file_folder_path",
          folder.toAbsolutePath().toString());
      OrtSession session = env.createSession(graph, options);
      try {
        return new OnnxSession(env, session, original);
      } catch (OrtException | ModelException e) {
        session.close();
        throw e;
      }
    } catch (OrtException e) {
      throw new ModelException(
          "the changed graph of " + original + " can't be loaded: " + e.getMessage(), e);
    }
  }

  private static OrtSession.SessionOptions options(SessionSettings s) throws OrtException {
    OrtSession.SessionOptions o = new OrtSession.SessionOptions();
    o.setIntraOpNumThreads(s.intraOpThreads());
    o.setInterOpNumThreads(1);
    o.addConfigEntry("session.intra_op.allow_spinning", "0");
    o.addConfigEntry("session.inter_op.allow_spinning", "0");
    o.setCPUArenaAllocator(s.arena());
    // Plans memory for one shape; here each text has its own length.
    o.setMemoryPatternOptimization(false);
    // A failed run throws; ONNX Runtime would also write it to stderr.
    o.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
    for (Map.Entry<String, String> e : s.config().entrySet()) {
      o.addConfigEntry(e.getKey(), e.getValue());
    }
    return o;
  }

  private static Map<String, TensorInfo> tensors(
      ModelSource model, String kind, Map<String, NodeInfo> nodes) {
    Map<String, TensorInfo> out = new LinkedHashMap<>();
    nodes.forEach(
        (name, node) -> {
          if (!(node.getInfo() instanceof TensorInfo tensor)) {
            throw new ModelException(
                model + ": " + kind + " " + name + " is no tensor but " + node.getInfo(), null);
          }
          out.put(name, tensor);
        });
    return Collections.unmodifiableMap(out);
  }

  /** Inputs by name, in the graph's order; a dimension of any size is -1. */
  public Map<String, TensorInfo> inputs() {
    return inputs;
  }

  /** Outputs by name, in the graph's order. */
  public Map<String, TensorInfo> outputs() {
    return outputs;
  }

  /**
   * The right to run the graph until the lease is closed. Results and tensors made with a lease are
   * to be closed before it.
   *
   * @throws IndexClosedException when closed
   */
  public Lease lease() {
    gate.enter();
    return new Lease();
  }

  /** Waits for all leases, then frees the graph. */
  @Override
  public void close() {
    if (gate.close()) {
      SafeExit.remove(gate);
      try {
        session.close();
      } catch (OrtException e) {
        throw new ModelException("an ONNX session can't be closed", e);
      }
    }
  }

  /** Runs the graph. For one thread at a time. */
  public final class Lease implements AutoCloseable {
    private boolean returned;

    private Lease() {}

    /** A tensor; without a copy when the buffer is direct. */
    public OnnxTensor tensor(LongBuffer values, long... shape) throws OrtException {
      return OnnxTensor.createTensor(env, values, shape);
    }

    /** A tensor; without a copy when the buffer is direct. */
    public OnnxTensor tensor(FloatBuffer values, long... shape) throws OrtException {
      return OnnxTensor.createTensor(env, values, shape);
    }

    /** A tensor without values: one of the dimensions is 0. */
    public OnnxTensor empty(OnnxJavaType type, long... shape) throws OrtException {
      return OnnxTensor.createTensor(env, ByteBuffer.allocateDirect(0), shape, type);
    }

    /** Runs, and lets ONNX Runtime make the outputs. */
    public OrtSession.Result run(Map<String, OnnxTensor> in, Set<String> out) throws OrtException {
      return session.run(in, out);
    }

    /** As {@link #run(Map, Set)}; {@code options} can stop it from another thread. */
    public OrtSession.Result run(
        Map<String, OnnxTensor> in, Set<String> out, OrtSession.RunOptions options)
        throws OrtException {
      return session.run(in, out, options);
    }

    /** Runs, and writes the outputs into these tensors, which must have the right shapes. */
    public OrtSession.Result run(Map<String, OnnxTensor> in, Map<String, OnnxTensor> out)
        throws OrtException {
      return session.run(in, out);
    }

    @Override
    public void close() {
      if (!returned) {
        returned = true;
        gate.exit();
      }
    }
  }
}

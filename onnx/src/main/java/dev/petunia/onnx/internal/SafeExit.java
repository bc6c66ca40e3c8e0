package dev.petunia.onnx.internal;

import ai.onnxruntime.OrtEnvironment;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/**
 * Lets the process end while other threads run graphs.
 *
 * <p>ONNX Runtime's Java binding frees the environment in a shutdown hook. Hooks run beside daemon
 * threads, and a thread that is in a graph then crashes the process (microsoft/onnxruntime issue
 * 31352). Two measures, as hooks have no order among each other:
 *
 * <ol>
 *   <li>The native environment is counted by references. One more is taken and never given back, so
 *       the binding's hook frees nothing. The binding has no public way to take it.
 *   <li>A hook of our own refuses new runs and waits for running ones, at most {@link
 *       #WAIT_SECONDS}, so that no thread is inside while the process unloads the library.
 * </ol>
 */
final class SafeExit {
  /** A run of an embedder takes milliseconds; a process must not hang for a longer one. */
  private static final long WAIT_SECONDS = 5;

  private static final Set<CloseGate> OPEN =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private SafeExit() {}

  /** To be called once, when the environment has been made. */
  static void install() {
    keepEnvironment();
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(SafeExit::atExit, "petunia-onnx-exit"));
    } catch (IllegalStateException alreadyShuttingDown) {
      // Nothing to protect: sessions opened now end with the process.
    }
  }

  static void add(CloseGate gate) {
    OPEN.add(gate);
  }

  static void remove(CloseGate gate) {
    OPEN.remove(gate);
  }

  private static void keepEnvironment() {
    try {
      Field api =
          Class.forName("ai.onnxruntime.OnnxRuntime", true, OrtEnvironment.class.getClassLoader())
              .getDeclaredField("ortApiHandle");
      api.setAccessible(true);
      Method create =
          OrtEnvironment.class.getDeclaredMethod(
              "createHandle", long.class, int.class, String.class);
      create.setAccessible(true);
      create.invoke(null, api.getLong(null), 2, OrtEnvironment.DEFAULT_NAME);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LoggerFactory.getLogger(SafeExit.class)
          .warn(
              "This build of ONNX Runtime can crash the process when it ends during a run. Close"
                  + " embedders before exit.",
              e);
    }
  }

  private static void atExit() {
    List<CloseGate> gates;
    synchronized (OPEN) {
      gates = List.copyOf(OPEN);
    }
    gates.forEach(CloseGate::refuse);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    for (CloseGate gate : gates) {
      gate.awaitEmpty(deadline);
    }
  }
}

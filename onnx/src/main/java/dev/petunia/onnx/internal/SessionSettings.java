package dev.petunia.onnx.internal;

import dev.petunia.core.internal.Checks;
import java.util.Map;

/**
 * How a graph is run. Threads never spin while they wait: a library doesn't burn a core of its
 * host.
 *
 * @param intraOpThreads threads that share one operator, the calling one included; with 1 ONNX
 *     Runtime starts none. It would take all cores of the machine by itself, whatever a container
 *     allows.
 * @param arena keep freed activations for the next run: 10 % faster, but never given back
 * @param config entries of ONNX Runtime's session configuration
 */
public record SessionSettings(int intraOpThreads, boolean arena, Map<String, String> config) {
  /** Checks and copies. */
  public SessionSettings {
    Checks.range("intraOpThreads", intraOpThreads, 1, 64);
    config = Map.copyOf(config);
  }

  /** With the arena and without further configuration. */
  public static SessionSettings withThreads(int intraOpThreads) {
    return new SessionSettings(intraOpThreads, true, Map.of());
  }

  /** These, with the arena on or off. */
  public SessionSettings withArena(boolean on) {
    return new SessionSettings(intraOpThreads, on, config);
  }

  /** These, with other configuration entries. */
  public SessionSettings withConfig(Map<String, String> entries) {
    return new SessionSettings(intraOpThreads, arena, entries);
  }
}

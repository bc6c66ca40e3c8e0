package dev.petunia.core;

import java.util.Collection;
import java.util.Map;

/**
 * Signals of chunks: bytes under a name, such as {@code shingles}, made from a chunk's text by one
 * module and used by another. They are kept beside the text, become durable with it, and are gone
 * when it is replaced or deleted; what they mean is the modules' affair.
 */
public interface SignalStore {
  /**
   * Signals by chunk id. Chunks that are not here or have no such signal are left out.
   *
   * @param name of the signal, not empty
   */
  Map<String, byte[]> signals(String name, Collection<String> ids);

  /**
   * Sets the signal of chunks that are here; what they had of this name is replaced.
   *
   * @param name of the signal, not empty
   * @param byId bytes by chunk id
   * @throws IllegalArgumentException when a chunk is not here; nothing is changed
   */
  void putSignals(String name, Map<String, byte[]> byId);
}

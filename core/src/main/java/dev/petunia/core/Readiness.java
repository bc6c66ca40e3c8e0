package dev.petunia.core;

import java.util.List;
import java.util.Optional;

/** Which models are ready, and why the others are not. */
@FunctionalInterface
public interface Readiness {
  /** A model's state. */
  enum State {
    /** Loaded, its self-check passed (or it has none). */
    READY,
    /** Being loaded. */
    LOADING,
    /** Loading or the self-check failed; the cause says why. */
    FAILED
  }

  /**
   * One model.
   *
   * @param label name, and precision where it matters
   * @param state whether it can be used
   * @param cause why it failed
   * @param selfCheck what its self-check found; empty when it has none or has not run
   */
  record Model(String label, State state, Optional<String> cause, Optional<String> selfCheck) {}

  /** The models, as of now. */
  List<Model> models();

  /** Whether all can be used. */
  default boolean ready() {
    return models().stream().allMatch(m -> m.state() == State.READY);
  }
}

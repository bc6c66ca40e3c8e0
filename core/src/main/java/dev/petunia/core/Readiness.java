package dev.petunia.core;

import dev.petunia.core.internal.Checks;
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
   * @param label name, not empty, and precision where it matters
   * @param state whether it can be used
   * @param cause why it failed; empty when it did not
   * @param selfCheck what its self-check found; empty when it has none or has not run
   */
  record Model(String label, State state, Optional<String> cause, Optional<String> selfCheck) {
    /** Checks: a failure has a cause, and nothing else has. */
    public Model {
      Checks.id("label", label);
      Checks.present("state", state);
      Checks.present("cause", cause);
      Checks.present("selfCheck", selfCheck);
      if (cause.isPresent() != (state == State.FAILED)) {
        throw Checks.bad(
            "cause", cause.orElse(null), state == State.FAILED ? "a cause" : "none when " + state);
      }
    }
  }

  /** The models, as of now. */
  List<Model> models();

  /** Whether all can be used; true when there are none. */
  default boolean ready() {
    return models().stream().allMatch(m -> m.state() == State.READY);
  }
}

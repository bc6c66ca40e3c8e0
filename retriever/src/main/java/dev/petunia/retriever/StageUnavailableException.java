package dev.petunia.retriever;

/** A stage that the request requires did nothing. Thrown only on request. */
public final class StageUnavailableException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final transient Shortfall shortfall;

  StageUnavailableException(Shortfall shortfall) {
    super(shortfall.stage() + " is required, but " + shortfall.detail());
    this.shortfall = shortfall;
  }

  /** What fell short. */
  public Shortfall shortfall() {
    return shortfall;
  }
}

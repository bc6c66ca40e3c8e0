package dev.petunia.rerank.internal.graph;

/** A graph is made in a way that can't be rewritten safely; the message says what was met. */
public final class NotRewritable extends Exception {
  private static final long serialVersionUID = 1L;

  NotRewritable(String why) {
    super(why);
  }
}

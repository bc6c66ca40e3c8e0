package dev.petunia.examples.conversation.corpus;

import java.io.IOException;

/**
 * A corpus that can't be had on this machine. The message is for users: what is missing, what to
 * do.
 */
public final class CorpusUnavailableException extends IOException {
  private static final long serialVersionUID = 1L;

  CorpusUnavailableException(String message) {
    super(message);
  }
}

package dev.petunia.core.testing;

/** Expectations that the tests of all modules share. */
public final class Expect {
  private Expect() {}

  /** Something that may throw anything. */
  @FunctionalInterface
  public interface Call {
    /** Runs. */
    void run() throws Throwable;
  }

  /**
   * Expects an {@link IllegalArgumentException} that names the field, the value and what is
   * allowed.
   *
   * @param field how the message begins
   * @param value what it shows as the value
   * @param allowed what follows "allowed: ", or the beginning of that
   */
  public static void refused(String field, String value, String allowed, Call call) {
    String message = message(call);
    if (!message.startsWith(field + " ")
        || !message.substring(field.length(), split(message)).contains(value)
        || !message.substring(split(message)).startsWith(", allowed: " + allowed)) {
      throw new AssertionError(
          "message is <"
              + message
              + ">, wanted <"
              + field
              + " is (or has) "
              + value
              + ", allowed: "
              + allowed
              + ">");
    }
  }

  private static int split(String message) {
    return Math.max(0, message.lastIndexOf(", allowed: "));
  }

  private static String message(Call call) {
    try {
      call.run();
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage());
    } catch (Throwable t) {
      throw new AssertionError("threw " + t + " instead of IllegalArgumentException", t);
    }
    throw new AssertionError("was accepted");
  }
}

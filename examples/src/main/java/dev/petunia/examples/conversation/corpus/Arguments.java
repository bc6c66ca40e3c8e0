package dev.petunia.examples.conversation.corpus;

import org.jspecify.annotations.Nullable;

/** Checks of arguments that name the field, the value and what is allowed. */
final class Arguments {
  private Arguments() {}

  static IllegalArgumentException bad(String field, @Nullable Object value, String allowed) {
    return new IllegalArgumentException(field + " is " + value + ", allowed: " + allowed);
  }

  static <T> T present(String field, @Nullable T value) {
    if (value == null) {
      throw bad(field, null, "a value that is not null");
    }
    return value;
  }

  static String id(String field, @Nullable String value) {
    if (value == null || value.isEmpty()) {
      throw bad(field, value, "a non-empty String");
    }
    return value;
  }

  static void range(String field, int value, int min, int max) {
    if (value < min || value > max) {
      throw bad(field, value, min + " to " + max);
    }
  }
}

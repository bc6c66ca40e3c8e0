package dev.petunia.core;

/**
 * Turns a {@link Filter} into the set of ids it accepts; the store that holds the attributes does.
 */
@FunctionalInterface
public interface FilterCompiler {
  /** The ids of the chunks that match, as of now. */
  IdFilter compile(Filter filter);
}

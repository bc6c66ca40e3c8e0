package dev.petunia.core;

import dev.petunia.core.internal.Checks;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A filter in the form that a vector index takes: which ids may be results. {@link FilterCompiler}
 * makes one of a {@link Filter}.
 *
 * <p>An index asks at most once per id and search. An exception from {@link #accepts} reaches the
 * caller of the search.
 */
public interface IdFilter {
  /** Whether this id may be a result. */
  boolean accepts(String id);

  /**
   * All accepted ids when they can be listed cheaply, else null. An index that knows them scans a
   * small set exactly instead of walking the graph.
   */
  default @Nullable Set<String> ids() {
    return null;
  }

  /** Accepts the ids of a set. The set must not change while a search runs. */
  static IdFilter of(Set<String> ids) {
    Checks.present("ids", ids);
    return new IdFilter() {
      @Override
      public boolean accepts(String id) {
        return ids.contains(id);
      }

      @Override
      public Set<String> ids() {
        return ids;
      }

      @Override
      public String toString() {
        return "IdFilter of " + ids.size() + " ids";
      }
    };
  }

  /** Accepts the ids that a predicate accepts; how many those are is not known beforehand. */
  static IdFilter where(Predicate<String> predicate) {
    return Checks.present("predicate", predicate)::test;
  }
}

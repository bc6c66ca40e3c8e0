package dev.petunia.core;

import dev.petunia.core.internal.Checks;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an and or an or. The list knows its depth and size, so that building a tree costs
 * each level once, and a tree that holds the same part many times is refused before it explodes.
 */
final class FilterParts extends AbstractList<Filter> implements RandomAccess {
  private final Filter[] parts;
  private final int depth;
  private final int nodes;

  private FilterParts(Filter[] parts, int depth, int nodes) {
    this.parts = parts;
    this.depth = depth;
    this.nodes = nodes;
  }

  static FilterParts copy(String name, @Nullable List<Filter> of) {
    List<Filter> parts = new ArrayList<>();
    int depth = 0;
    int nodes = 1;
    for (Filter f : Checks.present("filter " + name, of)) {
      parts.add(Checks.present("filter " + name + "[" + parts.size() + "]", f));
      depth = Math.max(depth, depth(f));
      nodes += nodes(f);
      checkSize(name, nodes); // each time, so that the sum can't overflow
    }
    checkDepth(name, depth + 1);
    return new FilterParts(parts.toArray(Filter[]::new), depth, nodes);
  }

  static Filter checkNot(@Nullable Filter of) {
    Filter f = Checks.present("filter not", of);
    checkDepth("not", depth(f) + 1);
    checkSize("not", nodes(f) + 1);
    return f;
  }

  private static void checkDepth(String name, int depth) {
    if (depth > Filter.MAX_DEPTH) {
      throw Checks.bad("nesting of filter " + name, depth, "1 to " + Filter.MAX_DEPTH + " levels");
    }
  }

  private static void checkSize(String name, int nodes) {
    if (nodes > Filter.MAX_NODES) {
      throw Checks.bad(
          "number of conditions in filter " + name,
          nodes,
          "1 to " + Filter.MAX_NODES + "; many values of one field are one condition with in");
    }
  }

  /** Levels of a filter: 1 for a leaf. A chain of nots is at most MAX_DEPTH long. */
  private static int depth(Filter f) {
    return switch (f) {
      case Filter.And(FilterParts p) -> p.depth + 1;
      case Filter.Or(FilterParts p) -> p.depth + 1;
      case Filter.Not(Filter of) -> depth(of) + 1;
      default -> 1;
    };
  }

  private static int nodes(Filter f) {
    return switch (f) {
      case Filter.And(FilterParts p) -> p.nodes;
      case Filter.Or(FilterParts p) -> p.nodes;
      case Filter.Not(Filter of) -> nodes(of) + 1;
      default -> 1;
    };
  }

  @Override
  public Filter get(int index) {
    return parts[index];
  }

  @Override
  public int size() {
    return parts.length;
  }
}

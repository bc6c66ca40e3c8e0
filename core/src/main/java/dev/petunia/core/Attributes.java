package dev.petunia.core;

import dev.petunia.core.internal.Checks;
import dev.petunia.core.internal.Utf8Order;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Validation and copying of attribute maps and of the values that filters compare with. */
final class Attributes {
  /** Names of a chunk's own fields; an attribute of such a name would be ambiguous in a filter. */
  static final Set<String> RESERVED = Set.of("id", "entryId", "ordinal", "text");

  private Attributes() {}

  static Map<String, Object> copy(@Nullable Map<String, Object> attributes) {
    if (attributes instanceof Copy) {
      return attributes;
    }
    TreeMap<String, Object> copy = new TreeMap<>(Utf8Order.COMPARATOR);
    for (Map.Entry<String, ?> e : Checks.present("attributes", attributes).entrySet()) {
      String name = Checks.id("attribute name", e.getKey());
      if (RESERVED.contains(name)) {
        throw Checks.bad("attribute name", name, "a name other than " + new TreeSet<>(RESERVED));
      }
      copy.put(name, value("attributes." + name, e.getValue()));
    }
    return new Copy(Collections.unmodifiableMap(copy));
  }

  /** Refuses what is neither the name of an attribute nor {@code entryId}. */
  static void filterField(@Nullable String field) {
    String name = Checks.id("filter field", field);
    if (RESERVED.contains(name) && !name.equals("entryId")) {
      throw Checks.bad("filter field", name, "entryId or the name of an attribute");
    }
  }

  /** A String, Long, Double, Boolean or List of String; wider numbers for narrower ones. */
  static Object value(String field, @Nullable Object value) {
    if (value instanceof List<?> list) {
      List<String> strings = new ArrayList<>(list.size());
      for (Object o : list) {
        String element = field + "[" + strings.size() + "]";
        if (!(o instanceof String s)) {
          throw Checks.badType(element, o, "String");
        }
        strings.add(Checks.wellFormed(element, s));
      }
      return Collections.unmodifiableList(strings);
    }
    return scalar(field, value);
  }

  /** A String, Long, Double or Boolean; wider numbers for narrower ones. */
  static Object scalar(String field, @Nullable Object value) {
    return switch (value) {
      case String s -> Checks.wellFormed(field, s);
      case Long l -> l;
      case Boolean b -> b;
      case Integer i -> (long) i;
      case Short s -> (long) s;
      case Byte b -> (long) b;
      case Double d -> finite(field, d);
      case Float f -> finite(field, f);
      case null, default ->
          throw Checks.badType(
              field, value, "String, Long, Double, Boolean (or, as an attribute, List of String)");
    };
  }

  private static Double finite(String field, double d) {
    if (!Double.isFinite(d)) {
      throw Checks.bad(field, d, "finite numbers");
    }
    return d;
  }

  /** A copy that was checked before, so that it need not be copied again. */
  private static final class Copy extends AbstractMap<String, Object> {
    private final Map<String, Object> sorted;

    Copy(Map<String, Object> sorted) {
      this.sorted = sorted;
    }

    @Override
    public @Nullable Object get(@Nullable Object name) {
      return name instanceof String ? sorted.get(name) : null;
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
      return name instanceof String && sorted.containsKey(name);
    }

    @Override
    public Set<Map.Entry<String, Object>> entrySet() {
      return sorted.entrySet();
    }
  }
}

package dev.petunia.core;

import dev.petunia.core.internal.Checks;
import dev.petunia.core.internal.Utf8Order;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.RandomAccess;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How the values of filters compare with those of attributes. */
final class FilterValues {
  private FilterValues() {}

  static boolean equal(@Nullable Object have, Object want) {
    if (have instanceof List<?> list) {
      return list.contains(want);
    }
    return have != null && canonical(have).equals(canonical(want));
  }

  static boolean in(@Nullable Object have, List<Object> want) {
    return ((Values) want).match(have);
  }

  static boolean ordered(@Nullable Object have, Filter.Compare.Op op, Object want) {
    int c;
    if (have instanceof Number a && want instanceof Number b) {
      c = compare(a, b);
    } else if (have instanceof String a && want instanceof String b) {
      c = Utf8Order.compare(a, b);
    } else {
      return false;
    }
    return switch (op) {
      case LT -> c < 0;
      case LTE -> c <= 0;
      case GT -> c > 0;
      case GTE -> c >= 0;
    };
  }

  /**
   * A value that equals another's exactly when the two are equal to a filter: a whole number that
   * fits a long is one, whatever its type.
   */
  private static Object canonical(Object value) {
    return switch (value) {
      case Long l -> l;
      case Double d when d == Math.rint(d) && d >= -0x1p63 && d < 0x1p63 -> (long) (double) d;
      default -> value;
    };
  }

  /** Exact also where a long has more digits than a double can hold. */
  static int compare(Number a, Number b) {
    if (a instanceof Long x) {
      return b instanceof Long y ? Long.compare(x, y) : compare((long) x, b.doubleValue());
    }
    if (b instanceof Long y) {
      return -compare((long) y, a.doubleValue());
    }
    return sign(a.doubleValue(), b.doubleValue());
  }

  private static int compare(long x, double y) {
    if (y >= 0x1p63) {
      return -1;
    }
    if (y < -0x1p63) {
      return 1;
    }
    long whole = (long) y;
    // the fraction is exact: above 2^53 a double has none, below it the subtraction loses nothing
    return x != whole ? Long.compare(x, whole) : sign(0, y - whole);
  }

  /** Unlike Double.compare, −0.0 equals 0.0. */
  private static int sign(double x, double y) {
    return x < y ? -1 : x > y ? 1 : 0;
  }

  /** The values of an in: looked up by hash, since lists of 100,000 ids are ordinary. */
  static final class Values extends AbstractList<Object> implements RandomAccess {
    private final Object[] values;
    private volatile @Nullable Set<Object> set; // made when first asked

    private Values(Object[] values) {
      this.values = values;
    }

    static Values copy(String field, @Nullable List<?> values) {
      List<Object> copy = new ArrayList<>();
      for (Object v : Checks.present("filter in(" + field + ")", values)) {
        copy.add(Attributes.scalar("filter in(" + field + ")[" + copy.size() + "]", v));
      }
      return new Values(copy.toArray());
    }

    boolean match(@Nullable Object have) {
      if (have == null) {
        return false;
      }
      Set<Object> known = set;
      if (known == null) {
        known = HashSet.newHashSet(values.length);
        for (Object v : values) {
          known.add(canonical(v));
        }
        set = known;
      }
      return have instanceof List<?> list
          ? list.stream().anyMatch(known::contains)
          : known.contains(canonical(have));
    }

    @Override
    public Object get(int index) {
      return values[index];
    }

    @Override
    public int size() {
      return values.length;
    }
  }
}

package dev.petunia.core.testing;

import dev.petunia.core.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Filters on the attributes that {@link Chunks} makes, on {@code entryId} and on missing names. */
public final class Filters {
  private static final Generator<Object> SCALAR = Chunks.scalar();
  private static final Generator<String> STRING = Chunks.attributeString();

  private Filters() {}

  /** Any filter, up to {@code maxDepth} deep (at least 1); shrinks to its parts. */
  public static Generator<Filter> filter(int maxDepth) {
    return new Generator<>() {
      @Override
      public Filter generate(RandomGenerator random) {
        return make(random, maxDepth);
      }

      @Override
      public Iterable<Filter> smaller(Filter value) {
        return parts(value);
      }
    };
  }

  private static Filter make(RandomGenerator random, int depth) {
    if (depth <= 1 || random.nextInt(3) == 0) {
      return leaf(random);
    }
    return switch (random.nextInt(3)) {
      case 0 -> new Filter.And(many(random, depth));
      case 1 -> new Filter.Or(many(random, depth));
      default -> Filter.not(make(random, depth - 1));
    };
  }

  private static List<Filter> many(RandomGenerator random, int depth) {
    int n = random.nextInt(4);
    List<Filter> out = new ArrayList<>(n);
    for (int i = 0; i < n; i++) {
      out.add(make(random, depth - 1));
    }
    return out;
  }

  private static Filter leaf(RandomGenerator random) {
    String field = field(random);
    return switch (random.nextInt(10)) {
      case 0, 1 -> Filter.eq(field, value(field, random));
      case 2 -> Filter.ne(field, value(field, random));
      case 3 -> Filter.lt(field, ordered(field, random));
      case 4 -> Filter.lte(field, ordered(field, random));
      case 5 -> Filter.gt(field, ordered(field, random));
      case 6 -> Filter.gte(field, ordered(field, random));
      case 7 -> random.nextBoolean() ? Filter.exists(field) : Filter.contains(field, part(random));
      case 8 -> Filter.in(field, values(field, random));
      default -> Filter.notIn(field, values(field, random));
    };
  }

  private static String field(RandomGenerator random) {
    return switch (random.nextInt(12)) {
      case 0 -> "entryId";
      case 1 -> "missing";
      default -> Chunks.NAMES.get(random.nextInt(Chunks.NAMES.size()));
    };
  }

  private static Object value(String field, RandomGenerator random) {
    if (random.nextInt(4) == 0) {
      return SCALAR.generate(random);
    }
    return switch (field) {
      // a year as a double and a rating as a long must work too
      case "year" -> random.nextBoolean() ? 2020L + random.nextInt(6) : 2019.5 + random.nextInt(6);
      case "rating" -> random.nextBoolean() ? random.nextInt(6) : random.nextInt(11) / 2.0;
      case "open" -> random.nextBoolean();
      case "entryId" -> random.nextBoolean() ? "en" : "entry-" + random.nextInt(8);
      default -> STRING.generate(random);
    };
  }

  private static Object ordered(String field, RandomGenerator random) {
    Object v = value(field, random);
    return v instanceof Boolean ? "m" : v;
  }

  private static List<Object> values(String field, RandomGenerator random) {
    int n = random.nextInt(4);
    List<Object> out = new ArrayList<>(n);
    for (int i = 0; i < n; i++) {
      out.add(value(field, random));
    }
    return out;
  }

  private static String part(RandomGenerator random) {
    return random.nextBoolean() ? STRING.generate(random) : random.nextBoolean() ? "e" : "n";
  }

  private static List<Filter> parts(Filter value) {
    List<Filter> out = new ArrayList<>();
    switch (value) {
      case Filter.And(List<Filter> of) -> {
        out.addAll(of);
        smallerLists(of).forEach(l -> out.add(new Filter.And(l)));
      }
      case Filter.Or(List<Filter> of) -> {
        out.addAll(of);
        smallerLists(of).forEach(l -> out.add(new Filter.Or(l)));
      }
      case Filter.Not(Filter of) -> {
        out.add(of);
        parts(of).forEach(f -> out.add(Filter.not(f)));
      }
      case Filter.In(String field, List<Object> values) ->
          Generators.smallerLists(values, 0, SCALAR).forEach(l -> out.add(Filter.in(field, l)));
      case Filter.Eq e -> {}
      case Filter.Compare c -> {}
      case Filter.Contains c -> {}
      case Filter.Exists e -> {}
    }
    return out;
  }

  private static List<List<Filter>> smallerLists(List<Filter> of) {
    return Generators.smallerLists(
        of,
        0,
        new Generator<Filter>() {
          @Override
          public Filter generate(RandomGenerator random) {
            return leaf(random);
          }

          @Override
          public Iterable<Filter> smaller(Filter value) {
            return parts(value);
          }
        });
  }
}

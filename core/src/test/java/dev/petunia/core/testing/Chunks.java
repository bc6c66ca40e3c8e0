package dev.petunia.core.testing;

import dev.petunia.core.Chunk;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Attributes and chunks. Names and values come from small pools, so that filters find something.
 */
public final class Chunks {
  /** The names of all attributes that are made; {@code any} has values of every kind. */
  public static final List<String> NAMES =
      List.of("lang", "year", "rating", "open", "tags", "any", "名", "a.b c");

  private static final List<String> STRINGS =
      List.of("", "en", "de", "english", "EN", "1", "true", "\uE000", "\uD83D\uDC33", "e\u0301");

  private Chunks() {}

  /** A String that other chunks are likely to have too, now and then any text. */
  public static Generator<String> attributeString() {
    Generator<String> any = Generators.text(8);
    return random ->
        random.nextInt(6) == 0 ? any.generate(random) : STRINGS.get(random.nextInt(STRINGS.size()));
  }

  /** A String, Long, Double or Boolean. */
  public static Generator<Object> scalar() {
    Generator<Object> booleans = Generators.oneOf(true, false);
    return Generators.anyOf(attributeString(), Generators.longs(), Generators.doubles(), booleans);
  }

  /** A String, Long, Double, Boolean or list of 0 to 4 Strings. */
  public static Generator<Object> attributeValue() {
    return Generators.anyOf(scalar(), scalar(), Generators.listOf(attributeString(), 0, 4));
  }

  /** 0 to 8 attributes: of the kind that their name suggests, mostly. */
  public static Generator<Map<String, Object>> attributes() {
    Generator<Object> any = attributeValue();
    return random -> {
      Map<String, Object> out = new HashMap<>();
      for (String name : NAMES) {
        if (random.nextInt(3) > 0) {
          out.put(name, random.nextInt(5) == 0 ? any.generate(random) : typical(name, random));
        }
      }
      return out;
    };
  }

  private static Object typical(String name, RandomGenerator random) {
    return switch (name) {
      case "year" -> 2020L + random.nextInt(6);
      case "rating" -> random.nextInt(11) / 2.0;
      case "open" -> random.nextBoolean();
      case "tags" -> Generators.listOf(attributeString(), 0, 4).generate(random);
      case "any" -> attributeValue().generate(random);
      default -> attributeString().generate(random);
    };
  }

  /** One chunk with any id, entry, prose and attributes. */
  public static Generator<Chunk> chunk() {
    Generator<String> id = Generators.id();
    Generator<String> text = Generators.prose(40);
    Generator<Map<String, Object>> attributes = attributes();
    return random ->
        new Chunk(
            id.generate(random),
            random.nextBoolean() ? STRINGS.get(1) : id.generate(random),
            random.nextInt(100),
            text.generate(random),
            attributes.generate(random));
  }

  /**
   * {@code count} chunks of distinct ids that make up whole entries: ordinals count from 0 in each,
   * and an entry has 1 to 8.
   */
  public static Generator<List<Chunk>> corpus(int count) {
    Generator<String> text = Generators.prose(40);
    Generator<Map<String, Object>> attributes = attributes();
    return random -> {
      List<String> ids = Generators.distinctIds(count).generate(random);
      List<Chunk> out = new ArrayList<>(count);
      int entry = 0;
      int ordinal = 0;
      int left = 1 + random.nextInt(8);
      for (String id : ids) {
        if (left-- == 0) {
          entry++;
          ordinal = 0;
          left = random.nextInt(8);
        }
        out.add(
            new Chunk(
                id,
                "entry-" + entry,
                ordinal++,
                text.generate(random),
                attributes.generate(random)));
      }
      return out;
    };
  }
}

package dev.petunia.benchmarks;

import dev.petunia.core.internal.Checks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The command line after the benchmark's name: {@code --name value} and {@code --flag}. What nobody
 * asked for is refused by {@link #refuseUnread}, so that a mistyped option never passes in silence.
 */
public final class Options {
  private final Map<String, String> values = new LinkedHashMap<>();
  private final Set<String> flags = new TreeSet<>();
  private final Set<String> unread = new TreeSet<>();

  /**
   * Reads the arguments.
   *
   * @param flagNames names that take no value
   */
  public static Options parse(List<String> args, Set<String> flagNames) {
    Options o = new Options();
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i);
      if (!arg.startsWith("--") || arg.length() == 2) {
        throw Checks.bad("argument", arg, "--name value");
      }
      String name = arg.substring(2);
      if (o.values.containsKey(name) || o.flags.contains(name)) {
        throw new IllegalArgumentException("--" + name + " is given twice, allowed: once");
      }
      o.unread.add(name);
      if (flagNames.contains(name)) {
        o.flags.add(name);
      } else if (i + 1 < args.size() && !args.get(i + 1).startsWith("--")) {
        o.values.put(name, args.get(++i));
      } else {
        throw new IllegalArgumentException("--" + name + " has no value, allowed: --name value");
      }
    }
    return o;
  }

  /** Whether a flag is there. */
  public boolean flag(String name) {
    unread.remove(name);
    return flags.contains(name);
  }

  /** A value as text. */
  public Optional<String> text(String name) {
    unread.remove(name);
    return Optional.ofNullable(values.get(name));
  }

  /** A whole number in {@code [min, max]}. */
  public int number(String name, int fallback, int min, int max) {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return fallback;
    }
    return parse("--" + name, text.get(), min, max);
  }

  /** Whole numbers separated by commas, ascending, each in {@code [min, max]}. */
  public int[] numbers(String name, int[] fallback, int min, int max) {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return fallback;
    }
    String[] parts = text.get().split(",", -1);
    int[] out = new int[parts.length];
    for (int i = 0; i < parts.length; i++) {
      out[i] = parse("--" + name, parts[i].strip(), min, max);
      if (i > 0 && out[i] <= out[i - 1]) {
        throw Checks.bad("--" + name, text.get(), "ascending numbers separated by commas");
      }
    }
    return out;
  }

  private static int parse(String field, String text, int min, int max) {
    try {
      return Checks.range(field, Integer.parseInt(text), min, max);
    } catch (NumberFormatException e) {
      throw Checks.bad(field, text, "a whole number in " + min + " to " + max);
    }
  }

  /** Words separated by commas, each of {@code allowed}, none twice; "none" is an empty list. */
  public List<String> words(String name, List<String> fallback, List<String> allowed) {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return fallback;
    }
    List<String> out = new ArrayList<>();
    if (text.get().equals("none")) {
      return out;
    }
    for (String part : text.get().split(",", -1)) {
      String word = part.strip();
      if (!allowed.contains(word) || out.contains(word)) {
        throw Checks.bad("--" + name, text.get(), "none, or each at most once: " + allowed);
      }
      out.add(word);
    }
    return out;
  }

  /** The data folder: {@code --data DIR}, else the environment variable PETUNIA_DATA. */
  public Optional<Path> data() {
    Optional<String> text = text("data");
    String field = "--data";
    if (text.isEmpty()) {
      text = Optional.ofNullable(System.getenv("PETUNIA_DATA")).filter(s -> !s.isBlank());
      field = "PETUNIA_DATA";
    }
    if (text.isPresent() && !Files.isDirectory(Path.of(text.get()))) {
      throw Checks.bad(field, text.get(), "a folder that exists");
    }
    return text.map(Path::of);
  }

  /** Refuses options that nothing has read. Call it when all have been. */
  public void refuseUnread() {
    if (!unread.isEmpty()) {
      throw new IllegalArgumentException(
          "unknown option --" + unread.iterator().next() + "; --help lists the options");
    }
  }
}

package dev.petunia.benchmarks.ann;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What a run can measure. */
enum Part {
  /** Builds, recall and QPS over the grid of ef, all systems. */
  CURVES,
  /** Whether each stored vector finds itself. */
  SELF;

  /** All, as {@code --parts} names them. */
  static final List<String> NAMES = Arrays.stream(values()).map(Part::word).toList();

  /** Those of a run that names none. */
  static final List<String> USUAL = List.of("curves", "self");

  /** Parts by name, in the order in which they run. */
  static List<Part> of(List<String> words) {
    return Arrays.stream(values()).filter(p -> words.contains(p.word())).toList();
  }

  private String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}

package dev.petunia.benchmarks.ann;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What a run can measure, in the order in which it does. */
enum Part {
  /** Recall and QPS over the grid of ef. */
  CURVES,
  /** Whether each stored vector finds itself. */
  SELF,
  /** Bytes of a reopened index. */
  MEMORY,
  /** Time to open and to answer in a new process. */
  COLD,
  /** Search under filters. */
  FILTER,
  /** Searches beside a writer. */
  MIXED,
  /** Recall and QPS after half of the rows were deleted; after the others, for they are gone. */
  DELETES,
  /** Cost against the number of vectors; has indexes of its own. */
  SCALING;

  /** All, as {@code --parts} names them. */
  static final List<String> NAMES = Arrays.stream(values()).map(Part::word).toList();

  /** Those of a run that names none. */
  static final List<String> USUAL =
      List.of("curves", "self", "memory", "cold", "filter", "deletes");

  /** Parts by name, in the order in which they run. */
  static List<Part> of(List<String> words) {
    return Arrays.stream(values()).filter(p -> words.contains(p.word())).toList();
  }

  /** Whether the part measures the built index of a system. */
  boolean measures(String system) {
    boolean variant = Systems.VARIANTS.containsValue(system);
    return switch (this) {
      case CURVES -> true;
      case SELF, MIXED, DELETES -> variant;
      case MEMORY, COLD -> variant || system.equals(Systems.HNSWLIB);
      case FILTER -> variant || system.startsWith(Systems.LUCENE);
      case SCALING -> false;
    };
  }

  private String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}

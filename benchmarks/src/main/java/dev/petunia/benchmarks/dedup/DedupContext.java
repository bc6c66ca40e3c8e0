package dev.petunia.benchmarks.dedup;

import dev.petunia.benchmarks.Report;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What all parts have.
 *
 * @param names the corpora to check against their truth
 * @param scratch a folder for indexes
 * @param isQuick small slices, few rounds
 */
record DedupContext(
    Corpora corpora,
    List<String> names,
    Report report,
    PrintStream out,
    Path scratch,
    boolean isQuick) {
  void print(String format, Object... values) {
    out.printf(Locale.ROOT, format, values);
  }

  /** Rounds of which the best counts, after as many to warm up. */
  int rounds() {
    return isQuick ? 2 : 6;
  }

  /** Adds a figure: {@code dedup.NAME}. */
  void add(String name, double value, String unit) {
    report.add("dedup." + name, value, unit);
  }
}

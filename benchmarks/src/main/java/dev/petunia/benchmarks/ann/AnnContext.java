package dev.petunia.benchmarks.ann;

import java.io.PrintStream;
import java.nio.file.Path;

/**
 * What all parts of a run on one set share.
 *
 * @param truth the right answers to the set's queries
 * @param work a folder that is deleted at the end
 */
record AnnContext(
    AnnPlan plan, AnnSet set, ExactTruth truth, Path work, Children children, PrintStream out) {
  /** The base rows as a file, for the children. */
  Path baseFile() {
    return work.resolve("base.f32");
  }

  /** The queries as a file, for the children. */
  Path queryFile() {
    return work.resolve("queries.f32");
  }

  /** Where a system's built index is saved. */
  Path saved(String system) {
    return work.resolve("saved-" + system);
  }
}

package dev.petunia.benchmarks.dedup;

/** One experiment. */
interface DedupPart {
  /** The name on the command line. */
  String name();

  /** Measures, prints, and adds figures to the report. */
  void run(DedupContext context) throws Exception;
}

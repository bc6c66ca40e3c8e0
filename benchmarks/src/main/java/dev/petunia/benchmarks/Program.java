package dev.petunia.benchmarks;

import java.util.List;

/** One benchmark that {@code benchmarks/run NAME} starts. */
public interface Program {
  /** The name on the command line. */
  String name();

  /** What it measures, in one line. */
  String summary();

  /** Its options, one line each, beside those that all benchmarks have. */
  List<String> help();

  /**
   * Measures, prints for people, and puts its figures into the report.
   *
   * @throws IllegalArgumentException on an option that is unknown or has a wrong value
   * @throws Exception when something fails; the figures so far are then not written
   */
  void run(Options options, Report report) throws Exception;
}

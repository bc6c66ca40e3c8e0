package dev.petunia.benchmarks.ann;

import java.io.IOException;

/** A system in its process, and what was measured of it. */
record Contestant(SystemProcess process, SetResult.Row row) {
  static Contestant of(SystemProcess process) throws IOException {
    return new Contestant(process, new SetResult.Row(process.name(), process.info()));
  }

  String name() {
    return process.name();
  }
}

package dev.petunia.benchmarks.crash;

import java.util.Optional;

/**
 * What is known of a directory: the content of its last acknowledged commit, and of the one that
 * may have been under way.
 */
final class Journal {
  private Content base; // what the present child began with
  private long seed;
  private long generation;
  private int doneSteps;
  private int begunSteps;
  private int commits;

  /** Of a directory that holds nothing yet. */
  Journal() {
    base = new Content();
  }

  /** A child begins from what {@link #opened} has accepted. */
  void start(long newSeed) {
    seed = newSeed;
    doneSteps = 0;
    begunSteps = 0;
  }

  /** The child is about to make durable what it has after so many steps. */
  void begin(int steps) {
    begunSteps = steps;
  }

  /** The commit or compaction that it was about to make is done. */
  void done(long newGeneration) {
    doneSteps = begunSteps;
    generation = newGeneration;
    commits++;
  }

  /** Acknowledged commits so far. */
  int commits() {
    return commits;
  }

  /** Whether the child was killed within a commit or a compaction. */
  boolean undecided() {
    return begunSteps != doneSteps;
  }

  /**
   * Judges what was found in the directory after the child's end, and goes on from there.
   *
   * @param found generation that opened
   * @param print of the content that opened
   * @return what is wrong, if something is
   */
  Optional<String> opened(long found, long print) {
    Content done = base.after(seed, doneSteps);
    Content begun = base.after(seed, begunSteps);
    String state =
        "generation %d opened; %d was acknowledged after %d steps of seed %d, %d were begun"
            .formatted(found, generation, doneSteps, seed, begunSteps);
    if (found < generation) {
      return Optional.of("an acknowledged commit is gone: " + state);
    }
    if (print == begun.print()) {
      base = begun;
    } else if (print == done.print()) {
      base = done;
    } else {
      return Optional.of("the content is neither the acknowledged nor the begun one: " + state);
    }
    generation = found;
    return Optional.empty();
  }
}

package dev.petunia.benchmarks.ann;

import java.util.ArrayList;
import java.util.List;

/** The rounds of one system at one setting. */
final class Tally {
  private final String what;
  private final boolean cpuClock;
  private final List<Double> qps = new ArrayList<>();
  private double recall = -1;

  /**
   * @param what the system and the setting, for the message when its answers change
   * @param cpuClock whether processor time counts
   */
  Tally(String what, boolean cpuClock) {
    this.what = what;
    this.cpuClock = cpuClock;
  }

  /**
   * Adds a round.
   *
   * @throws IllegalStateException when its recall is not that of the round before: the same
   *     questions to the same index have the same answers
   */
  void add(SystemProcess.Round round, double newRecall) {
    if (recall >= 0 && recall != newRecall) {
      throw new IllegalStateException(what + " found " + recall + ", then " + newRecall);
    }
    recall = newRecall;
    qps.add(cpuClock ? round.cpuQps() : round.qps());
  }

  SetResult.Cell cell(int ef) {
    return new SetResult.Cell(ef, recall, List.copyOf(qps));
  }
}

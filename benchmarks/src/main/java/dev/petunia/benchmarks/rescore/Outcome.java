package dev.petunia.benchmarks.rescore;

import dev.petunia.benchmarks.floor.Bootstrap;
import dev.petunia.benchmarks.floor.IrMetrics;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * How good a contender's order is, question by question.
 *
 * @param success 1 when the first passage is relevant, else 0
 * @param reciprocalRank of the first relevant passage in the pool
 * @param recall10 share of the relevant ones among the first ten
 */
@SuppressWarnings("ArrayRecordComponent") // read once, compared never
record Outcome(double[] success, double[] reciprocalRank, double[] recall10) {
  static Outcome of(Contender contender, List<Asked> questions) {
    int n = questions.size();
    Outcome out = new Outcome(new double[n], new double[n], new double[n]);
    for (int q = 0; q < n; q++) {
      Asked asked = questions.get(q);
      List<String> order = contender.order(asked);
      out.reciprocalRank[q] = IrMetrics.reciprocalRank(order, asked.gains());
      out.success[q] = out.reciprocalRank[q] == 1 ? 1 : 0;
      out.recall10[q] = IrMetrics.recall(order, asked.gains(), 10);
    }
    return out;
  }

  /** How many have a relevant passage first. */
  int successes() {
    return (int) Arrays.stream(success).sum();
  }

  double mrr() {
    return Arrays.stream(reciprocalRank).average().orElseThrow();
  }

  double recall() {
    return Arrays.stream(recall10).average().orElseThrow();
  }

  /** Only the questions at these places. */
  Outcome at(IntPredicate places) {
    int[] kept = IntStream.range(0, success.length).filter(places).toArray();
    return new Outcome(pick(success, kept), pick(reciprocalRank, kept), pick(recall10, kept));
  }

  private static double[] pick(double[] values, int[] places) {
    return Arrays.stream(places).mapToDouble(i -> values[i]).toArray();
  }

  Bootstrap successOver(Outcome other) {
    return Bootstrap.of(success, other.success);
  }

  Bootstrap mrrOver(Outcome other) {
    return Bootstrap.of(reciprocalRank, other.reciprocalRank);
  }

  Bootstrap recallOver(Outcome other) {
    return Bootstrap.of(recall10, other.recall10);
  }

  /** How many have a relevant passage first here and not there. */
  int gained(Outcome other) {
    return (int)
        IntStream.range(0, success.length).filter(i -> success[i] > other.success[i]).count();
  }
}

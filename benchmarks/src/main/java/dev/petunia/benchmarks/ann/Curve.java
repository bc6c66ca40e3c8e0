package dev.petunia.benchmarks.ann;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Queries per second against recall, from the measured points of one system.
 *
 * <p>Between two neighbouring points the logarithm of QPS is taken as linear in recall. Nothing is
 * extrapolated: above the highest recall there is no value. Below the lowest recall the value is
 * the QPS of the lowest point, for that is the fastest setting that was measured and meets the
 * recall asked for.
 */
record Curve(List<Point> points) {
  /** One setting of a system. */
  record Point(int ef, double recall, double qps) {}

  /** Keeps the points that no other beats in both recall and QPS, by ascending recall. */
  Curve {
    List<Point> byRecall = new ArrayList<>(points);
    byRecall.sort(Comparator.comparingDouble(Point::recall).thenComparingDouble(Point::qps));
    List<Point> front = new ArrayList<>();
    for (Point p : byRecall.reversed()) {
      if (front.isEmpty() || p.qps() > front.getLast().qps()) {
        front.add(p);
      }
    }
    points = List.copyOf(front.reversed());
  }

  /** QPS at a recall; empty when the curve does not reach it. */
  OptionalDouble qpsAt(double recall) {
    for (int i = 0; i < points.size(); i++) {
      Point high = points.get(i);
      if (high.recall() < recall) {
        continue;
      }
      if (i == 0 || high.recall() == recall) {
        return OptionalDouble.of(high.qps());
      }
      Point low = points.get(i - 1);
      double t = (recall - low.recall()) / (high.recall() - low.recall());
      return OptionalDouble.of(Math.exp((1 - t) * Math.log(low.qps()) + t * Math.log(high.qps())));
    }
    return OptionalDouble.empty();
  }
}

package dev.petunia.benchmarks.ann;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class CurveTest {
  private static Curve.Point point(double recall, double qps) {
    return new Curve.Point(10, recall, qps);
  }

  @Test
  void betweenTwoPointsLogQpsIsLinearInRecall() {
    Curve c = new Curve(List.of(point(0.90, 4000), point(1.00, 1000)));
    assertEquals(2000, c.qpsAt(0.95).orElseThrow(), 1e-6); // the geometric mean in the middle
    assertEquals(4000 / Math.sqrt(2), c.qpsAt(0.925).orElseThrow(), 1e-6);
  }

  @Test
  void atAPointItIsThePoint() {
    Curve c = new Curve(List.of(point(0.90, 4000), point(0.95, 3000), point(1.00, 1000)));
    assertEquals(3000, c.qpsAt(0.95).orElseThrow(), 0);
  }

  @Test
  void aboveTheHighestRecallThereIsNothing() {
    Curve c = new Curve(List.of(point(0.90, 4000), point(0.98, 1000)));
    assertTrue(c.qpsAt(0.99).isEmpty());
    assertTrue(new Curve(List.of()).qpsAt(0.5).isEmpty());
  }

  @Test
  void belowTheLowestRecallItIsTheLowestPointAndNoMore() {
    Curve c = new Curve(List.of(point(0.97, 4000), point(0.99, 1000)));
    assertEquals(4000, c.qpsAt(0.95).orElseThrow(), 0);
  }

  @Test
  void pointsThatAnotherBeatsInBothDoNotCount() {
    // 0.93 at 1500/s is worse than 0.95 at 2000/s: noise, or an ef that is of no use
    Curve c =
        new Curve(
            List.of(point(0.90, 4000), point(0.93, 1500), point(0.95, 2000), point(0.95, 1900)));
    assertEquals(2, c.points().size());
    assertEquals(2000, c.qpsAt(0.95).orElseThrow(), 0);
    assertEquals(Math.sqrt(8e6), c.qpsAt(0.925).orElseThrow(), 1e-6);
  }

  @Test
  void orderOfThePointsDoesNotMatter() {
    List<Curve.Point> points = List.of(point(0.90, 4000), point(0.95, 3000), point(1.00, 1000));
    assertEquals(new Curve(points), new Curve(points.reversed()));
  }
}

package dev.petunia.benchmarks.ann;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;

/** What was measured on one set. */
final class SetResult {
  /** One setting of a system: recall, and QPS of each round. */
  record Cell(int ef, double recall, List<Double> rounds) {
    double best() {
      return rounds.stream().mapToDouble(d -> d).max().orElseThrow();
    }

    double worst() {
      return rounds.stream().mapToDouble(d -> d).min().orElseThrow();
    }
  }

  /** One system. */
  static final class Row {
    private final String system;
    private final String info;
    private final List<SystemProcess.Build> builds = new ArrayList<>();
    private final Map<Integer, Cell> cells = new LinkedHashMap<>();
    private Optional<SystemProcess.Build> single = Optional.empty();
    private Optional<Allocation> allocation = Optional.empty();

    Row(String system, String info) {
      this.system = system;
      this.info = info;
    }

    String system() {
      return system;
    }

    String info() {
      return info;
    }

    void add(SystemProcess.Build build) {
      builds.add(build);
    }

    /** In order; none for a system that searches another one's index. */
    List<SystemProcess.Build> builds() {
      return List.copyOf(builds);
    }

    boolean built() {
      return !builds.isEmpty();
    }

    /** Of the fastest build. */
    double buildSeconds() {
      return builds.stream().mapToDouble(SystemProcess.Build::seconds).min().orElseThrow();
    }

    /** Of the build that took least processor time. */
    double buildCpuSeconds() {
      return builds.stream().mapToDouble(SystemProcess.Build::cpuSeconds).min().orElseThrow();
    }

    /** The build with one thread. */
    void single(SystemProcess.Build build) {
      single = Optional.of(build);
    }

    /** Seconds of the build with one thread, when there was one. */
    OptionalDouble single(boolean cpuClock) {
      return single.stream().mapToDouble(b -> cpuClock ? b.cpuSeconds() : b.seconds()).findFirst();
    }

    void add(Cell cell) {
      cells.put(cell.ef(), cell);
    }

    List<Cell> cells() {
      return List.copyOf(cells.values());
    }

    void allocation(Allocation a) {
      allocation = Optional.of(a);
    }

    Optional<Allocation> allocation() {
      return allocation;
    }

    Curve curve() {
      return new Curve(
          cells.values().stream().map(c -> new Curve.Point(c.ef(), c.recall(), c.best())).toList());
    }

    Optional<Cell> cell(int ef) {
      return Optional.ofNullable(cells.get(ef));
    }

    /**
     * Recall of this system through that of another, the least over the ef that both were measured
     * at.
     */
    OptionalDouble leastRecallRatio(Row other) {
      return cells.values().stream()
          .flatMapToDouble(
              c ->
                  other.cell(c.ef()).filter(o -> o.recall() > 0).stream()
                      .mapToDouble(o -> c.recall() / o.recall()))
          .min();
    }

    /**
     * QPS of this system through that of another at the ef that both were measured at, as a
     * geometric mean. For two runs of one index, whose recall at one ef is the same.
     */
    OptionalDouble qpsRatioAtEqualEf(Row other) {
      return cells.values().stream()
          .flatMapToDouble(
              c -> {
                Cell o = other.cells.get(c.ef());
                return o == null
                    ? DoubleStream.empty()
                    : DoubleStream.of(Math.log(c.best() / o.best()));
              })
          .average()
          .stream()
          .map(Math::exp)
          .findFirst();
    }
  }

  private final String set;
  private final List<Row> rows;

  SetResult(String set, List<Row> rows) {
    this.set = set;
    this.rows = List.copyOf(rows);
  }

  String set() {
    return set;
  }

  List<Row> rows() {
    return rows;
  }

  /** This index's configurations, without the scalar twin. */
  List<Row> variants() {
    return rows.stream().filter(r -> Systems.VARIANTS.containsValue(r.system())).toList();
  }

  List<Row> peers() {
    return rows.stream().filter(r -> Systems.PEERS.contains(r.system())).toList();
  }

  /** The fastest at a recall, of those that reach it. */
  static Optional<Row> fastest(List<Row> rows, double recall) {
    return rows.stream()
        .filter(r -> r.curve().qpsAt(recall).isPresent())
        .max(Comparator.comparingDouble(r -> r.curve().qpsAt(recall).orElseThrow()));
  }

  Optional<Row> row(String system) {
    return rows.stream().filter(r -> r.system().equals(system)).findFirst();
  }
}

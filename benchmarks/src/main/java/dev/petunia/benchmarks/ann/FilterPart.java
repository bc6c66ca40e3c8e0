package dev.petunia.benchmarks.ann;

import dev.petunia.benchmarks.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;

/** Search under filters, against Lucene's. */
final class FilterPart {
  /** Recalls at which systems are compared. */
  private static final double[] RECALLS = {0.99, 0.95};

  /** The default ef of an index of this size; recall is reported there. */
  private static final int REPORTED_EF = 100;

  private static final int[] GRID = {10, 32, REPORTED_EF, 320};

  /** Of filters not made beforehand, which may be slow: fewer points, queries and rounds. */
  private static final int[] OTHER_GRID = {10, REPORTED_EF};

  private static final int QUERIES = 500;
  private static final int OTHER_QUERIES = 100;
  private static final int ROUNDS = 2;

  private final AnnContext context;
  private final AnnSet set;
  private final String prefix;

  FilterPart(AnnContext context) {
    this.context = context;
    int asked = context.set().queries().length;
    this.set = context.set().firstQueries(Math.min(QUERIES, Math.max(1, asked / 4)));
    this.prefix = "ann." + set.name() + ".";
  }

  /** A system under one form of filter. */
  private record Entry(Contestant contestant, AnnSystem.Form form) {
    String name() {
      return contestant.name() + (prepared() || !ours() ? "" : " (" + word(form) + ")");
    }

    boolean prepared() {
      return form == AnnSystem.Form.PREPARED;
    }

    boolean ours() {
      return Systems.isPetunia(contestant.name());
    }
  }

  void run(List<Contestant> all, Report report) throws IOException, InterruptedException {
    List<Entry> entries = new ArrayList<>();
    for (AnnSystem.Form form : AnnSystem.Form.values()) {
      for (Contestant c : all) {
        boolean ours = Systems.isPetunia(c.name());
        if (Part.FILTER.measures(c.name()) && (ours || form == AnnSystem.Form.PREPARED)) {
          entries.add(new Entry(c, form)); // Lucene has one form, a bit set whose size it knows
        }
      }
    }
    context
        .out()
        .printf(
            "%n  under filters made beforehand: recall and QPS, %d queries; %d with other forms%n",
            set.queries().length, queries(AnnSystem.Form.LISTED));
    for (FilterCase filter : FilterCase.of(set, context.plan().builds().threads())) {
      Path file = context.work().resolve(filter.name());
      RowFiles.write(file, filter.filters());
      for (Contestant c : all) {
        if (Part.FILTER.measures(c.name())) {
          c.process().filters(file);
        }
      }
      run(filter, entries, report);
    }
  }

  private int queries(AnnSystem.Form form) {
    int all = set.queries().length;
    return form == AnnSystem.Form.PREPARED ? all : Math.min(all, OTHER_QUERIES);
  }

  private void run(FilterCase filter, List<Entry> entries, Report report) throws IOException {
    Map<Entry, List<SetResult.Cell>> cells = new LinkedHashMap<>();
    for (AnnSystem.Form form : AnnSystem.Form.values()) {
      boolean prepared = form == AnnSystem.Form.PREPARED;
      List<Entry> some = entries.stream().filter(e -> e.form() == form).toList();
      FilterCase asked = filter.first(queries(form));
      warm(some);
      for (int ef : prepared ? GRID : OTHER_GRID) {
        point(asked, some, ef, prepared ? ROUNDS : 1, cells);
      }
    }
    print(filter, cells);
    report(filter, cells, report);
  }

  private void point(
      FilterCase filter,
      List<Entry> entries,
      int ef,
      int rounds,
      Map<Entry, List<SetResult.Cell>> cells)
      throws IOException {
    Map<Entry, Tally> tallies = new LinkedHashMap<>();
    boolean cpuClock = context.plan().rounds().cpuClock();
    for (int round = 0; round < rounds; round++) {
      List<Entry> order = new ArrayList<>(entries);
      Collections.rotate(order, -round);
      for (Entry e : order) {
        SystemProcess.Round r = ask(e, ef, context.plan().rounds().roundMillis() / 2);
        AnnSet asked = set.firstQueries(queries(e.form()));
        filter.check(e.name(), asked, r.answers());
        tallies
            .computeIfAbsent(e, key -> new Tally(key.name() + ", " + filter.name(), cpuClock))
            .add(r, r.answers().recall(asked, filter.truth()));
      }
    }
    tallies.forEach(
        (e, tally) -> cells.computeIfAbsent(e, key -> new ArrayList<>()).add(tally.cell(ef)));
  }

  private SystemProcess.Round ask(Entry e, int ef, int millis) throws IOException {
    return e.contestant().process().filtered(e.form(), ef, AnnPlan.K, millis, queries(e.form()));
  }

  /** Each case takes other ways through the code, and so may each end of the grid. */
  private void warm(List<Entry> entries) throws IOException {
    int millis = context.plan().rounds().warmMillis() / 10;
    for (Entry e : entries) {
      ask(e, REPORTED_EF, millis);
      if (e.prepared()) {
        ask(e, GRID[0], millis);
      }
    }
  }

  private void print(FilterCase filter, Map<Entry, List<SetResult.Cell>> cells) {
    context.out().printf("  %s: %s%n", filter.name(), filter.note());
    cells.forEach(
        (e, list) -> {
          context.out().printf("    %-26s", e.name());
          for (SetResult.Cell c : list) {
            context.out().printf(Locale.ROOT, "  ef %d: %.4f %.0f/s", c.ef(), c.recall(), c.best());
          }
          context.out().println();
        });
  }

  private void report(FilterCase filter, Map<Entry, List<SetResult.Cell>> cells, Report report) {
    String of = prefix + filter.name() + ".";
    cells.forEach(
        (e, list) -> {
          String form = prefix(e.form());
          for (SetResult.Cell c : list) {
            String at =
                prefix + e.contestant().name() + "." + filter.name() + "." + form + "ef" + c.ef();
            report.add(at + ".recall", c.recall(), "ratio");
            report.add(at + ".qps", c.best(), "1/s");
          }
        });
    for (AnnSystem.Form how : AnnSystem.Form.values()) {
      Predicate<Entry> ours = e -> e.ours() && e.form() == how;
      String form = prefix(how);
      cells.entrySet().stream()
          .filter(e -> ours.test(e.getKey()))
          .flatMap(e -> e.getValue().stream())
          .filter(c -> c.ef() == REPORTED_EF)
          .mapToDouble(SetResult.Cell::recall)
          .min()
          .ifPresent(least -> report.add(of + form + "recall", least, "ratio"));
      for (double recall : RECALLS) {
        Optional<Fastest> best = fastest(cells, ours, recall);
        Optional<Fastest> lucene = fastest(cells, e -> !e.ours(), recall);
        if (best.isPresent() && lucene.isPresent()) {
          double ratio = best.get().qps / lucene.get().qps;
          String at = recall == RECALLS[0] ? "" : AnnMetrics.at(recall) + ".";
          report.add(of + form + at + "qps_vs_lucene", ratio, "ratio");
          context
              .out()
              .printf(
                  Locale.ROOT,
                  "    at %s: %s %.0f/s, %s %.0f/s: %.2f x%n",
                  recall,
                  best.get().name,
                  best.get().qps,
                  lucene.get().name,
                  lucene.get().qps,
                  ratio);
        }
      }
    }
  }

  private static String word(AnnSystem.Form form) {
    return form.name().toLowerCase(Locale.ROOT);
  }

  /** Before the metrics of a form; none of the one that Lucene's is compared with. */
  private static String prefix(AnnSystem.Form form) {
    return form == AnnSystem.Form.PREPARED ? "" : word(form) + ".";
  }

  private record Fastest(String name, double qps) {}

  private static Optional<Fastest> fastest(
      Map<Entry, List<SetResult.Cell>> cells, Predicate<Entry> which, double recall) {
    Optional<Fastest> best = Optional.empty();
    for (Map.Entry<Entry, List<SetResult.Cell>> e : cells.entrySet()) {
      OptionalDouble qps =
          which.test(e.getKey()) ? curve(e.getValue()).qpsAt(recall) : OptionalDouble.empty();
      if (qps.isPresent() && (best.isEmpty() || qps.getAsDouble() > best.get().qps)) {
        best = Optional.of(new Fastest(e.getKey().name(), qps.getAsDouble()));
      }
    }
    return best;
  }

  private static Curve curve(List<SetResult.Cell> cells) {
    return new Curve(
        cells.stream().map(c -> new Curve.Point(c.ef(), c.recall(), c.best())).toList());
  }
}

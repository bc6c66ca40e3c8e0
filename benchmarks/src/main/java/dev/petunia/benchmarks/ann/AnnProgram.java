package dev.petunia.benchmarks.ann;

import dev.petunia.benchmarks.Options;
import dev.petunia.benchmarks.Program;
import dev.petunia.benchmarks.Report;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** Recall and speed of the vector index against hnswlib, Lucene and JVector. */
public final class AnnProgram implements Program {
  private final PrintStream out = System.out;

  @Override
  public String name() {
    return "ann";
  }

  @Override
  public String summary() {
    return "vector index against hnswlib, Lucene and JVector: build time, recall@10, queries/s";
  }

  @Override
  public List<String> help() {
    return AnnPlan.help();
  }

  @Override
  public void run(Options options, Report report) throws Exception {
    AnnPlan plan = AnnPlan.of(options);
    if (plan.data().isEmpty()) {
      out.println("No data folder is named (--data DIR or PETUNIA_DATA): using a generated set.");
    }
    for (String name : plan.sets()) {
      run(plan, AnnSets.load(plan.data(), name, plan.n(), plan.queries()), report);
    }
    out.println();
    for (Report.Metric m : AnnMetrics.headline(report)) {
      out.printf(Locale.ROOT, "%-45s %.3f %s%n", m.name(), m.value(), m.unit());
    }
  }

  private void run(AnnPlan plan, AnnSet set, Report report) throws Exception {
    out.printf(
        Locale.ROOT,
        "%nSet %s: %,d x %d, %,d queries (%s)%n",
        set.name(),
        set.base().length,
        set.dimension(),
        set.queries().length,
        set.note());
    out.printf(
        Locale.ROOT,
        "  M %d, efConstruction %d, k %d, builds with %d threads, searches with 1%n",
        AnnPlan.M,
        AnnPlan.EF_CONSTRUCTION,
        AnnPlan.K,
        plan.builds().threads());
    long start = System.nanoTime();
    ExactTruth truth = ExactTruth.of(set, AnnPlan.K, plan.builds().threads());
    out.printf(Locale.ROOT, "  exact search: %.1f s%n", (System.nanoTime() - start) / 1e9);
    compareWithGiven(set, truth);
    Path work = Files.createTempDirectory("petunia-ann-");
    List<SystemProcess> systems = new CopyOnWriteArrayList<>();
    Thread atExit =
        new Thread(() -> end(systems, work)); // an interrupted run leaves nothing behind
    Runtime.getRuntime().addShutdownHook(atExit);
    try {
      start(plan, work, systems);
      measure(new AnnContext(plan, set, truth, work, out), systems, report);
    } finally {
      if (remove(atExit)) {
        end(systems, work);
      }
    }
  }

  private void measure(AnnContext context, List<SystemProcess> systems, Report report)
      throws IOException {
    AnnPlan plan = context.plan();
    List<Contestant> all = new Building(context).run(systems);
    for (Part part : plan.parts()) {
      switch (part) {
        case CURVES -> {
          new Curves(context).measure(all);
          SetResult result =
              new SetResult(context.set().name(), all.stream().map(Contestant::row).toList());
          new AnnFigures(result, plan.rounds().cpuClock()).print(out);
          new AnnMetrics(result, plan.rounds().cpuClock()).addTo(report);
        }
        case SELF -> new SelfPart(context).run(all, report);
      }
    }
  }

  /** False when the JVM is ending and the hook does its work. */
  private static boolean remove(Thread hook) {
    try {
      return Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private static void end(List<SystemProcess> systems, Path work) {
    systems.forEach(SystemProcess::close);
    try {
      Folders.delete(work);
    } catch (IOException e) {
      System.err.println("could not delete " + work + ": " + e);
    }
  }

  private void start(AnnPlan plan, Path work, List<SystemProcess> systems)
      throws IOException, InterruptedException {
    for (String name : plan.systems()) {
      if (!name.equals(Systems.HNSWLIB)) {
        List<String> extra = Systems.isPetunia(name) ? plan.petuniaJvm() : List.of();
        systems.add(Systems.start(name, work, plan.heap(), extra));
        continue;
      }
      HnswlibCompiler.Result driver = HnswlibCompiler.compile(work);
      if (driver.program().isPresent()) {
        out.println("  hnswlib driver compiled with g++ " + driver.reason());
        List<String> command = List.of(driver.program().get().toString());
        systems.add(SystemProcess.start(name, command, work.resolve(name + ".err")));
      } else {
        out.println("  SKIPPED: hnswlib: " + driver.reason());
      }
    }
  }

  /** The truth that a set brings along must be the truth found here, but for equal distances. */
  private void compareWithGiven(AnnSet set, ExactTruth truth) {
    if (set.givenTruth().isEmpty()) {
      return;
    }
    int[][] given = set.givenTruth().get();
    for (int q = 0; q < set.queries().length; q++) {
      Set<Integer> ours = new HashSet<>();
      for (int row : truth.rows()[q]) {
        ours.add(row);
      }
      for (int r = 0; r < truth.k(); r++) {
        int row = given[q][r];
        double distance = ExactTruth.distance(set.queries()[q], set.base()[row]);
        if (!ours.contains(row) && distance > truth.kthDistance()[q] + Answers.TIE) {
          throw new IllegalStateException(
              "query " + q + ": the given truth has row " + row + ", exact search does not");
        }
      }
    }
    out.println("  exact search agrees with the truth that the set brings along");
  }
}

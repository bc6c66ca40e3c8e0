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
    Children children = new Children(plan, work, out);
    Thread atExit =
        new Thread(() -> end(children, work)); // an interrupted run leaves nothing behind
    Runtime.getRuntime().addShutdownHook(atExit);
    try {
      measure(new AnnContext(plan, set, truth, work, children, out), report);
    } finally {
      if (remove(atExit)) {
        end(children, work);
      }
    }
  }

  private void measure(AnnContext context, Report report) throws Exception {
    AnnPlan plan = context.plan();
    List<Contestant> all = new Building(context).run(plan.measured());
    metrics(context, all).addBuilds(report);
    Reopening reopening = new Reopening(context);
    for (Part part : plan.parts()) {
      switch (part) {
        case CURVES -> curves(context, all, report);
        case SELF -> new SelfPart(context).run(all, report);
        case MEMORY -> reopening.memory(all, report);
        case COLD -> reopening.cold(all, report);
        case FILTER -> new FilterPart(context).run(all, report);
        case SCALING -> {
          end(context, all);
          new ScalingPart(context).run(report, context.set().name().equals(plan.sets().getFirst()));
        }
        case MIXED -> {
          MixedPart mixed = new MixedPart(context);
          for (Contestant c : changed(context, all)) {
            mixed.run(c, report);
          }
        }
        case DELETES -> {
          DeletesPart deletes = new DeletesPart(context);
          for (Contestant c : changed(context, all)) {
            deletes.run(c, report);
          }
        }
      }
    }
  }

  /** Memory for the greatest sizes: what was measured so far is done. */
  private static void end(AnnContext context, List<Contestant> all) {
    all.forEach(c -> context.children().end(c.process()));
  }

  private static List<Contestant> changed(AnnContext context, List<Contestant> all) {
    return all.stream().filter(c -> context.plan().changed().contains(c.name())).toList();
  }

  private void curves(AnnContext context, List<Contestant> all, Report report) throws IOException {
    new Curves(context).measure(all);
    new AnnFigures(result(context, all), context.plan().rounds().cpuClock()).print(out);
    metrics(context, all).addCurves(report);
    if (context.plan().plots().isPresent()) {
      AnnSet set = context.set();
      Path file = context.plan().plots().get().resolve("recall-qps-" + set.name() + ".svg");
      String title =
          String.format(
              Locale.ROOT,
              "%s, %,d x %d: recall against speed",
              set.name(),
              set.base().length,
              set.dimension());
      Files.writeString(file, CurvePlot.svg(result(context, all), title));
      out.println("  drawn: " + file);
    }
  }

  private static AnnMetrics metrics(AnnContext context, List<Contestant> all) {
    return new AnnMetrics(result(context, all), context.plan().rounds().cpuClock());
  }

  private static SetResult result(AnnContext context, List<Contestant> all) {
    return new SetResult(context.set().name(), all.stream().map(Contestant::row).toList());
  }

  /** False when the JVM is ending and the hook does its work. */
  private static boolean remove(Thread hook) {
    try {
      return Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return false;
    }
  }

  private static void end(Children children, Path work) {
    children.close();
    try {
      Folders.delete(work);
    } catch (IOException e) {
      System.err.println("could not delete " + work + ": " + e);
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

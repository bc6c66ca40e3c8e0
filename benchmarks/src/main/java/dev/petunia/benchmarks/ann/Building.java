package dev.petunia.benchmarks.ann;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Loads the vectors into all systems and has them build.
 *
 * <p>Builds take turns, in reversed order each second time. A system that may take over another
 * one's index (see {@link Systems#sharedIndex}) does so when that one runs too: its build time is
 * that of the other plus what it adds itself, such as its codes.
 */
final class Building {
  private final AnnContext context;
  private final AnnPlan plan;

  Building(AnnContext context) {
    this.context = context;
    this.plan = context.plan();
  }

  /** Starts systems; afterwards they can be searched. */
  List<Contestant> run(List<String> names) throws IOException, InterruptedException {
    AnnSet set = context.set();
    VectorFiles.write(context.baseFile(), set.base());
    VectorFiles.write(context.queryFile(), set.queries());
    List<Contestant> all = new ArrayList<>();
    List<SystemProcess> systems = new ArrayList<>();
    for (String name : names) {
      context.children().start(name, "").ifPresent(systems::add);
    }
    for (SystemProcess s : systems) {
      s.load(
          context.baseFile(),
          set.base().length,
          set.dimension(),
          context.queryFile(),
          set.queries().length);
      Contestant c = Contestant.of(s);
      all.add(c);
      context.out().println("  " + s.name() + ": " + c.row().info());
    }
    List<Contestant> builders = all.stream().filter(c -> source(c, all).isEmpty()).toList();
    if (plan.builds().single()) {
      single(builders);
    }
    for (int round = 0; round < plan.builds().repeats(); round++) {
      List<Contestant> order = new ArrayList<>(builders);
      if (round % 2 == 1) {
        Collections.reverse(order);
      }
      for (Contestant c : order) {
        c.row().add(build(c, "build " + (round + 1), plan.builds().threads()));
      }
    }
    for (Contestant c : builders) {
      boolean reopened = Part.MEMORY.measures(c.name());
      if (reopened || all.stream().anyMatch(o -> source(o, all).filter(c::equals).isPresent())) {
        c.process().save(context.saved(c.name()));
      }
    }
    for (Contestant c : all) {
      Optional<Contestant> from = source(c, all);
      if (from.isPresent()) {
        takeOver(c, from.get());
      }
    }
    return all;
  }

  private static Optional<Contestant> source(Contestant c, List<Contestant> all) {
    return Systems.sharedIndex(c.name())
        .flatMap(name -> all.stream().filter(other -> other.name().equals(name)).findFirst());
  }

  /** Of this index and of hnswlib, before the builds that are searched. */
  private void single(List<Contestant> builders) throws IOException {
    for (Contestant c : builders) {
      if (c.name().equals(Systems.HNSWLIB) || Systems.isPetunia(c.name())) {
        c.row().single(build(c, "build alone", 1));
      }
    }
  }

  private SystemProcess.Build build(Contestant c, String what, int threads) throws IOException {
    SystemProcess.Build build = c.process().build(AnnPlan.M, AnnPlan.EF_CONSTRUCTION, threads);
    say(what, c, build, threads + (threads == 1 ? " thread" : " threads"));
    return build;
  }

  private void takeOver(Contestant c, Contestant from) throws IOException {
    SystemProcess.Build added =
        c.process()
            .restore(
                context.saved(from.name()),
                AnnPlan.M,
                AnnPlan.EF_CONSTRUCTION,
                plan.builds().threads());
    if (!c.name().equals(Systems.SCALAR)) { // which adds nothing: it has no build time
      from.row().builds().forEach(b -> c.row().add(b.plus(added)));
    }
    say("took over", c, added, "the index of " + from.name());
  }

  private void say(String what, Contestant c, SystemProcess.Build build, String how) {
    context
        .out()
        .printf(
            Locale.ROOT,
            "  %s: %-14s %7.1f s, processor time %7.1f s (%s)%n",
            what,
            c.name(),
            build.seconds(),
            build.cpuSeconds(),
            how);
  }
}

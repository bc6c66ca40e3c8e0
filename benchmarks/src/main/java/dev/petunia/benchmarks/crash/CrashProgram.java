package dev.petunia.benchmarks.crash;

import dev.petunia.benchmarks.Options;
import dev.petunia.benchmarks.Program;
import dev.petunia.benchmarks.Report;
import dev.petunia.benchmarks.ann.Folders;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;

/** Kills processes that commit, at random moments, and counts what is lost. */
public final class CrashProgram implements Program {
  private static final long SEED = 20_260_101;

  private final PrintStream out = System.out;

  @Override
  public String name() {
    return "crash";
  }

  @Override
  public String summary() {
    return "kills processes that commit to an index, at random moments, and counts what is lost";
  }

  @Override
  public List<String> help() {
    return List.of(
        "--runs N            kills (default 2000)",
        "--quick             100 kills",
        "--lanes N           directories that are worked on side by side (default 2)",
        "--least-ms N        soonest kill after a child is ready (default 20)",
        "--most-ms N         latest (default 300)",
        "--seed N            of the changes (default "
            + SEED
            + "); the moments of the kills differ",
        "--folder DIR        where the directories are made (default: the system's for such files)");
  }

  @Override
  public void run(Options options, Report report) throws Exception {
    int runs = options.number("runs", options.flag("quick") ? 100 : 2000, 1, 10_000_000);
    int lanes = options.number("lanes", 2, 1, 64);
    int least = options.number("least-ms", 20, 0, 60_000);
    int most = options.number("most-ms", Math.max(least, 300), least, 60_000);
    int seed = options.number("seed", (int) SEED, 0, Integer.MAX_VALUE);
    Path parent =
        options.text("folder").map(Path::of).orElse(Path.of(System.getProperty("java.io.tmpdir")));
    options.refuseUnread();
    if (!Files.isDirectory(parent)) {
      throw new IllegalArgumentException(
          "--folder is " + parent + ", allowed: a folder that exists");
    }
    Path folder = Files.createTempDirectory(parent, "petunia-crash-");
    long start = System.nanoTime();
    List<CrashLane> done =
        run(folder, Math.min(runs, lanes), runs, 1000L * least, 1000L * most, seed);
    report(done, folder, (System.nanoTime() - start) / 1e9, report);
  }

  private List<CrashLane> run(
      Path folder, int lanes, int runs, long leastMicros, long mostMicros, long seed)
      throws Exception {
    ChildJvm jvm = new ChildJvm(folder);
    if (!jvm.train()) {
      out.println("no class archive could be made: children start slower");
    }
    List<CrashLane> all = new ArrayList<>();
    try (ScheduledExecutorService killer = Executors.newSingleThreadScheduledExecutor();
        ExecutorService pool = Executors.newFixedThreadPool(lanes)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < lanes; i++) {
        int share = (int) ((long) runs * (i + 1) / lanes - (long) runs * i / lanes);
        CrashLane lane = new CrashLane(i, folder, jvm, killer, leastMicros, mostMicros, seed);
        all.add(lane);
        running.add(
            pool.submit(
                () -> {
                  lane.run(share);
                  return null;
                }));
      }
      for (Future<?> lane : running) {
        try {
          lane.get();
        } catch (ExecutionException e) {
          throw new IllegalStateException("a lane failed; its files are in " + folder, e);
        }
      }
    }
    return all;
  }

  private void report(List<CrashLane> lanes, Path folder, double seconds, Report report)
      throws Exception {
    int kills = lanes.stream().mapToInt(CrashLane::kills).sum();
    int commits = lanes.stream().mapToInt(CrashLane::commits).sum();
    int undecided = lanes.stream().mapToInt(CrashLane::undecided).sum();
    int opening = lanes.stream().mapToInt(CrashLane::whileOpening).sum();
    List<String> failures = lanes.stream().flatMap(l -> l.failures().stream()).toList();
    out.printf(
        Locale.ROOT,
        "%,d kills in %.0f s, %,d of them within a commit or compaction, %,d while opening; %,d"
            + " commits acknowledged%n%d lost or wrong%n",
        kills,
        seconds,
        undecided,
        opening,
        commits,
        failures.size());
    failures.forEach(out::println);
    report.add("ann.crash.runs", kills, "count");
    report.add("ann.crash.commits", commits, "count");
    report.add("ann.crash.kills_within_a_commit", undecided, "count");
    report.add("ann.crash.kills_while_opening", opening, "count");
    report.add("ann.crash.lost", failures.size(), "count");
    report.add("ann.crash.seconds", seconds, "s");
    if (failures.isEmpty()) {
      Folders.delete(folder);
    } else {
      out.println("the directories are kept in " + folder);
    }
  }
}

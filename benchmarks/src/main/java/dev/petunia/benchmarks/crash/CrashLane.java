package dev.petunia.benchmarks.crash;

import dev.petunia.hnsw.Quantization;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Kills children one after the other. Each opens what its predecessor left, is judged by it, and
 * works on; every so many kills a new directory with another quantisation is begun.
 */
class CrashLane {
  /** One in so many children is killed while it starts and opens, if it is not faster. */
  private static final int EARLY = 8;

  private static final long EARLY_MICROS = 250_000;

  /** Kills over one directory. */
  static final int KILLS_OF_A_DIRECTORY = 100;

  private final int lane;
  private final Path folder;
  private final ChildJvm jvm;
  private final ScheduledExecutorService killer;
  private final long leastMicros;
  private final long mostMicros;
  private final SplittableRandom random;

  private final List<String> failures = new ArrayList<>();
  private Path directory;
  private Quantization quantization = Quantization.NONE;
  private Journal journal = new Journal();
  private int directories;
  private int commits;
  private int undecided;
  private int whileOpening;
  private int kills;

  /**
   * @param lane a number; no two lanes share a directory
   * @param leastMicros the soonest kill after a child is ready
   * @param mostMicros the latest
   */
  CrashLane(
      int lane,
      Path folder,
      ChildJvm jvm,
      ScheduledExecutorService killer,
      long leastMicros,
      long mostMicros,
      long seed) {
    this.lane = lane;
    this.folder = folder;
    this.jvm = jvm;
    this.killer = killer;
    this.leastMicros = leastMicros;
    this.mostMicros = mostMicros;
    this.random = new SplittableRandom(seed + lane);
    this.directory = folder; // until renew
  }

  /** What is wrong, one line each. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  /** Commits that children had acknowledged. */
  int commits() {
    return commits + journal.commits();
  }

  /** Kills that met a commit or a compaction under way. */
  int undecided() {
    return undecided;
  }

  /** Kills that met a child before it was ready. */
  int whileOpening() {
    return whileOpening;
  }

  int kills() {
    return kills;
  }

  /** Kills so many children, and looks at what the last of them left. */
  void run(int wanted) throws IOException, InterruptedException {
    renew();
    while (kills < wanted) {
      boolean good = one(true);
      kills++;
      if (!good || kills % KILLS_OF_A_DIRECTORY == 0) {
        if (good) {
          one(false);
        }
        renew();
      }
    }
    one(false);
  }

  private void renew() {
    commits += journal.commits();
    journal = new Journal();
    List<Quantization> all = List.of(Quantization.values());
    quantization = all.get((lane + directories) % all.size());
    directory = folder.resolve("lane-" + lane + "-" + directories);
    directories++;
  }

  /**
   * One child.
   *
   * @param work whether it may work before it is killed; else only what it found counts
   * @return whether all is right so far
   */
  private boolean one(boolean work) throws IOException, InterruptedException {
    beforeChild(directory);
    long seed = random.nextLong();
    int before = failures.size();
    Path errors = folder.resolve("lane-" + lane + ".err");
    Process child = jvm.start(directory, quantization, seed, errors);
    boolean early = work && random.nextInt(EARLY) == 0;
    if (early) {
      kill(child, random.nextLong(EARLY_MICROS));
    }
    boolean opened = false;
    try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("open ")) {
          opened = true;
          judge(line);
          journal.start(seed);
          kill(child, work ? random.nextLong(leastMicros, mostMicros + 1) : 0);
        } else {
          hear(line);
        }
      }
    } finally {
      child.destroyForcibly();
    }
    int code = child.waitFor();
    whileOpening += opened ? 0 : 1;
    if ((!opened && !early) || code == 0 || code == 1) { // by SIGKILL it is 137
      fail("the child ended by itself, exit code " + code + ": " + Files.readString(errors));
    }
    undecided += opened && journal.undecided() ? 1 : 0;
    return failures.size() == before;
  }

  /** For tests that this finds what it should: the place to do damage. */
  void beforeChild(Path where) throws IOException {}

  private void judge(String line) {
    String[] words = line.split(" ", -1);
    Optional<String> wrong = journal.opened(Long.parseLong(words[1]), Long.parseLong(words[2]));
    wrong.ifPresent(this::fail);
  }

  private void hear(String line) {
    String[] words = line.split(" ", 2);
    switch (words[0]) {
      case "begin" -> journal.begin(Integer.parseInt(words[1]));
      case "done" -> journal.done(Long.parseLong(words[1]));
      default -> fail(line);
    }
  }

  private void kill(Process child, long micros) {
    // by the handle: the pipe stays readable to its end
    var _ =
        killer.schedule(() -> child.toHandle().destroyForcibly(), micros, TimeUnit.MICROSECONDS);
  }

  private void fail(String what) {
    failures.add(
        "lane %d, kill %d, %s, %s: %s".formatted(lane, kills, quantization, directory, what));
  }
}

package dev.petunia.benchmarks;

import dev.petunia.benchmarks.ann.AnnProgram;
import dev.petunia.benchmarks.crash.CrashProgram;
import dev.petunia.benchmarks.dedup.DedupProgram;
import dev.petunia.benchmarks.floor.FloorProgram;
import dev.petunia.benchmarks.rerank.RerankProgram;
import dev.petunia.benchmarks.rescore.RescoreProgram;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Starts a benchmark by name; {@code benchmarks/run} calls this with the right JVM flags. */
public final class Main {
  private static final List<Program> PROGRAMS =
      List.of(
          new AnnProgram(),
          new CrashProgram(),
          new RerankProgram(),
          new FloorProgram(),
          new DedupProgram(),
          new RescoreProgram());

  private static final Set<String> FLAGS =
      Set.of("quick", "help", "build1", "no-scalar", "cpu-clock", "fetch-tokenizer");

  private Main() {}

  /** Exits with 0 when the benchmark ran, 2 on wrong arguments, 1 when it failed. */
  public static void main(String[] args) {
    System.exit(run(List.of(args), System.out, System.err));
  }

  static int run(List<String> args, PrintStream out, PrintStream err) {
    if (args.isEmpty() || args.getFirst().equals("--help")) {
      list(out);
      return 0;
    }
    Optional<Program> found =
        PROGRAMS.stream().filter(p -> p.name().equals(args.getFirst())).findFirst();
    if (found.isEmpty()) {
      err.println("There is no benchmark \"" + args.getFirst() + "\".");
      list(err);
      return 2;
    }
    Program program = found.get();
    Report report = new Report(program.name());
    try {
      Options options = Options.parse(args.subList(1, args.size()), FLAGS);
      if (options.flag("help")) {
        help(program, out);
        return 0;
      }
      Optional<Path> json = options.text("json").map(Path::of);
      if (json.isPresent()) {
        requireFolder(json.get()); // before hours of work, not after
      }
      program.run(options, report);
      if (json.isPresent()) {
        report.write(json.get(), Machine.here());
        out.println("written: " + json.get());
      }
      return 0;
    } catch (IllegalArgumentException e) {
      err.println(e.getMessage());
      return 2;
    } catch (Exception e) {
      e.printStackTrace(err);
      return 1;
    }
  }

  private static void requireFolder(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file) || folder == null || !Files.isDirectory(folder)) {
      throw new IllegalArgumentException(
          "--json is " + file + ", allowed: a file in a folder that exists");
    }
  }

  private static void list(PrintStream to) {
    to.println("usage: benchmarks/run NAME [options]");
    for (Program p : PROGRAMS) {
      to.printf("  %-8s %s%n", p.name(), p.summary());
    }
    to.println("  jmh      micro-benchmarks of the parts (JMH; its own options, -h lists them)");
    to.println("benchmarks/run NAME --help lists the options of one.");
  }

  private static void help(Program program, PrintStream to) {
    to.println("benchmarks/run " + program.name() + ": " + program.summary());
    program.help().forEach(line -> to.println("  " + line));
    to.println("  --data DIR          the data folder; else PETUNIA_DATA; else a generated set");
    to.println("  --json FILE         also writes the figures as JSON");
  }
}

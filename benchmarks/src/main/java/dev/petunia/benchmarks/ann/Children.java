package dev.petunia.benchmarks.ann;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Starts the children of a run, and ends those that are left. */
final class Children implements AutoCloseable {
  private final AnnPlan plan;
  private final Path work;
  private final PrintStream out;
  private final List<SystemProcess> running = new CopyOnWriteArrayList<>();
  private Optional<HnswlibCompiler.Result> driver = Optional.empty();

  /**
   * @param work a folder that the caller deletes in the end
   */
  Children(AnnPlan plan, Path work, PrintStream out) {
    this.plan = plan;
    this.work = work;
    this.out = out;
  }

  /**
   * Starts a system.
   *
   * @param label tells apart the children of one system
   * @return empty when hnswlib can't be compiled here, which is said once
   */
  Optional<SystemProcess> start(String name, String label)
      throws IOException, InterruptedException {
    if (!name.equals(Systems.HNSWLIB)) {
      List<String> extra = Systems.isPetunia(name) ? plan.petuniaJvm() : List.of();
      return Optional.of(
          started(Systems.start(name, work.resolve(name + label), plan.heap(), extra)));
    }
    HnswlibCompiler.Result compiled = hnswlib();
    if (compiled.program().isEmpty()) {
      return Optional.empty();
    }
    List<String> command = List.of(compiled.program().get().toString());
    Path errors = work.resolve(name + label + ".err");
    return Optional.of(started(SystemProcess.start(name, command, errors)));
  }

  private SystemProcess started(SystemProcess process) {
    running.add(process);
    return process;
  }

  private HnswlibCompiler.Result hnswlib() throws IOException, InterruptedException {
    if (driver.isEmpty()) {
      HnswlibCompiler.Result result = HnswlibCompiler.compile(work);
      out.println(
          result.program().isPresent()
              ? "  hnswlib driver compiled with g++ " + result.reason()
              : "  SKIPPED: hnswlib: " + result.reason());
      driver = Optional.of(result);
    }
    return driver.get();
  }

  /** Ends one. */
  void end(SystemProcess process) {
    process.close();
    running.remove(process);
  }

  @Override
  public void close() {
    running.forEach(SystemProcess::close);
    running.clear();
  }
}

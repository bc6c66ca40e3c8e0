package dev.petunia.benchmarks.rerank;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What all parts of a run share.
 *
 * @param work a folder for what doesn't outlive the run
 * @param children those that are alive
 */
record RerankContext(
    RerankPlan plan, ScorerSetup setup, Path work, PrintStream out, List<ScorerProcess> children) {
  RerankContext(RerankPlan plan, ScorerSetup setup, Path work, PrintStream out) {
    this(plan, setup, work, out, new ArrayList<>());
  }

  /** A child with these texts. */
  ScorerProcess start(ScorerKind kind, ScorerSetup with, PairTexts texts) throws IOException {
    ScorerProcess child = ScorerProcess.start(kind, with, work);
    synchronized (children) {
      children.add(child);
    }
    child.texts(texts, work);
    return child;
  }

  /** Ends those that are still there. */
  void end() {
    synchronized (children) {
      children.forEach(ScorerProcess::close);
      children.clear();
    }
  }
}

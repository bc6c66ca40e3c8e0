package dev.petunia.benchmarks.dedup;

import dev.petunia.dedup.RescoreCandidate;
import dev.petunia.dedup.RescoreResult;
import dev.petunia.dedup.Rescored;
import dev.petunia.dedup.Rescorer;
import dev.petunia.dedup.ShingleSet;
import dev.petunia.dedup.Shingler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** What the Jaccard rescore of 100 candidates costs a question that is a whole chunk. */
final class RescorePart implements DedupPart {
  private static final int QUESTIONS = 300;
  private static final int CANDIDATES = 100;

  @Override
  public String name() {
    return "rescore100";
  }

  /** A question, and its candidates. */
  private record Task(ShingleSet query, List<RescoreCandidate> candidates) {}

  @Override
  public void run(DedupContext c) throws Exception {
    Corpus corpus = c.corpora().longer();
    List<ShingleSet> sets = new ArrayList<>();
    for (String text : corpus.texts()) {
      ShingleSet set = Shingler.v1().shingles(text);
      if (set.size() >= 120 && set.size() <= 200) {
        sets.add(set);
      }
    }
    SplittableRandom random = new SplittableRandom(13);
    List<Task> tasks = new ArrayList<>();
    for (int q = 0; q < QUESTIONS; q++) {
      List<RescoreCandidate> candidates = new ArrayList<>();
      for (int i = 0; i < CANDIDATES; i++) {
        candidates.add(
            new RescoreCandidate(
                "candidate-" + i, 1.0 / (61 + i), sets.get(random.nextInt(sets.size()))));
      }
      tasks.add(new Task(sets.get(random.nextInt(sets.size())), candidates));
    }
    tasks.forEach(RescorePart::check);
    double seconds =
        CpuTime.best(
            c.isQuick() ? 5 : 40,
            () -> {
              for (Task t : tasks) {
                if (Rescorer.v1().rescore(t.query(), t.candidates()).ranked().size() < 100) {
                  throw new IllegalStateException("candidates are missing");
                }
              }
            });
    double micros = seconds / QUESTIONS * 1e6;
    c.print(
        "%nrescore: 100 candidates of 120 to 200 shingles (%s), 300 questions: %.1f us each%n",
        corpus.name(), micros);
    c.add("rescore100_us", micros, "us");
  }

  /** The overlaps that it ranks by must be those of plain merges. */
  private static void check(Task task) {
    RescoreResult result = Rescorer.v1().rescore(task.query(), task.candidates());
    Map<String, ShingleSet> byId = new HashMap<>();
    for (RescoreCandidate candidate : task.candidates()) {
      ShingleSet set = candidate.shingles();
      if (set != null) {
        byId.put(candidate.id(), set);
      }
    }
    for (Rescored r : result.ranked()) {
      ShingleSet set = byId.get(r.id());
      if (set == null || !r.overlap().orElseThrow().equals(task.query().overlap(set))) {
        throw new IllegalStateException("another overlap than by merging: " + r);
      }
    }
  }
}

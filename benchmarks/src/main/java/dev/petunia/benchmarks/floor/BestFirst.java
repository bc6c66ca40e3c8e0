package dev.petunia.benchmarks.floor;

import dev.petunia.benchmarks.floor.IrSet.Judged;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * What the order of the cross-encoder's queue is worth when time ends early. The scorer is made up:
 * 1 for a relevant passage, 0 for another, plus normal noise of standard deviation {@value #NOISE}.
 * A passage costs its length. Until a share of the pool's cost is spent passages are scored in some
 * order; the floor is then the 28 best: what was scored by score, the rest in the order of fusion.
 */
final class BestFirst {
  static final double NOISE = 0.3;
  static final int FLOOR = 28;

  /** Orders in which the queue is taken. */
  enum Order {
    /** As fused: what the library does. */
    BEST_FIRST,
    /** As the vector search gave them, then the others by id. */
    POOL,
    /** Shuffled. */
    RANDOM,
    /** The relevant ones first: nobody can know them. */
    ORACLE
  }

  /** A candidate of a question's pool: place in fusion, place in the vector search (or large). */
  record Candidate(String id, int fused, int dense, int length) {}

  private BestFirst() {}

  /** Mean recall of the floor. */
  static double recall(
      List<Judged> questions, List<List<Candidate>> pools, Order order, double share) {
    double sum = 0;
    for (int q = 0; q < questions.size(); q++) {
      sum += recall(questions.get(q).gains(), pools.get(q), order, share, q);
    }
    return sum / questions.size();
  }

  private static double recall(
      Map<String, Integer> gains, List<Candidate> pool, Order order, double share, int seed) {
    List<Candidate> queue = new ArrayList<>(pool);
    switch (order) {
      case BEST_FIRST -> queue.sort(Comparator.comparingInt(Candidate::fused));
      case POOL ->
          queue.sort(Comparator.comparingInt(Candidate::dense).thenComparing(Candidate::id));
      case RANDOM -> Collections.shuffle(queue, new Random(seed));
      case ORACLE ->
          queue.sort(
              Comparator.comparing((Candidate c) -> !gains.containsKey(c.id()))
                  .thenComparing(Candidate::fused));
    }
    double budget = share * pool.stream().mapToDouble(Candidate::length).sum();
    List<Candidate> scored = new ArrayList<>();
    List<Candidate> rest = new ArrayList<>();
    for (Candidate c : queue) {
      budget -= c.length();
      (budget >= 0 && rest.isEmpty() ? scored : rest).add(c);
    }
    scored.sort(Comparator.comparingDouble(c -> -score(gains, c.id(), seed)));
    rest.sort(Comparator.comparingInt(Candidate::fused));
    scored.addAll(rest);
    return IrMetrics.recall(scored.stream().map(Candidate::id).toList(), gains, FLOOR);
  }

  /** The made-up score; a passage has the same one whenever it is scored. */
  static double score(Map<String, Integer> gains, String id, int seed) {
    double noise = new SplittableRandom(seed * 31L + id.hashCode()).nextGaussian();
    return (gains.containsKey(id) ? 1 : 0) + NOISE * noise;
  }
}

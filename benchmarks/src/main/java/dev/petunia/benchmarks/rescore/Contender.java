package dev.petunia.benchmarks.rescore;

import dev.petunia.dedup.RescoreCandidate;
import dev.petunia.dedup.RescoreConfig;
import dev.petunia.dedup.Rescored;
import dev.petunia.dedup.Rescorer;
import java.util.List;
import java.util.Optional;

/**
 * A way to order candidates.
 *
 * @param label for tables
 * @param key in the names of figures
 * @param config of the rescorer; empty: rank fusion as it is
 */
record Contender(String label, String key, Optional<RescoreConfig> config) {
  static final Contender RRF = new Contender("RRF", "rrf", Optional.empty());

  static final Contender J = new Contender("+J", "j", Optional.of(RescoreConfig.DEFAULT));

  static final Contender JC =
      new Contender("+J+C", "jc", Optional.of(RescoreConfig.DEFAULT.withContainment(true)));

  List<String> order(Asked asked) {
    return config
        .map(
            c ->
                new Rescorer(c)
                    .rescore(asked.shingles(), asked.pool()).ranked().stream()
                        .map(Rescored::id)
                        .toList())
        .orElseGet(() -> asked.pool().stream().map(RescoreCandidate::id).toList());
  }
}

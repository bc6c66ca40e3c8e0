package dev.petunia.retriever;

import dev.petunia.dedup.RescoreCandidate;
import dev.petunia.dedup.RescoreConfig;
import dev.petunia.dedup.RescoreResult;
import dev.petunia.dedup.Rescored;
import dev.petunia.dedup.Rescorer;
import dev.petunia.dedup.ShingleSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A fused ranking, ordered anew by how similar the question's words are to each passage's.
 *
 * @param ranked the new order
 * @param facts by id, of those that were rescored
 * @param heads how many at its beginning are so similar that they head the floor, whatever the
 *     cross-encoder says
 * @param note what could not be compared; empty when all could
 */
record Rescoring(
    List<Rrf.Fused> ranked, Map<String, Rescored> facts, int heads, Optional<String> note) {

  static Rescoring none(List<Rrf.Fused> ranked) {
    return new Rescoring(ranked, Map.of(), 0, Optional.empty());
  }

  static Rescoring of(
      RescoreConfig config, Shingles shingles, String question, List<Rrf.Fused> ranked) {
    ShingleSet query = shingles.of(question);
    if (query.isEmpty()) {
      return none(ranked); // similar to nothing
    }
    List<Rrf.Fused> first = ranked.subList(0, Math.min(config.limit(), ranked.size()));
    Map<String, ShingleSet> sets = shingles.read(first.stream().map(Rrf.Fused::id).toList());
    Map<String, Rrf.Fused> byId = HashMap.newHashMap(first.size());
    List<RescoreCandidate> candidates = new ArrayList<>(first.size());
    for (Rrf.Fused f : first) {
      byId.put(f.id(), f);
      candidates.add(new RescoreCandidate(f.id(), f.value(), sets.get(f.id())));
    }
    RescoreResult result = new Rescorer(config).rescore(query, candidates);
    shingles.note(result.stale());
    shingles.note(result.missing());
    List<Rrf.Fused> order = new ArrayList<>(ranked.size());
    Map<String, Rescored> facts = HashMap.newHashMap(first.size());
    int heads = 0;
    for (Rescored r : result.ranked()) {
      Rrf.Fused f = byId.get(r.id());
      if (f == null) {
        throw new AssertionError(r.id() + " is a candidate");
      }
      order.add(f);
      facts.put(r.id(), r);
      heads += r.detail().filter(d -> d.tier() != Rescored.Tier.FUSED).isPresent() ? 1 : 0;
    }
    order.addAll(ranked.subList(first.size(), ranked.size()));
    int uncompared = result.stale().size() + result.missing().size();
    return new Rescoring(
        order,
        facts,
        heads,
        uncompared == 0
            ? Optional.empty()
            : Optional.of(
                uncompared
                    + " candidates have no shingles of this version and count as not similar; the"
                    + " next change makes them anew"));
  }
}

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

/**
 * A fused ranking, ordered anew by how similar the question's words are to each passage's.
 *
 * @param ranked the new order
 * @param facts by id, of those that were rescored
 * @param heads how many at its beginning are so similar that they head the floor, whatever the
 *     cross-encoder says
 * @param notes what could not be compared, and a tier that was left out
 */
record Rescoring(
    List<Rrf.Fused> ranked, Map<String, Rescored> facts, int heads, List<String> notes) {

  static Rescoring none(List<Rrf.Fused> ranked) {
    return new Rescoring(ranked, Map.of(), 0, List.of());
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
    List<String> notes = new ArrayList<>();
    int uncompared = result.stale().size() + result.missing().size();
    if (uncompared > 0) {
      notes.add(
          uncompared
              + " candidates have no shingles of this version and count as not similar; the next"
              + " change makes them anew");
    }
    if (result.isBoilerplateQuery()) {
      notes.add("more than 20 candidates contain the question, so none is put first for that");
    }
    return new Rescoring(order, facts, heads, notes);
  }
}

package dev.petunia.retriever;

import dev.petunia.retriever.Duplicates.Standing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Takes near-duplicates out of rankings: of chunks for which the same one stands, the best stays,
 * and those whose place the conversation has served already go.
 */
final class Collapse {
  private final Duplicates duplicates;
  private final boolean isOn;
  private final Collection<String> served;
  private final Map<String, List<String>> behind = new HashMap<>();
  private int dropped;

  /**
   * For one request.
   *
   * @param isOn false: every ranking stays as it is
   * @param served chunks that may not come again, nor their near-duplicates
   */
  Collapse(Duplicates duplicates, boolean isOn, Collection<String> served) {
    this.duplicates = duplicates;
    this.isOn = isOn;
    this.served = served;
  }

  /**
   * The ranking without near-duplicates of what is before them in it, or was served.
   *
   * @param text of a chunk of the ranking as it was found
   */
  List<Rrf.Fused> of(List<Rrf.Fused> ranked, UnaryOperator<@Nullable String> text) {
    behind.clear();
    dropped = 0;
    if (!isOn || duplicates.index().isEmpty()) {
      return ranked;
    }
    Standing standing = standing(ranked.stream().map(Rrf.Fused::id).toList());
    Map<String, String> standIns = standing.standIns();
    Set<String> servedPlaces = servedPlaces(standIns);
    Map<String, String> best = new HashMap<>(); // by what stands for it
    Map<String, String> firstOf = new HashMap<>(); // by text
    List<Rrf.Fused> kept = new ArrayList<>(ranked.size());
    for (Rrf.Fused f : ranked) {
      String place = standIns.getOrDefault(f.id(), f.id());
      if (servedPlaces.contains(place) || standing.gone().contains(f.id())) {
        dropped++;
        continue;
      }
      String before = best.putIfAbsent(place, f.id());
      if (before == null) {
        before = twin(f.id(), text.apply(f.id()), standing, firstOf);
      }
      if (before == null) {
        kept.add(f);
      } else {
        dropped++;
        behind.computeIfAbsent(before, ignored -> new ArrayList<>()).add(f.id());
      }
    }
    return kept;
  }

  /**
   * The chunk before this one that was found with the same text and is not known to be its
   * near-duplicate: one of them is being replaced just now, and what is known is of its other text.
   */
  private static @Nullable String twin(
      String id, @Nullable String text, Standing standing, Map<String, String> firstOf) {
    String twin = text == null || text.isBlank() ? null : firstOf.putIfAbsent(text, id);
    if (twin == null) {
      return null;
    }
    String canonical = standing.canonicals().get(id);
    boolean isKnown = canonical != null && canonical.equals(standing.canonicals().get(twin));
    return isKnown ? null : twin;
  }

  private Standing standing(List<String> ids) {
    Set<String> all = new HashSet<>(ids);
    all.addAll(served);
    return duplicates.standing(all);
  }

  private Set<String> servedPlaces(Map<String, String> standIns) {
    Set<String> places = new HashSet<>();
    served.forEach(id -> places.add(standIns.getOrDefault(id, id)));
    return places;
  }

  /** Of a chunk in the last ranking: those that were taken out because of it, best first. */
  List<String> behind(String id) {
    return behind.getOrDefault(id, List.of());
  }

  /** How many were taken out of the last ranking. */
  int dropped() {
    return dropped;
  }

  /** Those of the chunks that were served, or for which the same stands as for one that was. */
  Set<String> servedAmong(List<String> ids) {
    Map<String, String> standIns = isOn ? standing(ids).standIns() : Map.of();
    Set<String> places = servedPlaces(standIns);
    Set<String> out = new HashSet<>();
    for (String id : ids) {
      if (places.contains(standIns.getOrDefault(id, id))) {
        out.add(id);
      }
    }
    return out;
  }
}

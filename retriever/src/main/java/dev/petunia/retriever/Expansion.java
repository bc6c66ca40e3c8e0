package dev.petunia.retriever;

import dev.petunia.core.CandidateSource;
import dev.petunia.core.CandidateSource.Candidate;
import dev.petunia.core.CandidateSource.Field;
import dev.petunia.core.CandidateSource.Item;
import dev.petunia.core.CandidateSource.Lexical;
import dev.petunia.core.CandidateSource.Pools;
import dev.petunia.core.CandidateSource.Request;
import dev.petunia.core.Chunk;
import dev.petunia.core.Deadline;
import dev.petunia.core.Filter;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.internal.Checks;
import dev.petunia.lexical.LexicalIndex;
import dev.petunia.retriever.FloorPassage.Relation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Candidates that are related to the best ones: those beside them in their entries, and the best
 * answers of the entries that theirs link to. A list of its own for fusion: a candidate that is
 * found again this way rises.
 */
final class Expansion {
  private static final Set<Field> FIELDS = Set.of(Field.TEXT, Field.ATTRIBUTES);

  private final FloorOptions options;
  private final CandidateSource source;
  private final LexicalIndex texts;
  private final Map<String, Relation> relations = new LinkedHashMap<>();
  private final Map<String, Item> items = new LinkedHashMap<>();
  private final Set<String> leftOut = new HashSet<>();

  Expansion(FloorOptions options, CandidateSource source, LexicalIndex texts) {
    this.options = options;
    this.source = source;
    this.texts = texts;
  }

  /** How each candidate is related, in order of rank. */
  Map<String, Relation> relations() {
    return relations;
  }

  Map<String, Item> items() {
    return items;
  }

  /**
   * Finds them.
   *
   * @param from the best candidates, best first
   * @param dense the request's vector query, null without one
   * @param lexical its text query, null without one
   */
  void expand(List<Item> from, @Nullable VectorQuery dense, @Nullable Lexical lexical) {
    if (options.neighbours() > 0) {
      // links have half of the room when both are asked for: else neighbours would leave them none
      int most =
          options.linksAttribute().isPresent()
              ? (options.expansionPool() + 1) / 2
              : options.expansionPool();
      Filter filter =
          dense != null
              ? dense.filter().orElse(null)
              : lexical != null ? lexical.filter().orElse(null) : null;
      Collection<String> excluded = lexical != null ? lexical.exclude() : excluded(dense);
      for (Item item : from) {
        neighbours(item, filter, excluded, most);
      }
    }
    if (options.linksAttribute().isPresent()) {
      linked(from, options.linksAttribute().get(), dense, lexical);
    }
  }

  private static Collection<String> excluded(@Nullable VectorQuery dense) {
    return dense == null
        ? Set.of()
        : dense.diversify().map(d -> Set.copyOf(d.against())).orElse(Set.of());
  }

  /** What was left out because the room was too small, for people; empty when nothing was. */
  Optional<String> leftOut() {
    return leftOut.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "expansion had no room for "
                + leftOut.size()
                + " chunks or linked entries, since expansionPool is "
                + options.expansionPool());
  }

  private void neighbours(
      Item item, @Nullable Filter filter, Collection<String> excluded, int most) {
    // reads the texts of the near ones only: an entry may have thousands of chunks
    for (Chunk c : texts.neighbours(item.id(), options.neighbours(), options.neighbours())) {
      if (!excluded.contains(c.id()) && (filter == null || filter.matches(c))) {
        add(EmbeddedSource.item(c), new Relation(Relation.Kind.NEIGHBOUR, item.id()), most);
      }
    }
  }

  private void add(Item item, Relation relation, int most) {
    if (relations.containsKey(item.id())) {
      return;
    }
    if (relations.size() >= most) {
      leftOut.add(item.id());
      return;
    }
    relations.put(item.id(), relation);
    items.putIfAbsent(item.id(), item);
  }

  private void linked(
      List<Item> from, String attribute, @Nullable VectorQuery dense, @Nullable Lexical lexical) {
    Map<String, String> linkedFrom = new LinkedHashMap<>(); // entry -> the candidate that links
    for (Item item : from) {
      Map<String, Object> attributes = item.attributes();
      Object links = attributes == null ? null : attributes.get(attribute);
      List<?> list =
          links instanceof List<?> l ? l : links instanceof String s ? List.of(s) : List.of();
      for (Object entry : list) {
        if (!entry.equals(item.entryId()) && !((String) entry).isEmpty()) {
          linkedFrom.putIfAbsent((String) entry, item.id());
        }
      }
    }
    int room = options.expansionPool() - relations.size();
    if (linkedFrom.isEmpty()) {
      return;
    }
    if (room <= 0) {
      linkedFrom.keySet().forEach(entry -> leftOut.add("entry " + entry));
      return;
    }
    VectorQuery vector = null;
    if (dense != null) {
      vector =
          dense.toBuilder().limit(room).filter(within(dense.filter(), linkedFrom.keySet())).build();
    }
    Lexical words = null;
    if (dense == null && lexical != null) {
      words =
          new Lexical(
              lexical.text(),
              Optional.of(within(lexical.filter(), linkedFrom.keySet())),
              lexical.exclude(),
              room,
              0);
    }
    Pools pools = source.candidates(new Request(vector, words, FIELDS, Deadline.NONE, Set.of()));
    List<Candidate> found = new ArrayList<>(pools.dense());
    found.addAll(pools.lexical());
    for (Candidate c : found) {
      String origin = linkedFrom.get(c.item().entryId());
      if (origin != null) {
        add(c.item(), new Relation(Relation.Kind.LINKED, origin), options.expansionPool());
      }
    }
  }

  /**
   * Refuses what would fail as soon as a candidate has links, so that it does not depend on them.
   *
   * @throws IllegalArgumentException that names the field, the value and what is allowed
   */
  static void requireFits(FloorOptions options, Optional<Filter> filter, int maxEf) {
    if (options.linksAttribute().isPresent()) {
      if (options.expansionPool() > maxEf) {
        throw Checks.bad("expansionPool", options.expansionPool(), "1 to maxEf, " + maxEf);
      }
      Filter ignored = within(filter, Set.of("any"));
    }
  }

  /** A filter, in these entries. */
  private static Filter within(Optional<Filter> filter, Set<String> entries) {
    Filter in = new Filter.In("entryId", List.copyOf(entries));
    return filter.<Filter>map(f -> new Filter.And(List.of(f, in))).orElse(in);
  }
}

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
import dev.petunia.lexical.LexicalIndex;
import dev.petunia.retriever.FloorPassage.Relation;
import java.util.ArrayList;
import java.util.Collection;
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
      Filter filter =
          dense != null
              ? dense.filter().orElse(null)
              : lexical != null ? lexical.filter().orElse(null) : null;
      Collection<String> excluded = lexical != null ? lexical.exclude() : excluded(dense);
      for (Item item : from) {
        neighbours(item, filter, excluded);
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

  private boolean full() {
    return relations.size() >= options.expansionPool();
  }

  private void neighbours(Item item, @Nullable Filter filter, Collection<String> excluded) {
    for (Chunk c : texts.entry(item.entryId())) {
      int away = Math.abs(c.ordinal() - item.ordinal());
      if (away > 0
          && away <= options.neighbours()
          && !full()
          && !excluded.contains(c.id())
          && (filter == null || filter.matches(c))) {
        add(EmbeddedSource.item(c), new Relation(Relation.Kind.NEIGHBOUR, item.id()));
      }
    }
  }

  private void add(Item item, Relation relation) {
    relations.putIfAbsent(item.id(), relation);
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
    if (linkedFrom.isEmpty() || room <= 0) {
      return;
    }
    Filter entries = new Filter.In("entryId", List.copyOf(linkedFrom.keySet()));
    VectorQuery vector = null;
    if (dense != null) {
      vector =
          dense.toBuilder()
              .limit(room)
              .filter(dense.filter().map(f -> and(f, entries)).orElse(entries))
              .build();
    }
    Lexical words = null;
    if (dense == null && lexical != null) {
      words =
          new Lexical(
              lexical.text(),
              Optional.of(lexical.filter().map(f -> and(f, entries)).orElse(entries)),
              lexical.exclude(),
              room,
              0);
    }
    Pools pools = source.candidates(new Request(vector, words, FIELDS, Deadline.NONE, Set.of()));
    List<Candidate> found = new ArrayList<>(pools.dense());
    found.addAll(pools.lexical());
    for (Candidate c : found) {
      String origin = linkedFrom.get(c.item().entryId());
      if (origin != null && !full()) {
        add(c.item(), new Relation(Relation.Kind.LINKED, origin));
      }
    }
  }

  private static Filter and(Filter a, Filter b) {
    return new Filter.And(List.of(a, b));
  }
}

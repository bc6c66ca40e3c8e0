package dev.petunia.retriever;

import dev.petunia.core.CandidateSource;
import dev.petunia.core.Chunk;
import dev.petunia.core.Hit;
import dev.petunia.core.SearchResult;
import dev.petunia.core.SearchTrace;
import dev.petunia.core.internal.Checks;
import dev.petunia.hnsw.HnswIndex;
import dev.petunia.lexical.LexicalHit;
import dev.petunia.lexical.LexicalIndex;
import dev.petunia.lexical.LexicalQuery;
import dev.petunia.lexical.RareTerm;
import dev.petunia.lexical.RareTermCandidates;
import dev.petunia.lexical.RareTermCandidates.RareTermHit;
import dev.petunia.lexical.RareTermOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The embedded indexes as a source of candidates. A chunk deleted while a request runs is left out.
 */
final class EmbeddedSource implements CandidateSource {
  private final HnswIndex vectors;
  private final LexicalIndex texts;
  private final RareTermOptions rareTerms;

  EmbeddedSource(HnswIndex vectors, LexicalIndex texts, RareTermOptions rareTerms) {
    this.vectors = vectors;
    this.texts = texts;
    this.rareTerms = rareTerms;
  }

  /** A chunk as an item with text and attributes. */
  @SuppressWarnings("NullAway") // as in fetch
  static Item item(Chunk c) {
    return new Item(c.id(), c.entryId(), c.ordinal(), null, c.text(), c.attributes());
  }

  /** The chunk of an item that brought text and attributes. */
  static Chunk chunk(Item item) {
    String text = item.text();
    Map<String, Object> attributes = item.attributes();
    return new Chunk(
        item.id(),
        item.entryId(),
        item.ordinal(),
        text == null ? "" : text,
        attributes == null ? Map.of() : attributes);
  }

  @Override
  public Capabilities capabilities() {
    Map<Primitive, Fidelity> fidelity = new EnumMap<>(Primitive.class);
    for (Primitive p : Primitive.values()) {
      fidelity.put(p, Fidelity.NATIVE);
    }
    fidelity.put(Primitive.DEADLINE, Fidelity.UNSUPPORTED);
    return new Capabilities(
        "embedded",
        "1",
        vectors.similarity(),
        vectors.dimension(),
        fidelity,
        Map.of(
            Primitive.DEADLINE,
            "a search of the embedded indexes runs to its end; it takes milliseconds"));
  }

  @Override
  public Pools candidates(Request request) {
    SearchTrace trace = null;
    List<Candidate> dense = List.of();
    if (request.dense() != null) {
      SearchResult result = vectors.search(request.dense());
      trace = result.trace();
      List<String> ids = new ArrayList<>();
      Map<String, Hit> hits = new HashMap<>();
      for (Hit h : result.hits()) {
        ids.add(h.id());
        hits.put(h.id(), h);
      }
      dense = candidates(ids, hits, request.fields());
    }
    List<Candidate> lexical = List.of();
    List<Candidate> rare = List.of();
    List<String> terms = List.of();
    Lexical l = request.lexical();
    List<String> notes = new ArrayList<>();
    if (l != null) {
      lexical =
          candidates(
              texts.search(query(l, l.pool())).stream().map(LexicalHit::id).toList(),
              null,
              request.fields());
      if (l.rareTermPool() > 0) {
        RareTermCandidates found = texts.rareTermCandidates(query(l, l.rareTermPool()), rareTerms);
        rare =
            candidates(found.hits().stream().map(RareTermHit::id).toList(), null, request.fields());
        terms = found.terms().stream().map(RareTerm::term).toList();
        if (found.termsLeftOut() > 0) {
          notes.add(found.termsLeftOut() + " rare terms of the query were left out");
        }
      }
    }
    return new Pools(dense, lexical, rare, terms, new Provenance(false, trace, Map.of(), notes));
  }

  private static LexicalQuery query(Lexical l, int limit) {
    return LexicalQuery.builder(l.text())
        .filter(l.filter())
        .exclude(l.exclude())
        .limit(limit)
        .build();
  }

  private List<Candidate> candidates(
      List<String> ids, @Nullable Map<String, Hit> hits, Set<Field> fields) {
    List<Candidate> list = new ArrayList<>(ids.size());
    for (Item item : fetch(ids, fields)) {
      list.add(new Candidate(list.size() + 1, hits == null ? null : hits.get(item.id()), item));
    }
    return list;
  }

  @Override
  @SuppressWarnings("NullAway") // does not see "float @Nullable []" of a record in another module
  public List<Item> fetch(Collection<String> ids, Set<Field> fields) {
    Checks.present("ids", ids);
    List<Item> items = new ArrayList<>(ids.size());
    for (Chunk c : texts.get(ids)) {
      items.add(
          new Item(
              c.id(),
              c.entryId(),
              c.ordinal(),
              fields.contains(Field.VECTOR) ? vectors.vector(c.id()) : null,
              fields.contains(Field.TEXT) ? c.text() : null,
              fields.contains(Field.ATTRIBUTES) ? c.attributes() : null));
    }
    return items;
  }

  @Override
  public TermStats termStats(Collection<String> terms) {
    return texts.termStats(terms);
  }

  /** The indexes belong to the retriever, which closes them. */
  @Override
  public void close() {}
}

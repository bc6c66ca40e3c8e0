package dev.petunia.core;

import static dev.petunia.core.testing.Expect.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.petunia.core.CandidateSource.Candidate;
import dev.petunia.core.CandidateSource.Capabilities;
import dev.petunia.core.CandidateSource.Fidelity;
import dev.petunia.core.CandidateSource.Field;
import dev.petunia.core.CandidateSource.Item;
import dev.petunia.core.CandidateSource.Lexical;
import dev.petunia.core.CandidateSource.Pools;
import dev.petunia.core.CandidateSource.Primitive;
import dev.petunia.core.CandidateSource.Provenance;
import dev.petunia.core.CandidateSource.Request;
import dev.petunia.core.CandidateSource.TermStats;
import dev.petunia.core.CandidateSource.UnsupportedPrimitiveException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked // nulls are among the bad values
class CandidateSourceTest {
  private static final VectorQuery DENSE = VectorQuery.builder(new float[] {1, 0}).build();
  private static final Provenance HOW = new Provenance(false, null, Map.of(), List.of());

  private static Lexical lexical(Set<String> exclude) {
    return new Lexical("words", Optional.empty(), exclude, 10, 0);
  }

  private static Item item(String id) {
    return new Item(id, "e", 0, null, null, null);
  }

  @Test
  void aRequestAsksOneChannelOrBoth() {
    Lexical words = lexical(Set.of());
    Set<Field> both = Set.of(Field.TEXT, Field.ATTRIBUTES);
    assertEquals(both, new Request(DENSE, null).fields());
    assertSame(Deadline.NONE, new Request(null, words).deadline());
    refused("dense and lexical", "null", "one of the two, or both", () -> new Request(null, null));
    Set<Primitive> none = Set.of();
    refused(
        "fields", "null", "a value", () -> new Request(DENSE, words, null, Deadline.NONE, none));
    refused(
        "fields[]",
        "null",
        "a value",
        () -> new Request(DENSE, words, Collections.singleton(null), Deadline.NONE, none));
    refused("deadline", "null", "a value", () -> new Request(DENSE, words, both, null, none));
    refused(
        "mayBeWeaker",
        "null",
        "a value",
        () -> new Request(DENSE, null, both, Deadline.NONE, null));
  }

  @Test
  void requestsCopyTheirSets() {
    Set<Field> fields = EnumSet.of(Field.VECTOR);
    Set<Primitive> weaker = EnumSet.of(Primitive.MIN);
    Set<String> exclude = new HashSet<>(Set.of("a"));
    Request r = new Request(DENSE, lexical(exclude), fields, Deadline.NONE, weaker);
    fields.clear();
    weaker.clear();
    exclude.clear();
    assertEquals(Set.of(Field.VECTOR), r.fields());
    assertEquals(Set.of(Primitive.MIN), r.mayBeWeaker());
    assertEquals(Set.of("a"), r.lexical().exclude());
    assertThrows(UnsupportedOperationException.class, () -> r.fields().clear());
  }

  @Test
  void everyBadFieldOfALexicalQueryIsNamed() {
    Optional<Filter> all = Optional.empty();
    Set<String> none = Set.of();
    refused("lexical.text", "null", "a value", () -> new Lexical(null, all, none, 1, 0));
    refused("lexical.text", "U+D800", "valid", () -> new Lexical("\uD800", all, none, 1, 0));
    refused("lexical.filter", "null", "a value", () -> new Lexical("", null, none, 1, 0));
    refused("lexical.exclude", "null", "a value", () -> lexical(null));
    refused("lexical.exclude[]", "null", "a non-", () -> lexical(Collections.singleton(null)));
    refused("lexical.exclude[]", "\"\"", "a non-empty", () -> lexical(Set.of("")));
    refused("lexical.pool", "0", "1 to 100000", () -> new Lexical("", all, none, 0, 0));
    refused("lexical.pool", "100001", "1 to 100000", () -> new Lexical("", all, none, 100_001, 0));
    refused("lexical.rareTermPool", "-1", "0 to 100000", () -> new Lexical("", all, none, 1, -1));
    refused("lexical.rareTermPool", "100001", "0 to", () -> new Lexical("", all, none, 1, 100_001));
  }

  @Test
  void everyBadFieldOfCapabilitiesIsNamed() {
    Similarity s = Similarity.COSINE;
    Map<Primitive, Fidelity> fidelity = new HashMap<>(Map.of(Primitive.EF, Fidelity.NATIVE));
    Map<Primitive, String> why = new HashMap<>(Map.of(Primitive.MIN, "sums only"));
    Capabilities c = new Capabilities("b", "1", s, 3, fidelity, why);
    fidelity.clear();
    why.clear();
    assertEquals(Fidelity.NATIVE, c.of(Primitive.EF));
    assertEquals(Fidelity.UNSUPPORTED, c.of(Primitive.SEEDS));
    assertEquals("sums only", c.why().get(Primitive.MIN));
    refused("backend", "\"\"", "a non-", () -> new Capabilities("", "1", s, 3, fidelity, why));
    refused("version", "null", "a value", () -> new Capabilities("b", null, s, 3, fidelity, why));
    refused(
        "similarity", "null", "a value", () -> new Capabilities("b", "1", null, 3, fidelity, why));
    refused("dimension", "0", "1 to", () -> new Capabilities("b", "1", s, 0, fidelity, why));
    refused("fidelity", "null", "a value", () -> new Capabilities("b", "1", s, 3, null, why));
    refused("why", "null", "a value", () -> new Capabilities("b", "1", s, 3, fidelity, null));
  }

  @Test
  void everyBadFieldOfAnItemIsNamed() {
    refused("id", "\"\"", "a non-empty", () -> item(""));
    refused("entryId", "null", "a non-", () -> new Item("a", null, 0, null, null, null));
    refused("ordinal", "-1", "0 to", () -> new Item("a", "e", -1, null, null, null));
    refused(
        "vector[0]", "NaN", "fin", () -> new Item("a", "e", 0, new float[] {0 / 0f}, null, null));
    refused(
        "attributes.x", "NaN", "fin", () -> new Item("a", "e", 0, null, null, Map.of("x", 0 / 0.)));
    assertNull(item("a").attributes(), "what was not asked for is absent");
    Map<String, Object> given = new HashMap<>(Map.of("x", 1));
    Item copied = new Item("a", "e", 0, null, null, given);
    given.clear();
    assertEquals(Map.of("x", 1L), copied.attributes());
    Chunk c = new Chunk("a", "e", 0, "", Map.of("x", 1));
    assertSame(c.attributes(), new Item("a", "e", 0, null, null, c.attributes()).attributes());
  }

  @Test
  void aCandidatesHitIsOfItsItem() {
    Hit hit = new Hit("a", 0, 1, List.of(), null);
    assertEquals(hit, new Candidate(1, hit, item("a")).hit());
    refused("hit.id", "\"a\"", "the item's id, \"b\"", () -> new Candidate(1, hit, item("b")));
    refused("rank", "0", "1 to", () -> new Candidate(0, null, item("a")));
    refused("item", "null", "a value", () -> new Candidate(1, null, null));
  }

  @Test
  void poolsCopyTheirLists() {
    List<Candidate> pool = new ArrayList<>(List.of(new Candidate(1, null, item("a"))));
    List<String> terms = new ArrayList<>(List.of("rare"));
    Pools p = new Pools(pool, pool, pool, terms, HOW);
    pool.clear();
    terms.clear();
    assertEquals(1, p.dense().size());
    assertEquals(1, p.lexical().size());
    assertEquals(1, p.rareTerm().size());
    assertEquals(List.of("rare"), p.rareTerms());
    refused("dense", "null", "a value", () -> new Pools(null, pool, pool, terms, HOW));
    refused("lexical", "null", "a value", () -> new Pools(pool, null, pool, terms, HOW));
    refused("rareTerm", "null", "a value", () -> new Pools(pool, pool, null, terms, HOW));
    refused("rareTerms", "null", "a value", () -> new Pools(pool, pool, pool, null, HOW));
    refused(
        "dense[0]",
        "null",
        "a value",
        () -> new Pools(Arrays.asList((Candidate) null), pool, pool, terms, HOW));
    refused("how", "null", "a value", () -> new Pools(pool, pool, pool, terms, null));
  }

  @Test
  void provenanceAndTermStatsCopyAndCheck() {
    Map<Primitive, Fidelity> fidelity = new HashMap<>(Map.of(Primitive.EF, Fidelity.WEAKER));
    List<String> notes = new ArrayList<>(List.of("n"));
    Provenance p = new Provenance(true, ResultsTest.TRACE, fidelity, notes);
    Map<String, Long> frequency = new HashMap<>(Map.of("t", 2L));
    TermStats t = new TermStats(5, frequency);
    fidelity.clear();
    notes.clear();
    frequency.clear();
    assertEquals(Map.of(Primitive.EF, Fidelity.WEAKER), p.fidelity());
    assertEquals(List.of("n"), p.notes());
    assertEquals(Map.of("t", 2L), t.frequency());
    refused("fidelity", "null", "a value", () -> new Provenance(false, null, null, notes));
    refused("notes", "null", "a value", () -> new Provenance(false, null, fidelity, null));
    refused("documents", "-1", "0 to", () -> new TermStats(-1, frequency));
    refused("frequency", "null", "a value", () -> new TermStats(0, null));
    refused("frequency of \"t\"", "-1", "0 to", () -> new TermStats(0, Map.of("t", -1L)));
  }

  @Test
  void anUnsupportedPrimitiveIsNamedWithItsReason() {
    assertEquals(
        "SEEDS is not supported by solr 9: no such parameter",
        new UnsupportedPrimitiveException(Primitive.SEEDS, "solr 9", "no such parameter")
            .getMessage());
  }
}

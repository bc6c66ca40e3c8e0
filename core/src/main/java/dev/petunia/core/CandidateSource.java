package dev.petunia.core;

import dev.petunia.core.internal.Checks;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a retrieval pipeline asks of an index, embedded or remote: pools of candidates and facts,
 * never fused scores. Fusion, rescoring, reranking, diversity and exclusion bookkeeping stay in the
 * pipeline, so that they mean the same over every source.
 */
public interface CandidateSource extends AutoCloseable {
  /** What the source can do, as found on the live source. */
  Capabilities capabilities();

  /**
   * The dense and the lexical pool of one query. A primitive that the source can't serve throws
   * {@link UnsupportedPrimitiveException} before anything is sent.
   */
  Pools candidates(Request request);

  /** Facts of chunks by id; unknown ids are left out. */
  List<Item> fetch(Collection<String> ids, Set<Field> fields);

  /** Document frequencies, for the rare-term channel. */
  TermStats termStats(Collection<String> terms);

  @Override
  void close();

  /** What a source may or may not be able to do. */
  enum Primitive {
    /** Beam width per query. */
    EF,
    /** Search from given ids beside the entry point. */
    SEEDS,
    /** Several targets by minimum. */
    MIN,
    /** Several targets by weighted sum. */
    WEIGHTED_SUM,
    /** Filter before search. */
    FILTER,
    /** Exclude ids before search. */
    EXCLUDE,
    /** Full-precision vectors can be fetched. */
    VECTORS_BACK,
    /** A lexical pool. */
    LEXICAL,
    /** Lexical scores use document frequencies of the whole index. */
    GLOBAL_IDF,
    /** Rare-term candidates. */
    RARE_TERMS,
    /** Stops at a deadline. */
    DEADLINE,
    /** A change is seen by the next request. */
    READ_YOUR_WRITES,
    /** The same request gets the same pools while nothing changes. */
    REPEATABLE
  }

  /** How well a primitive is served. */
  enum Fidelity {
    /** As it is meant. */
    NATIVE,
    /** By another plan, with the same meaning. */
    SAME_MEANING,
    /** With a weaker meaning; only on request by name. */
    WEAKER,
    /** Not at all. */
    UNSUPPORTED
  }

  /** Parts of an {@link Item} that cost something to bring. */
  enum Field {
    /** The full-precision vector. */
    VECTOR,
    /** The text. */
    TEXT,
    /** The attributes. */
    ATTRIBUTES
  }

  /**
   * What a source can do.
   *
   * @param backend name
   * @param version of the backend
   * @param similarity metric of its vectors
   * @param dimension of its vectors
   * @param fidelity of each primitive; a missing one is UNSUPPORTED
   * @param why a primitive is WEAKER or UNSUPPORTED
   */
  record Capabilities(
      String backend,
      String version,
      Similarity similarity,
      int dimension,
      Map<Primitive, Fidelity> fidelity,
      Map<Primitive, String> why) {
    /** Checks and copies. */
    public Capabilities {
      Checks.id("backend", backend);
      Checks.present("version", version);
      Checks.present("similarity", similarity);
      Checks.range("dimension", dimension, 1, Integer.MAX_VALUE);
      fidelity = Checks.map("fidelity", fidelity);
      why = Checks.map("why", why);
    }

    /** The fidelity of one primitive. */
    public Fidelity of(Primitive primitive) {
      return fidelity.getOrDefault(primitive, Fidelity.UNSUPPORTED);
    }
  }

  /**
   * One query of both channels.
   *
   * @param dense the vector query; its {@code limit} is the pool's size; null for no dense pool
   * @param lexical the text query; null for no lexical pool
   * @param fields what each candidate should bring
   * @param deadline by when
   * @param mayBeWeaker primitives that may be served WEAKER
   */
  record Request(
      @Nullable VectorQuery dense,
      @Nullable Lexical lexical,
      Set<Field> fields,
      Deadline deadline,
      Set<Primitive> mayBeWeaker) {
    /** Checks and copies. */
    public Request {
      if (dense == null && lexical == null) {
        throw Checks.bad("dense and lexical", null, "one of the two, or both");
      }
      fields = Checks.set("fields", fields);
      Checks.present("deadline", deadline);
      mayBeWeaker = Checks.set("mayBeWeaker", mayBeWeaker);
    }

    /** Both channels, text brought back, no deadline. */
    public Request(@Nullable VectorQuery dense, @Nullable Lexical lexical) {
      this(dense, lexical, Set.of(Field.TEXT, Field.ATTRIBUTES), Deadline.NONE, Set.of());
    }
  }

  /**
   * The lexical half of a query.
   *
   * @param text what the user typed; taken as words, never as query syntax
   * @param filter only chunks that match
   * @param exclude never these ids
   * @param pool most candidates
   * @param rareTermPool most candidates of the rare-term channel; 0 turns it off
   */
  record Lexical(
      String text, Optional<Filter> filter, Set<String> exclude, int pool, int rareTermPool) {
    /** Checks and copies. */
    public Lexical {
      Checks.wellFormed("lexical.text", text);
      Checks.present("lexical.filter", filter);
      for (String id : Checks.present("lexical.exclude", exclude)) {
        Checks.id("lexical.exclude[]", id);
      }
      exclude = Set.copyOf(exclude);
      Checks.range("lexical.pool", pool, 1, 100_000);
      Checks.range("lexical.rareTermPool", rareTermPool, 0, 100_000);
    }
  }

  /**
   * A chunk's facts; what was not asked for is null.
   *
   * @param id the chunk's id
   * @param entryId its entry
   * @param ordinal its place in the entry, from 0
   * @param vector as stored; not copied
   * @param text the passage
   * @param attributes as in {@link Chunk}
   */
  @SuppressWarnings("ArrayRecordComponent") // a carrier of results; equality by identity is right
  record Item(
      String id,
      String entryId,
      int ordinal,
      float @Nullable [] vector,
      @Nullable String text,
      @Nullable Map<String, Object> attributes) {
    /** Checks and copies, but for the vector. */
    public Item {
      Checks.id("id", id);
      Checks.id("entryId", entryId);
      Checks.range("ordinal", ordinal, 0, Integer.MAX_VALUE);
      if (vector != null) {
        Checks.finite("vector", vector);
      }
      attributes = attributes == null ? null : Attributes.copy(attributes);
    }
  }

  /**
   * One candidate of a pool.
   *
   * @param rank from 1
   * @param hit the vector search's facts; null in a lexical pool
   * @param item what was asked for
   */
  record Candidate(int rank, @Nullable Hit hit, Item item) {
    /** Checks. */
    public Candidate {
      Checks.range("rank", rank, 1, Integer.MAX_VALUE);
      Checks.present("item", item);
      if (hit != null && !hit.id().equals(item.id())) {
        throw Checks.bad("hit.id", hit.id(), "the item's id, " + Checks.show(item.id()));
      }
    }
  }

  /**
   * The pools.
   *
   * @param dense nearest first
   * @param lexical best first
   * @param rareTerm chunks that hold rare terms of the query, best first
   * @param rareTerms the terms that the rare-term channel used
   * @param how what was done
   */
  record Pools(
      List<Candidate> dense,
      List<Candidate> lexical,
      List<Candidate> rareTerm,
      List<String> rareTerms,
      Provenance how) {
    /** Of a request that nothing was asked for. */
    public static final Pools EMPTY =
        new Pools(
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            new Provenance(false, null, Map.of(), List.of()));

    /** Copies. */
    public Pools {
      dense = Checks.list("dense", dense);
      lexical = Checks.list("lexical", lexical);
      rareTerm = Checks.list("rareTerm", rareTerm);
      rareTerms = Checks.list("rareTerms", rareTerms);
      Checks.present("how", how);
    }
  }

  /**
   * What was done to fill the pools.
   *
   * @param partial a part of the source did not answer in time
   * @param trace of the vector search; null without one, or when the source is remote
   * @param fidelity of the primitives used, where it was not NATIVE
   * @param notes anything else a caller should know
   */
  record Provenance(
      boolean partial,
      @Nullable SearchTrace trace,
      Map<Primitive, Fidelity> fidelity,
      List<String> notes) {
    /** Copies. */
    public Provenance {
      fidelity = Checks.map("fidelity", fidelity);
      notes = Checks.list("notes", notes);
    }
  }

  /**
   * Document frequencies.
   *
   * @param documents chunks in all
   * @param frequency chunks that hold each term
   */
  record TermStats(long documents, Map<String, Long> frequency) {
    /** Checks and copies. */
    public TermStats {
      Checks.range("documents", documents, 0, Long.MAX_VALUE);
      frequency = Checks.map("frequency", frequency);
      frequency.forEach(
          (term, n) -> Checks.range("frequency of " + Checks.show(term), n, 0, Long.MAX_VALUE));
    }
  }

  /** A primitive was asked for that the source can't serve. */
  final class UnsupportedPrimitiveException extends UnsupportedOperationException {
    private static final long serialVersionUID = 1L;

    /** Names the primitive, the source and the reason. */
    public UnsupportedPrimitiveException(Primitive primitive, String backend, String why) {
      super(primitive + " is not supported by " + backend + ": " + why);
    }
  }
}

package dev.petunia.lexical;

import dev.petunia.core.Filter;
import dev.petunia.core.internal.Checks;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A text query. Immutable; made by {@link #builder}.
 *
 * <pre>{@code
 * LexicalQuery.builder("how does Files.readAllLines decode bytes?")
 *     .filter(Filter.eq("package", "java.nio.file"))
 *     .exclude(served)
 *     .limit(100)
 *     .build();
 * }</pre>
 */
public final class LexicalQuery {
  /** The default of {@code limit}. */
  public static final int DEFAULT_LIMIT = 10;

  /** Greatest {@code limit}. */
  public static final int MAX_LIMIT = 100_000;

  private final String text;
  private final Optional<Filter> filter;
  private final Set<String> exclude;
  private final int limit;
  private final float minScore;

  private LexicalQuery(Builder b) {
    text = b.text;
    filter = b.filter;
    exclude = b.exclude;
    limit = b.limit;
    minScore = b.minScore;
  }

  /**
   * A query of all defaults.
   *
   * @param text taken as plain words: no character in it is query syntax. Any length; a text
   *     without words finds nothing.
   */
  public static Builder builder(String text) {
    return new Builder(Checks.wellFormed("text", text));
  }

  /** The words to search. */
  public String text() {
    return text;
  }

  /** Only chunks that match. */
  public Optional<Filter> filter() {
    return filter;
  }

  /** Never these ids. */
  public Set<String> exclude() {
    return exclude;
  }

  /** Most hits. */
  public int limit() {
    return limit;
  }

  /** Only hits with at least this score. */
  public float minScore() {
    return minScore;
  }

  @Override
  public String toString() {
    return "LexicalQuery[text of %d characters, filter=%s, exclude=%d ids, limit=%d, minScore=%s]"
        .formatted(text.length(), filter, exclude.size(), limit, minScore);
  }

  /** Collects and checks options. */
  public static final class Builder {
    private final String text;
    private Optional<Filter> filter = Optional.empty();
    private Set<String> exclude = Set.of();
    private int limit = DEFAULT_LIMIT;
    private float minScore;

    private Builder(String text) {
      this.text = text;
    }

    /** Only chunks that match; default all. */
    public Builder filter(Filter filter) {
      this.filter = Optional.of(Checks.present("filter", filter));
      return this;
    }

    /** As {@link #filter(Filter)} where there is one. */
    public Builder filter(Optional<Filter> filter) {
      this.filter = Checks.present("filter", filter);
      return this;
    }

    /** Never these ids; unknown ones are no error. Default none. */
    public Builder exclude(Collection<String> ids) {
      Set<String> copy = new HashSet<>();
      for (String id : Checks.present("exclude", ids)) {
        copy.add(Checks.id("exclude", id));
      }
      this.exclude = Collections.unmodifiableSet(copy);
      return this;
    }

    /** 1 to {@value #MAX_LIMIT}; default {@value #DEFAULT_LIMIT}. */
    public Builder limit(int limit) {
      this.limit = Checks.range("limit", limit, 1, MAX_LIMIT);
      return this;
    }

    /** A finite number from 0, in BM25's unit, which differs from query to query; default 0. */
    public Builder minScore(double minScore) {
      this.minScore = (float) Checks.range("minScore", minScore, 0, Float.MAX_VALUE);
      return this;
    }

    /** The query. */
    public LexicalQuery build() {
      return new LexicalQuery(this);
    }
  }
}

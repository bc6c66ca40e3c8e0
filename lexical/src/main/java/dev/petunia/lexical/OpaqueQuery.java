package dev.petunia.lexical;

import java.io.IOException;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/**
 * A query that Lucene counts as one clause. Its limit on clauses (1024, for the whole JVM) guards
 * against query syntax that explodes; a passage used as a query may well have more words.
 */
final class OpaqueQuery extends Query {
  private final Query inner;

  OpaqueQuery(Query inner) {
    this.inner = inner;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    Query rewritten = inner.rewrite(searcher);
    return rewritten.equals(inner) ? this : new OpaqueQuery(rewritten);
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost)
      throws IOException {
    return inner.createWeight(searcher, mode, boost);
  }

  @Override
  public void visit(QueryVisitor visitor) {
    visitor.visitLeaf(this);
  }

  @Override
  public String toString(String field) {
    return "OpaqueQuery(" + inner.toString(field) + ")";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof OpaqueQuery q && q.inner.equals(inner);
  }

  @Override
  public int hashCode() {
    return 31 * inner.hashCode() + 1;
  }
}

package dev.petunia.lexical;

import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ConstantScoreScorer;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BitSetIterator;
import org.apache.lucene.util.FixedBitSet;
import org.jspecify.annotations.Nullable;

/** A compiled filter as a clause of a query, for the searcher that it was compiled against. */
final class BitsQuery extends Query {
  private final FilterBits bits;

  BitsQuery(FilterBits bits) {
    this.bits = bits;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode mode, float boost) {
    return new ConstantScoreWeight(this, boost) {
      @Override
      public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext leaf) {
        FixedBitSet segment = bits.segment(leaf.ord);
        long cost = segment.cardinality();
        if (cost == 0) {
          return null;
        }
        return new ScorerSupplier() {
          @Override
          public Scorer get(long leadCost) {
            return new ConstantScoreScorer(score(), mode, new BitSetIterator(segment, cost));
          }

          @Override
          public long cost() {
            return cost;
          }
        };
      }

      @Override
      public boolean isCacheable(LeafReaderContext leaf) {
        return false;
      }
    };
  }

  @Override
  public void visit(QueryVisitor visitor) {
    visitor.visitLeaf(this);
  }

  @Override
  public String toString(String field) {
    return "BitsQuery(" + bits.cardinality() + " documents)";
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BitsQuery q && q.bits == bits;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(bits);
  }
}

package dev.petunia.lexical;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.util.BytesRef;

/**
 * Search by words: Okapi BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25
 * and Beyond, 2009, section 3) as Lucene computes it. A term that the query has n times counts n
 * times. Lengths are stored in one byte: exact up to 40 terms, above that up to 11 % too short (on
 * average 4 % between 100 and 400 terms).
 */
final class Bm25 {
  /** By score, and ids in the order of their UTF-8 bytes where scores are equal. */
  private static final Sort ORDER =
      new Sort(SortField.FIELD_SCORE, new SortField(ChunkFormat.ID, SortField.Type.STRING_VAL));

  /** Words in one of Lucene's boolean queries, which refuse more than 1024 clauses. */
  private static final int BLOCK = 1000;

  private Bm25() {}

  static List<LexicalHit> search(ChunkSearcher searcher, TextAnalysis analysis, LexicalQuery query)
      throws IOException {
    Map<String, Integer> terms = analysis.queryTerms(query.text());
    if (terms.isEmpty() || searcher.size() == 0) {
      return List.of();
    }
    BooleanQuery.Builder all = new BooleanQuery.Builder().add(words(terms), Occur.MUST);
    if (query.filter().isPresent()) {
      all.add(new BitsQuery(searcher.bits(query.filter().get())), Occur.FILTER);
    }
    if (!query.exclude().isEmpty()) {
      all.add(ids(query.exclude()), Occur.MUST_NOT);
    }
    int limit = Math.min(query.limit(), searcher.size());
    TopFieldDocs top = searcher.search(all.build(), new TopFieldCollectorManager(ORDER, limit, 1));
    List<LexicalHit> hits = new ArrayList<>(top.scoreDocs.length);
    for (ScoreDoc doc : top.scoreDocs) {
      Object[] keys = ((FieldDoc) doc).fields;
      float score = (Float) keys[0];
      if (score < query.minScore()) {
        break;
      }
      hits.add(new LexicalHit(((BytesRef) keys[1]).utf8ToString(), score, hits.size() + 1));
    }
    return hits;
  }

  private static Query ids(Set<String> ids) {
    return new TermInSetQuery(ChunkFormat.ID, ids.stream().map(BytesRef::new).toList());
  }

  /** Any of these terms, scored by all of them. */
  static Query words(Map<String, Integer> terms) {
    int most = Math.max(2, Math.min(BLOCK, IndexSearcher.getMaxClauseCount() - 3));
    List<Query> clauses = new ArrayList<>();
    terms.forEach((term, times) -> clauses.add(word(term, times)));
    List<Query> level = clauses;
    while (level.size() > most) {
      List<Query> above = new ArrayList<>();
      for (int i = 0; i < level.size(); i += most) {
        above.add(new OpaqueQuery(anyOf(level.subList(i, Math.min(i + most, level.size())))));
      }
      level = above;
    }
    return anyOf(level);
  }

  private static Query word(String term, int times) {
    Query query = new TermQuery(new Term(ChunkFormat.TEXT, term));
    return times == 1 ? query : new BoostQuery(query, times);
  }

  private static Query anyOf(List<Query> clauses) {
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    clauses.forEach(c -> any.add(c, Occur.SHOULD));
    return any.build();
  }
}

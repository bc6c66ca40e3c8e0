package dev.petunia.lexical;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.TokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;

/**
 * Cuts Thai, Lao, Khmer and Burmese, which are written without spaces, into overlapping pairs of
 * letters with their marks; the tokenizer hands them over as one token per run. Other tokens pass.
 * A run of one letter stays one.
 */
final class ClusterBigramFilter extends TokenFilter {
  private static final String TYPE =
      StandardTokenizer.TOKEN_TYPES[StandardTokenizer.SOUTHEAST_ASIAN];

  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
  private final PositionIncrementAttribute increment =
      addAttribute(PositionIncrementAttribute.class);
  private final TypeAttribute type = addAttribute(TypeAttribute.class);
  private final ArrayDeque<String> pending = new ArrayDeque<>();

  ClusterBigramFilter(TokenStream input) {
    super(input);
  }

  @Override
  public void reset() throws IOException {
    super.reset();
    pending.clear();
  }

  @Override
  public boolean incrementToken() throws IOException {
    String pair = pending.poll();
    if (pair != null) {
      term.setEmpty().append(pair);
      increment.setPositionIncrement(1);
      return true;
    }
    if (!input.incrementToken()) {
      return false;
    }
    if (type.type().equals(TYPE)) {
      List<String> clusters = clusters(term.toString());
      for (int i = 1; i < clusters.size(); i++) {
        pending.add(clusters.get(i - 1) + clusters.get(i));
      }
      String first = pending.poll();
      if (first != null) {
        term.setEmpty().append(first);
      }
    }
    return true;
  }

  private static List<String> clusters(String run) {
    List<String> clusters = new ArrayList<>();
    int from = 0;
    for (int i = 1; i < run.length(); i++) {
      int kind = Character.getType(run.charAt(i));
      if (kind != Character.NON_SPACING_MARK && kind != Character.COMBINING_SPACING_MARK) {
        clusters.add(run.substring(from, i));
        from = i;
      }
    }
    clusters.add(run.substring(from));
    return clusters;
  }
}

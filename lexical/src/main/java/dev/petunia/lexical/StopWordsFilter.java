package dev.petunia.lexical;

import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.FilteringTokenFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/**
 * Leaves function words out of queries: {@code what is the}, {@code how do I}.
 *
 * <p>They are indexed all the same, so that a query of nothing else still finds something (see
 * {@link TextAnalysis}). A word in capitals is no function word: {@code WHO}, {@code US}, {@code
 * IT}. Must stand before lower-casing.
 */
final class StopWordsFilter extends FilteringTokenFilter {
  /** Articles, pronouns, question words, auxiliaries, prepositions and conjunctions of English. */
  static final CharArraySet ENGLISH =
      set(
          "a an the this that these those some any each every either neither both all such",
          "i me my mine myself we us our ours ourselves you your yours yourself yourselves",
          "he him his himself she her hers herself it its itself they them their theirs",
          "themselves one who whom whose which what when where why how",
          "am is are was were be been being do does did doing done have has had having",
          "can could may might must shall should will would ought not no nor",
          "i'm you're he's she's it's we're they're i've you've we've they've",
          "i'd you'd he'd she'd we'd they'd i'll you'll he'll she'll we'll they'll",
          "let's that's who's what's here's there's when's where's why's how's",
          "isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't",
          "won't wouldn't shan't shouldn't can't cannot couldn't mustn't",
          "and or but if because as until while than so",
          "of at by for with about against between into through during before after",
          "above below to from up down in out on off over under",
          "again further then once here there only own same too very also just");

  private final CharArraySet words;
  private final CharTermAttribute term = addAttribute(CharTermAttribute.class);

  /** Compares without regard to case. */
  StopWordsFilter(TokenStream input, CharArraySet words) {
    super(input);
    this.words = words;
  }

  @Override
  protected boolean accept() {
    return !words.contains(term.buffer(), 0, term.length()) || isAcronym();
  }

  private boolean isAcronym() {
    for (int i = 0; i < term.length(); i++) {
      if (!Character.isUpperCase(term.charAt(i))) {
        return false;
      }
    }
    return term.length() > 1;
  }

  private static CharArraySet set(String... lines) {
    CharArraySet set = new CharArraySet(256, true);
    for (String line : lines) {
      for (String word : line.split(" ", -1)) {
        set.add(word);
      }
    }
    return CharArraySet.unmodifiableSet(set);
  }
}

package dev.petunia.benchmarks.dedup;

import java.util.List;
import java.util.regex.Pattern;

/** Why pairs of the prototype's truth files differ from the library's: what their texts contain. */
final class Differing {
  /** The prototype took fences for code only when three blanks or fewer stand before them. */
  private static final Pattern INDENTED_FENCE =
      Pattern.compile("^(?: {4,}|[ ]*\\t)\\s*(?:```|~~~)", Pattern.MULTILINE);

  private Differing() {}

  /** Counts the pairs of which a text has something that the prototype treated differently. */
  static String why(Corpus corpus, List<Pair> odd) {
    int unassigned = 0;
    int keycap = 0;
    int fence = 0;
    int other = 0;
    for (Pair p : odd) {
      String both = corpus.texts().get(p.a()) + '\n' + corpus.texts().get(p.b());
      boolean hasUnassigned =
          both.codePoints().anyMatch(c -> Character.getType(c) == Character.UNASSIGNED);
      boolean hasKeycap = both.indexOf(0x20E3) >= 0;
      boolean hasFence = INDENTED_FENCE.matcher(both).find();
      unassigned += hasUnassigned ? 1 : 0;
      keycap += hasKeycap ? 1 : 0;
      fence += hasFence ? 1 : 0;
      other += hasUnassigned || hasKeycap || hasFence ? 0 : 1;
    }
    return "%d with a fence for code behind more than 3 blanks, %d with U+20E3, %d with code points that Unicode 16 does not assign, %d with none of these"
        .formatted(fence, keycap, unassigned, other);
  }
}

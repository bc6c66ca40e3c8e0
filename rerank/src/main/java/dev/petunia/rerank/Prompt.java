package dev.petunia.rerank;

import dev.petunia.onnx.internal.TextTokenizer;
import java.util.Arrays;

/** How texts become token ids. */
interface Prompt extends AutoCloseable {
  /** A query that too little room is left for gets at least this many tokens of a passage. */
  int LEAST_DOCUMENT = 8;

  /**
   * What comes before a passage.
   *
   * @throws IllegalArgumentException when the query leaves no room for passages
   */
  Frame frame(String query);

  /** Tokenises a passage; at most as many tokens as fit into the frame. */
  Scorer.Document document(Frame frame, String passage);

  /**
   * What stands around the passages of a query.
   *
   * @param head ids before the passage
   * @param tail ids after it
   * @param room most tokens of a passage
   */
  @SuppressWarnings("ArrayRecordComponent") // a carrier
  record Frame(
      long[] head, long[] headTypes, long documentType, long[] tail, long[] tailTypes, int room) {}

  /** What the self-check says about the tokens. */
  String check();

  /** Ids of "no" and "yes"; empty where the graph doesn't need them. */
  int[] noYes();

  @Override
  void close();

  /** The document's ids, cut to the room. */
  static Scorer.Document cut(TextTokenizer.Tokens tokens, Frame frame) {
    boolean longer = tokens.ids().length > frame.room();
    long[] ids = longer ? Arrays.copyOf(tokens.ids(), frame.room()) : tokens.ids();
    long[] types = new long[ids.length];
    Arrays.fill(types, frame.documentType());
    return new Scorer.Document(ids, types, longer || tokens.truncated());
  }
}

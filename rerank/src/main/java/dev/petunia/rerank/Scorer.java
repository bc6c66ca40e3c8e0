package dev.petunia.rerank;

/** What a job needs of a model; tests bring their own. */
interface Scorer {
  /**
   * Makes a query ready.
   *
   * @throws IllegalArgumentException when it is too long
   */
  Question question(String query);

  /**
   * A passage as tokens.
   *
   * @param types token types, for graphs that take them
   * @param truncated it was cut
   */
  @SuppressWarnings("ArrayRecordComponent") // a carrier
  record Document(long[] ids, long[] types, boolean truncated) {}

  /** One request. Scores from several threads at a time. */
  interface Question extends AutoCloseable {
    /** Tokens that all passages share and that {@link #prefix} computes; 0 for none. */
    int prefixTokens();

    /** Computes what the passages share. To be called once, before any score, if there is any. */
    void prefix();

    /** Tokenises a passage. */
    Document document(String passage);

    /** Tokens that scoring this passage runs through the model. */
    int cost(Document document);

    /** Runs one passage: the logit, which may be no number. */
    double score(Document document);

    /** Makes running and later calls fail soon. From any thread, not after {@link #close}. */
    void stop();

    /** Frees what it holds. Nothing may run or be called afterwards. */
    @Override
    void close();
  }
}

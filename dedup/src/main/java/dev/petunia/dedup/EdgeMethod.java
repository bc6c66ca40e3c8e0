package dev.petunia.dedup;

/** How an edge was established. */
public enum EdgeMethod {
  /** The raw texts are equal: SHA-256 of their UTF-8, CR LF read as LF. */
  EXACT_SHA256("exact_sha256"),
  /** Nominated by MinHash bands, or by equal shingle sets, and verified by exact Jaccard. */
  MINHASH_VERIFIED("minhash_verified");

  private final String label;

  EdgeMethod(String label) {
    this.label = label;
  }

  /** The name in exports. */
  public String label() {
    return label;
  }
}

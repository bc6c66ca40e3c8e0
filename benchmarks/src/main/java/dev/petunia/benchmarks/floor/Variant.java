package dev.petunia.benchmarks.floor;

import dev.petunia.retriever.FloorOptions;
import dev.petunia.retriever.FloorRequest;
import dev.petunia.retriever.RetrievalRequest.Mode;
import java.util.List;

/** Which stages take part in filling the pool; each adds one to the one before. */
enum Variant {
  BM25("bm25", Mode.LEXICAL, false, false, false),
  DENSE("dense", Mode.DENSE, false, false, false),
  HYBRID("hybrid", Mode.HYBRID, false, false, false),
  RARE("rare", Mode.HYBRID, true, false, false),
  FORMS("forms", Mode.HYBRID, true, true, false),
  EXPANSION("expansion", Mode.HYBRID, true, true, true);

  /** The pool's size in all of them. */
  static final int POOL = 376;

  final String label;
  private final Mode mode;
  private final boolean rare;
  private final boolean forms;
  private final boolean expansion;

  Variant(String label, Mode mode, boolean rare, boolean forms, boolean expansion) {
    this.label = label;
    this.mode = mode;
    this.rare = rare;
    this.forms = forms;
    this.expansion = expansion;
  }

  /** The whole pool as it is fused; judgements are of each passage, near-duplicates too. */
  FloorRequest request(String text, FloorOptions base) {
    return FloorRequest.of(text)
        .mode(mode)
        .collapse(false)
        .options(
            base.toBuilder()
                .pool(POOL)
                .size(POOL)
                .display(0)
                .rareTermPool(rare ? base.rareTermPool() : 0)
                .bothForms(forms)
                .noRescore()
                .neighbours(expansion ? 1 : 0)
                .build());
  }

  static List<String> labels() {
    return List.of(values()).stream().map(v -> v.label).toList();
  }
}

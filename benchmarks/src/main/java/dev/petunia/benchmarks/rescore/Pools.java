package dev.petunia.benchmarks.rescore;

import dev.petunia.benchmarks.floor.FloorIndex;
import dev.petunia.benchmarks.floor.IrSet;
import dev.petunia.benchmarks.floor.IrSet.Judged;
import dev.petunia.core.Embedder;
import dev.petunia.dedup.RescoreCandidate;
import dev.petunia.dedup.ShingleSet;
import dev.petunia.dedup.Shingler;
import dev.petunia.retriever.Floor;
import dev.petunia.retriever.FloorOptions;
import dev.petunia.retriever.FloorPassage;
import dev.petunia.retriever.FloorRequest;
import dev.petunia.retriever.Retriever;
import dev.petunia.retriever.Shortfall;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks a retriever, without a cross-encoder, and keeps the candidates with the shingles of their
 * texts.
 */
final class Pools implements AutoCloseable {
  /** More than the three channels can give together, so that nothing is cut before the oracle. */
  private static final int UNION = 1000;

  private static final FloorOptions OPTIONS =
      FloorOptions.DEFAULT.toBuilder().pool(UNION).size(UNION).display(0).noRescore().build();

  private final Retriever retriever;
  private final Map<String, ShingleSet> shingles = new HashMap<>();

  private Pools(Retriever retriever) {
    this.retriever = retriever;
  }

  /** Of a collection, which is embedded when it is not yet in the cache. */
  static Pools open(IrSet set, String model, Embedder embedder, Path cache) throws IOException {
    return new Pools(FloorIndex.open(set, model, embedder, Optional.empty(), cache));
  }

  List<Asked> ask(List<Judged> questions) {
    List<Asked> out = new ArrayList<>(questions.size());
    for (Judged q : questions) {
      Floor floor =
          retriever.ask(
              FloorRequest.of(q.text())
                  .options(OPTIONS)
                  .collapse(false)
                  .require(Shortfall.Stage.EMBED));
      List<RescoreCandidate> pool = new ArrayList<>();
      int most = Math.min(FloorOptions.DEFAULT.pool(), floor.passages().size());
      for (FloorPassage p : floor.passages().subList(0, most)) {
        pool.add(
            new RescoreCandidate(
                p.chunk().id(),
                p.fused(),
                shingles.computeIfAbsent(
                    p.chunk().id(), id -> Shingler.v1().shingles(p.chunk().text()))));
      }
      out.add(
          new Asked(
              q.text(),
              Shingler.v1().shingles(q.text()),
              q.gains(),
              List.copyOf(pool),
              LexicalOracle.of(floor.passages(), q.gains(), OPTIONS),
              floor.questionTruncated()));
    }
    return List.copyOf(out);
  }

  @Override
  public void close() {
    retriever.close();
  }
}

package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Combine;
import dev.petunia.core.Hit;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.VectorQuery;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MinTargetsTest {
  private static final int DIMENSION = 48;
  private static final int CLUSTERS = 100;

  /** Each cluster has a direction of its own; all are far from each other. */
  private static float[] near(int cluster, SplittableRandom random) {
    SplittableRandom of = new SplittableRandom(cluster * 7919L + 1);
    float[] v = new float[DIMENSION];
    for (int i = 0; i < DIMENSION; i++) {
      v[i] = (float) (of.nextGaussian() + 0.25 * random.nextGaussian());
    }
    return v;
  }

  @Test
  void theNearestOfUnrelatedTargetsAreFoundAroundEachOfThem() {
    SplittableRandom random = new SplittableRandom(11);
    HnswConfig config = HnswConfig.builder(DIMENSION, Similarity.COSINE).build();
    HnswIndex index = HnswIndex.inMemory(config);
    ExactIndex exact = new ExactIndex(config);
    List<VectorEntry> entries = new ArrayList<>();
    for (int i = 0; i < 6000; i++) {
      entries.add(new VectorEntry("v" + i, near(i % CLUSTERS, random)));
    }
    index.upsertAll(entries, ProgressListener.NONE);
    exact.upsertAll(entries, ProgressListener.NONE);
    int found = 0;
    int wanted = 0;
    for (int q = 0; q < 100; q++) {
      List<float[]> targets = new ArrayList<>();
      for (int t = 0; t < 2 + q % 3; t++) {
        targets.add(near(random.nextInt(CLUSTERS), random));
      }
      VectorQuery query = VectorQuery.builder(targets).combine(Combine.MIN).ef(100).build();
      Set<String> truth = new HashSet<>();
      for (Hit hit : exact.search(query).hits()) {
        truth.add(hit.id());
      }
      wanted += truth.size();
      for (Hit hit : index.search(query).hits()) {
        found += truth.contains(hit.id()) ? 1 : 0;
      }
    }
    double recall = (double) found / wanted;
    assertTrue(recall >= 0.99, "recall@10 " + recall + ", seed 11");
    index.verify();
  }
}

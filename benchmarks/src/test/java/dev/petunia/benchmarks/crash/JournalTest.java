package dev.petunia.benchmarks.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.hnsw.HnswIndex;
import dev.petunia.hnsw.Quantization;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JournalTest {
  private static final long SEED = 5;

  private static long print(int steps) {
    return new Content().after(SEED, steps).print();
  }

  /** A child committed after 40 steps and was killed when it had begun to commit 60. */
  private static Journal killed() {
    Journal journal = new Journal();
    journal.start(SEED);
    journal.begin(40);
    journal.done(1);
    journal.begin(60);
    return journal;
  }

  @Test
  void theAcknowledgedAndTheBegunContentAreRight() {
    assertNotEquals(print(40), print(60));
    assertEquals(Optional.empty(), killed().opened(1, print(40)));
    assertEquals(Optional.empty(), killed().opened(2, print(60)));
  }

  @Test
  void anOlderOrAnotherContentIsALoss() {
    assertNotEquals(print(30), print(40));
    assertTrue(killed().opened(1, print(30)).orElseThrow().contains("neither"));
    assertTrue(killed().opened(1, print(0)).isPresent());
    assertTrue(killed().opened(2, print(50)).isPresent()); // half of what was begun
  }

  @Test
  void anOlderGenerationIsALossWhateverItHolds() {
    assertTrue(killed().opened(0, print(40)).orElseThrow().contains("gone"));
  }

  @Test
  void theNextChildGoesOnFromWhatWasFound() {
    Journal journal = killed();
    assertTrue(journal.undecided());
    assertTrue(journal.opened(2, print(60)).isEmpty());
    journal.start(SEED + 1);
    assertFalse(journal.undecided());
    journal.begin(30);
    journal.done(3);
    long both = new Content().after(SEED, 60).after(SEED + 1, 30).print();
    assertTrue(journal.opened(3, both).isEmpty());
    assertTrue(journal.opened(3, print(60)).isPresent());
    assertEquals(2, journal.commits());
  }

  @Test
  void aDirectoryGrowsPastTheSizeFromWhichThereAreCodes() {
    try (HnswIndex index = HnswIndex.inMemory(CrashChild.config(Quantization.INT8))) {
      follow(index, 500);
      assertTrue(index.size() > 1000, index.size() + " vectors");
    }
  }

  private static void follow(HnswIndex index, int steps) {
    Workload workload = new Workload(SEED);
    for (int i = 0; i < steps; i++) {
      switch (workload.next()) {
        case Workload.Put put -> put.entries().forEach(e -> index.upsert(e.id(), e.vector()));
        case Workload.Delete delete -> index.delete(delete.id());
        case Workload.Commit commit -> {}
        case Workload.Compact compact -> index.compact();
      }
    }
  }

  @Test
  void anIndexThatFollowsTheWorkloadHasTheContentsPrint() {
    try (HnswIndex index = HnswIndex.inMemory(CrashChild.config(Quantization.NONE))) {
      follow(index, 500);
      assertEquals(print(500), Content.print(index.size(), index::vector));
      String some = index.contains("k0") ? "k0" : index.contains("k1") ? "k1" : "k2";
      float[] vector = index.vector(some);
      if (vector != null) { // one bit of one component
        vector[3] = Float.intBitsToFloat(Float.floatToRawIntBits(vector[3]) ^ 1);
        index.upsert(some, vector);
        assertNotEquals(print(500), Content.print(index.size(), index::vector));
      }
      index.delete(some);
      assertNotEquals(print(500), Content.print(index.size(), index::vector));
    }
  }
}

package dev.petunia.benchmarks.crash;

import dev.petunia.core.Hit;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorQuery;
import dev.petunia.hnsw.HnswConfig;
import dev.petunia.hnsw.HnswIndex;
import dev.petunia.hnsw.Quantization;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Opens a directory, checks what is there, says so, and then works through a {@link Workload} until
 * it is killed. What it says, a line each:
 *
 * <pre>
 * wrong WHAT               a check failed
 * open GENERATION PRINT    what it found, see {@link Content#print}
 * begin STEPS              it will now make durable what it has after so many steps
 * done GENERATION          it has
 * </pre>
 */
final class CrashChild {
  /** Stored vectors that are asked for after opening. */
  private static final int ASKED = 8;

  private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

  private CrashChild() {}

  static HnswConfig config(Quantization quantization) {
    return HnswConfig.builder(Workload.DIMENSION, Similarity.EUCLIDEAN)
        .m(8)
        .efConstruction(40)
        .threads(1)
        .maxEf(Workload.IDS)
        .quantization(quantization)
        .build();
  }

  /** Arguments: directory, quantization, seed, steps after which to end by itself (−1: never). */
  public static void main(String[] args) throws IOException {
    new CrashChild()
        .run(
            Path.of(args[0]),
            Quantization.valueOf(args[1]),
            Long.parseLong(args[2]),
            Integer.parseInt(args[3]));
  }

  private void run(Path directory, Quantization quantization, long seed, int most)
      throws IOException {
    try (HnswIndex index = HnswIndex.open(directory, config(quantization))) {
      check(index, seed);
      say("open " + index.generation() + " " + Content.print(index.size(), index::vector));
      Workload workload = new Workload(seed);
      for (int steps = 0; steps != most; steps++) {
        step(index, workload.next(), steps);
      }
    } catch (RuntimeException e) {
      say("wrong " + e.toString().replace('\n', ' '));
      throw e;
    }
  }

  private void step(HnswIndex index, Workload.Step step, int stepsBefore) throws IOException {
    switch (step) {
      case Workload.Put put when put.entries().size() == 1 ->
          index.upsert(put.entries().getFirst().id(), put.entries().getFirst().vector());
      case Workload.Put put -> index.upsertAll(put.entries(), ProgressListener.NONE);
      case Workload.Delete delete -> index.delete(delete.id());
      case Workload.Commit commit -> {
        say("begin " + stepsBefore);
        say("done " + index.commit());
      }
      case Workload.Compact compact -> {
        say("begin " + stepsBefore);
        index.compact(); // which commits too
        say("done " + index.generation());
      }
    }
  }

  /** With a beam that holds the whole index, so that whatever can be reached is found. */
  private static VectorQuery query(float[] vector) {
    return VectorQuery.builder(vector).ef(Workload.IDS).limit(1).build();
  }

  /** The structure and the checksums, and that stored vectors come first when asked for. */
  private void check(HnswIndex index, long seed) throws IOException {
    index.verify();
    for (int i = 0; i < ASKED; i++) {
      String id = Workload.id((int) Math.floorMod(seed + 101L * i, (long) Workload.IDS));
      float[] vector = index.vector(id);
      if (vector != null) {
        List<Hit> hits = index.search(query(vector)).hits();
        if (hits.size() != 1 || !hits.getFirst().id().equals(id)) {
          say("wrong " + id + " asked for with its own vector: " + hits);
        }
      }
    }
  }

  /** Past any buffer of this process, which dies with it. */
  private void say(String line) throws IOException {
    out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
  }
}

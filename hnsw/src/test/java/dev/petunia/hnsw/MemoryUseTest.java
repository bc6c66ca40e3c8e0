package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.ProgressListener;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorEntry;
import dev.petunia.core.testing.Vectors;
import java.io.BufferedReader;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What an index says that it takes on the heap, against the heap of a process that does nothing
 * else.
 */
class MemoryUseTest {
  private static final int N = 20_000;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"8, n, 1", "16, files/some/where/number, 1", "16, wide, 5", "32, n, 1"})
  void theHeapIsWhatItIsSaidToBe(int m, String prefix, int sharing) throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:MarkSweepAlwaysCompactCount=1", // a full collection leaves no garbage
                "-cp",
                System.getProperty("java.class.path"),
                MemoryUseTest.class.getName(),
                folder.resolve("index").toString(),
                Integer.toString(m),
                prefix,
                Integer.toString(sharing))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<String> said;
    try (BufferedReader lines = child.inputReader(StandardCharsets.UTF_8)) {
      said = lines.lines().toList();
      assertTrue(child.waitFor(60, TimeUnit.SECONDS));
    } finally {
      child.destroyForcibly();
    }
    assertEquals(3, said.size(), said::toString);
    for (String line : said) {
      String[] words = line.split(" ");
      double share = Double.parseDouble(words[2]) / Double.parseDouble(words[1]);
      assertTrue(share > 0.75 && share < 1.25, line);
    }
  }

  /** Bytes of all objects that are reachable, as the JVM counts them. */
  private static long used() throws JMException {
    System.gc(); // and once more for what the first leaves, and by the histogram
    System.gc();
    String[] none = {};
    Object histogram =
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "gcClassHistogram",
                new Object[] {none},
                new String[] {String[].class.getName()});
    String last = String.valueOf(histogram).strip().lines().toList().getLast();
    return Long.parseLong(last.strip().split(" +")[2]); // "Total", objects, bytes
  }

  /** Prints when, bytes measured, bytes said. */
  public static void main(String[] arguments) throws JMException {
    Path directory = Path.of(arguments[0]);
    HnswConfig config =
        Given.config(8, Similarity.EUCLIDEAN)
            .m(Integer.parseInt(arguments[1]))
            .efConstruction(20)
            .build();
    String prefix = arguments[2].equals("wide") ? "同じ点" : arguments[2]; // two bytes a character
    int sharing = Integer.parseInt(arguments[3]);
    List<float[]> vectors = Vectors.units(N / sharing, 8).generate(Given.random(1));
    Given.fill(HnswIndex.inMemory(config), vectors.subList(0, 500)); // loads the classes
    used();
    long before = used(); // the first time loads classes, too
    try (HnswIndex index = HnswIndex.open(directory, config)) {
      List<VectorEntry> entries = new ArrayList<>();
      for (int i = 0; i < N; i++) {
        entries.add(new VectorEntry(prefix + i, vectors.get(i / sharing)));
      }
      index.upsertAll(entries, ProgressListener.NONE);
      entries.clear();
      index.commit();
      say("built", before, index);
    }
    try (HnswIndex index = HnswIndex.open(directory, config)) {
      say("opened", before, index);
      index.compact();
      say("compacted", before, index);
    }
    Reference.reachabilityFence(vectors); // they were there before, so let them stay
  }

  private static void say(String when, long before, HnswIndex index) throws JMException {
    long measured = used() - before;
    System.out.println(when + " " + measured + " " + index.memory().heapBytes());
    if (index.size() != N) { // it is in use until here
      throw new AssertionError(index.size());
    }
  }
}

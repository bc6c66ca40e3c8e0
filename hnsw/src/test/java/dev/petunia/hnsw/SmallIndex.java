package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.EUCLIDEAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.VectorQuery;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A directory with two commits, so that its graph file has two frames, and of which every byte can
 * be told to matter or not. Two of its nodes are free.
 */
final class SmallIndex {
  static final int SIZE = 10;

  /** Nodes of the first commit. */
  private static final int FIRST = 9;

  private final Path directory;
  private final HnswConfig config;
  private final Set<Integer> free = new HashSet<>();
  private final List<Object> answers;
  private final Map<String, Long> committed = new HashMap<>();

  private SmallIndex(Path directory, HnswConfig config) {
    this.directory = directory;
    this.config = config;
    try (HnswIndex index = HnswIndex.open(directory, config)) {
      for (int i = 0; i < 12; i++) {
        if (i == FIRST) {
          index.commit();
        }
        index.add("id-" + i, vector(i));
      }
      index.delete("id-3");
      index.delete("id-10");
      index.state().sweep();
      int top = 0;
      for (int node = 0; node < 12; node++) {
        boolean isFree = index.state().table.state(node) == Page.FREE;
        if (isFree) {
          free.add(node);
        } else {
          top = Math.max(top, index.state().graph.level(node));
        }
      }
      assertTrue(top > 0, "the sample should have upper layers");
      assertEquals(2, free.size());
      index.commit();
      answers = answers(index);
    }
    for (String name : List.of("commit", "graph")) {
      committed.put(name, length(name));
    }
    for (String name : slotFiles()) {
      committed.put(name, length(name));
    }
  }

  static SmallIndex make(Path folder, Quantization kind) {
    return new SmallIndex(folder.resolve("index"), config(kind));
  }

  static HnswConfig config(Quantization kind) {
    return Given.config(3, EUCLIDEAN).m(2).quantization(kind).codesFrom(2).build();
  }

  /** Of the id with this number. */
  static float[] vector(int i) {
    return Given.v(i % 10, 1, -i % 3);
  }

  Path directory() {
    return directory;
  }

  HnswIndex open() {
    return HnswIndex.open(directory, config);
  }

  HnswIndex reader() {
    return HnswIndex.openReadOnly(directory, config);
  }

  /** {@code commit}, or the one file of a kind. */
  Path file(String name) {
    if (name.equals("commit")) {
      return directory.resolve(name);
    }
    return switch (name) {
      case "vectors" -> directory.resolve("vectors-0000000001.pv");
      case "codes" -> directory.resolve("codes-0000000002.pv");
      default ->
          directory.resolve(
              config.quantization() == Quantization.NONE
                  ? "graph-0000000002.pv"
                  : "graph-0000000003.pv");
    };
  }

  List<String> slotFiles() {
    return config.quantization() == Quantization.NONE
        ? List.of("vectors")
        : List.of("vectors", "codes");
  }

  private static ByteBuffer read(Path file) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private long length(String name) {
    try {
      return switch (name) {
        case "commit" -> Files.size(file(name));
        case "graph" -> read(file("commit")).getLong(16 + 32);
        default -> SlotFile.HEADER_BYTES + 12L * read(file(name)).getInt(12) + CodeKernels.OVERREAD;
      };
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** How many bytes a file must have. */
  long committed(String name) {
    return Objects.requireNonNull(committed.get(name));
  }

  /**
   * Whether a byte matters: it is committed, and not of the slot of a node that is free in both
   * commits, nor of the code of a free node.
   */
  boolean isReferredTo(String name, long at) {
    if (!slotFiles().contains(name) || at < SlotFile.HEADER_BYTES) {
      return at < committed(name);
    }
    long slot = (committed(name) - SlotFile.HEADER_BYTES - CodeKernels.OVERREAD) / 12;
    int node = (int) ((at - SlotFile.HEADER_BYTES) / slot);
    return node < 12 && !(free.contains(node) && (name.equals("codes") || node >= FIRST));
  }

  private static List<Object> answers(HnswIndex index) {
    List<Object> answers = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      answers.add(
          index.search(VectorQuery.builder(vector(i)).limit(12).build()).hits().stream()
              .map(hit -> hit.id() + " " + hit.distance())
              .toList());
      float[] v = index.vector("id-" + i);
      answers.add(v == null ? "none" : List.of(v[0], v[1], v[2]));
    }
    return answers;
  }

  /** An index has the content of the last commit, and is sound. */
  void check(HnswIndex index) {
    index.verify();
    assertEquals(2, Math.min(2, index.generation()));
    assertEquals(SIZE, index.size());
    assertEquals(answers, answers(index));
  }

  /** Opening or verifying it names this file. */
  CorruptIndexException refused(Path file, String what, boolean forWriting) {
    List<String> before = names();
    try (HnswIndex index = forWriting ? open() : reader()) {
      index.verify(); // checks what opening does not read: the vectors
      throw new AssertionError(what + " was not noticed; size " + index.size());
    } catch (CorruptIndexException e) {
      assertEquals(file, e.file(), what);
      assertTrue(e.offset() >= -1 && String.valueOf(e.getMessage()).contains(file.toString()));
      assertEquals(before, names(), what); // nothing was discarded
      return e;
    }
  }

  private List<String> names() {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(name -> !name.equals("write.lock"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}

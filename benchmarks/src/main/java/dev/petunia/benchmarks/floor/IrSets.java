package dev.petunia.benchmarks.floor;

import dev.petunia.benchmarks.floor.IrSet.Judged;
import dev.petunia.core.Chunk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Reads the collections of a data folder. */
public final class IrSets {
  /** The collections that the floor is measured on. */
  public static final List<String> NAMES =
      List.of("scifact", "cranfield", "vaswani", "cisi", "mtrag");

  private IrSets() {}

  /** Whether a collection is there. */
  public static boolean isThere(Path data, String name) {
    return Files.exists(data.resolve(name).resolve("corpus.jsonl.gz"));
  }

  /** Reads a collection: one of {@link #NAMES}, or another in the form of its judged ones. */
  public static IrSet read(Path data, String name) throws IOException {
    Path folder = data.resolve(name);
    return name.equals("mtrag") ? conversations(folder) : judged(folder, name);
  }

  private static IrSet judged(Path folder, String name) throws IOException {
    List<Chunk> chunks = new ArrayList<>();
    JsonLines.read(
        folder.resolve("corpus.jsonl.gz"),
        o -> {
          String id = string(o, "id");
          chunks.add(new Chunk(id, id, 0, text(o), Map.of()));
        });
    Map<String, Map<String, Integer>> gains = new HashMap<>();
    for (String line : Files.readAllLines(folder.resolve("qrels.tsv"))) {
      String[] f = line.split("\t");
      if (!f[0].equals("query-id") && Integer.parseInt(f[2]) > 0) {
        gains.computeIfAbsent(f[0], q -> new HashMap<>()).put(f[1], Integer.parseInt(f[2]));
      }
    }
    List<Judged> questions = new ArrayList<>();
    JsonLines.read(
        folder.resolve("queries.jsonl.gz"),
        o -> {
          Map<String, Integer> relevant = gains.get(string(o, "id"));
          if (relevant != null && !o.getOrDefault("split", "test").equals("train")) {
            questions.add(new Judged(string(o, "text"), relevant));
          }
        });
    return new IrSet(name, chunks, null, questions);
  }

  /**
   * The questions of human conversations as they were asked, without what was said before. A
   * passage's entry is its document, its ordinal its place in it.
   */
  private static IrSet conversations(Path folder) throws IOException {
    List<Map<String, Object>> rows = new ArrayList<>();
    JsonLines.read(folder.resolve("corpus.jsonl.gz"), rows::add);
    Map<String, TreeMap<String, Integer>> byDocument = new HashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      String id = string(rows.get(i), "id");
      byDocument
          .computeIfAbsent(string(rows.get(i), "docId"), d -> new TreeMap<>())
          .put(sortable(id), i);
    }
    int[] ordinals = new int[rows.size()];
    byDocument
        .values()
        .forEach(
            passages -> {
              int ordinal = 0;
              for (int row : passages.values()) {
                ordinals[row] = ordinal++;
              }
            });
    List<Chunk> chunks = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      Map<String, Object> o = rows.get(i);
      chunks.add(new Chunk(string(o, "id"), string(o, "docId"), ordinals[i], text(o), Map.of()));
    }
    Set<String> here = new HashSet<>();
    chunks.forEach(c -> here.add(c.id()));
    List<Judged> questions = new ArrayList<>();
    JsonLines.read(
        folder.resolve("conversations.jsonl.gz"),
        o -> {
          if (string(o, "split").equals("human")) {
            for (Object turn : (List<?>) o.getOrDefault("turns", List.of())) {
              Map<?, ?> t = (Map<?, ?>) turn;
              Map<String, Integer> gold = new LinkedHashMap<>();
              Object ids = t.get("goldIds");
              for (Object id : ids instanceof List<?> list ? list : List.of()) {
                if (here.contains((String) id)) {
                  gold.put((String) id, 1);
                }
              }
              if (!gold.isEmpty()) {
                questions.add(new Judged(String.valueOf(t.get("question")), gold));
              }
            }
          }
        });
    return new IrSet(
        "mtrag",
        chunks,
        halfFloats(folder.resolve("corpus-38854x384.f16"), rows.size()),
        questions);
  }

  /** Ids end in offsets, which sort as numbers. */
  private static String sortable(String id) {
    StringBuilder out = new StringBuilder();
    for (String part : id.split("[-_]")) {
      out.append(part.matches("\\d{1,12}") ? String.format("%012d", Long.parseLong(part)) : part);
      out.append('-');
    }
    return out.toString();
  }

  private static float[][] halfFloats(Path file, int rows) {
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer b =
          channel
              .map(FileChannel.MapMode.READ_ONLY, 0, channel.size())
              .order(ByteOrder.LITTLE_ENDIAN);
      int dimension = (int) (channel.size() / 2 / rows);
      float[][] out = new float[rows][dimension];
      for (float[] row : out) {
        for (int i = 0; i < dimension; i++) {
          row[i] = Float.float16ToFloat(b.getShort());
        }
      }
      return out;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String string(Map<String, Object> o, String name) {
    Object value = o.get(name);
    if (value instanceof String s) {
      return s;
    }
    throw new IllegalArgumentException("\"" + name + "\" is " + value + ", allowed: a text");
  }

  private static String text(Map<String, Object> o) {
    Object title = o.get("title");
    String text = string(o, "text");
    return title instanceof String s && !s.isBlank() ? s + "\n" + text : text;
  }
}

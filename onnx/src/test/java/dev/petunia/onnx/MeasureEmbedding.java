package dev.petunia.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.management.OperatingSystemMXBean;
import dev.petunia.core.Embedding;
import dev.petunia.core.TextForm;
import dev.petunia.onnx.internal.OnnxSession;
import dev.petunia.onnx.internal.SessionSettings;
import dev.petunia.onnx.internal.TextTokenizer;
import dev.petunia.onnx.internal.TokenizerSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;

/**
 * The measurements of docs/embedding.md: speed, equality of bits, and retrieval quality on SciFact,
 * of one text at a time against batches of equal length. Not a test; reads the data folder.
 *
 * <pre>{@code MeasureEmbedding DATA [--fp32 FILE.onnx] [--texts 600] [--threads 2] [--scifact]}
 * </pre>
 */
final class MeasureEmbedding {
  private static final int BATCH = 8;

  private MeasureEmbedding() {}

  public static void main(String[] args) throws Exception {
    Path data = Path.of(args[0]);
    List<String> flags = Arrays.asList(args);
    int count = Integer.parseInt(option(flags, "--texts", "600"));
    int threads = Integer.parseInt(option(flags, "--threads", "2"));
    String fp32File = option(flags, "--fp32", "");
    EmbedderModel int8 = AllMiniLm.model();
    EmbedderModel fp32 =
        fp32File.isEmpty()
            ? null
            : int8.toBuilder().name("fp32").onnx(ModelSource.file(Path.of(fp32File))).build();

    List<JsonObject> passages = lines(data.resolve("ann-texts/texts.jsonl.gz"), count);
    List<JsonObject> papers = lines(data.resolve("scifact/corpus.jsonl.gz"), 5183);
    List<String> shortTexts = passages.stream().map(o -> o.get("text").getAsString()).toList();
    List<String> longTexts = papers.stream().map(MeasureEmbedding::paper).toList();

    List<Function<List<String>, float[][]>> ways = new ArrayList<>();
    List<String> names = new ArrayList<>();
    try (OnnxEmbedder one = OnnxEmbedder.builder(int8).threads(1).open();
        OnnxEmbedder many = OnnxEmbedder.builder(int8).threads(threads).open();
        OnnxEmbedder shared =
            OnnxEmbedder.builder(int8).threads(1).intraOpThreads(threads).open()) {
      add(ways, names, "int8 alone, 1 thread", t -> vectors(one, t));
      add(ways, names, "int8 alone, " + threads + " threads", t -> vectors(many, t));
      add(ways, names, "int8 alone, 1 text on " + threads + " threads", t -> vectors(shared, t));
      add(ways, names, "int8 batches, 1 thread", batches(int8));
      if (fp32 != null) {
        OnnxEmbedder full = OnnxEmbedder.builder(fp32).threads(1).open();
        add(ways, names, "fp32 alone, 1 thread", t -> vectors(full, t));
        add(ways, names, "fp32 batches, 1 thread", batches(fp32));
      }
      compare("short", shortTexts, ways, names);
      compare("long", longTexts.subList(0, Math.min(count, longTexts.size())), ways, names);
      reference(data, one);
      if (flags.contains("--scifact")) {
        sciFact(data, papers, "int8 alone", t -> vectors(many, t));
        if (fp32 != null) {
          OnnxEmbedder full = OnnxEmbedder.builder(fp32).threads(threads).open();
          sciFact(data, papers, "fp32 alone", t -> vectors(full, t));
        }
      }
    }
  }

  private static void add(
      List<Function<List<String>, float[][]>> ways,
      List<String> names,
      String name,
      Function<List<String>, float[][]> way) {
    ways.add(way);
    names.add(name);
  }

  private static String option(List<String> flags, String name, String otherwise) {
    int at = flags.indexOf(name);
    return at < 0 ? otherwise : flags.get(at + 1);
  }

  private static List<JsonObject> lines(Path gz, int most) throws IOException {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(gz)), StandardCharsets.UTF_8))) {
      return in.lines().limit(most).map(l -> JsonParser.parseString(l).getAsJsonObject()).toList();
    }
  }

  private static String paper(JsonObject o) {
    return o.get("title").getAsString() + ". " + o.get("text").getAsString();
  }

  private static float[][] vectors(OnnxEmbedder embedder, List<String> texts) {
    return embedder.embed(texts, TextForm.DOCUMENT).stream()
        .map(Embedding::vector)
        .toArray(float[][]::new);
  }

  /** Texts of equal length together, so that nothing is padded; on one thread. Never closed. */
  private static Function<List<String>, float[][]> batches(EmbedderModel model) {
    TextTokenizer tokenizer =
        TextTokenizer.open(model.tokenizer(), TokenizerSettings.truncatingAt(model.maxTokens()));
    Map<String, String> config =
        Map.of("optimization.disable_specified_optimizers", "LayerNormFusionL1;LayerNormFusionL2");
    OnnxSession session =
        OnnxSession.open(model.onnx(), SessionSettings.withThreads(1).withConfig(config));
    return texts -> batched(model, tokenizer, session, texts);
  }

  private static float[][] batched(
      EmbedderModel model, TextTokenizer tokenizer, OnnxSession session, List<String> texts) {
    float[][] out = new float[texts.size()][];
    try (OnnxSession.Lease lease = session.lease()) {
      Map<Integer, List<Integer>> byLength = new HashMap<>();
      long[][] ids = new long[texts.size()][];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = tokenizer.encode(texts.get(i)).ids();
        byLength.computeIfAbsent(ids[i].length, k -> new ArrayList<>()).add(i);
      }
      for (List<Integer> same : byLength.values()) {
        for (int from = 0; from < same.size(); from += BATCH) {
          run(model, lease, ids, same.subList(from, Math.min(same.size(), from + BATCH)), out);
        }
      }
    } catch (OrtException e) {
      throw new ModelException("batch failed", e);
    }
    return out;
  }

  private static void run(
      EmbedderModel model,
      OnnxSession.Lease lease,
      long[][] ids,
      List<Integer> batch,
      float[][] out)
      throws OrtException {
    int length = ids[batch.getFirst()].length;
    LongBuffer input = LongBuffer.allocate(batch.size() * length);
    batch.forEach(i -> input.put(ids[i]));
    long[] ones = new long[input.capacity()];
    Arrays.fill(ones, 1);
    long[] shape = {batch.size(), length};
    try (OnnxTensor idTensor = lease.tensor(input.flip(), shape);
        OnnxTensor mask = lease.tensor(LongBuffer.wrap(ones), shape);
        OnnxTensor types = lease.tensor(LongBuffer.allocate(ones.length), shape);
        OrtSession.Result result =
            lease.run(
                Map.of("input_ids", idTensor, "attention_mask", mask, "token_type_ids", types),
                Set.of("last_hidden_state"))) {
      float[][][] hidden = (float[][][]) result.get(0).getValue();
      for (int b = 0; b < batch.size(); b++) {
        double[] sum = new double[model.dimension()];
        for (float[] token : hidden[b]) {
          for (int d = 0; d < sum.length; d++) {
            sum[d] += token[d];
          }
        }
        double norm = Math.sqrt(Arrays.stream(sum).map(x -> x * x).sum());
        float[] v = new float[sum.length];
        for (int d = 0; d < v.length; d++) {
          v[d] = (float) (sum[d] / norm);
        }
        out[batch.get(b)] = v;
      }
    }
  }

  private static void compare(
      String set,
      List<String> texts,
      List<Function<List<String>, float[][]>> ways,
      List<String> names) {
    double words = texts.stream().mapToInt(t -> t.split("\\s+").length).average().orElse(0);
    System.out.printf("%n%s: %d texts of %.0f words%n", set, texts.size(), words);
    System.out.printf(
        "%-34s %8s %12s %10s %9s %9s%n",
        "", "texts/s", "cpu ms/text", "same bits", "cos min", "cos mean");
    float[][] first = null;
    for (int w = 0; w < ways.size(); w++) {
      double wall = Double.MAX_VALUE;
      double cpu = Double.MAX_VALUE;
      float[][] got = ways.get(w).apply(texts.subList(0, Math.min(50, texts.size())));
      for (int round = 0; round < 2; round++) {
        long wall0 = System.nanoTime();
        long cpu0 = cpuNanos();
        got = ways.get(w).apply(texts);
        wall = Math.min(wall, (System.nanoTime() - wall0) / 1e9);
        cpu = Math.min(cpu, (cpuNanos() - cpu0) / 1e6 / texts.size());
      }
      first = first == null ? got : first;
      int same = 0;
      double least = 1;
      double sum = 0;
      for (int i = 0; i < got.length; i++) {
        same += Arrays.equals(got[i], first[i]) ? 1 : 0;
        double cos = dot(got[i], first[i]);
        least = Math.min(least, cos);
        sum += cos;
      }
      System.out.printf(
          "%-34s %8.1f %12.2f %9.1f%% %9.4f %9.4f%n",
          names.get(w),
          texts.size() / wall,
          cpu,
          100.0 * same / got.length,
          least,
          sum / got.length);
    }
  }

  /** Against the vectors in the data folder: made elsewhere, of texts cut at 128 tokens. */
  private static void reference(Path data, OnnxEmbedder embedder) throws IOException {
    int count = 200;
    byte[] half;
    try (var in = Files.newInputStream(data.resolve("ann-texts/base-100000x384.f16"))) {
      half = in.readNBytes(count * 384 * 2);
    }
    List<JsonObject> passages = lines(data.resolve("ann-texts/texts.jsonl.gz"), count);
    double least = 1;
    double sum = 0;
    int compared = 0;
    for (int i = 0; i < count; i++) {
      Embedding e = embedder.embed(passages.get(i).get("text").getAsString(), TextForm.DOCUMENT);
      if (e.tokens() > 128) {
        continue;
      }
      float[] theirs = new float[384];
      for (int d = 0; d < 384; d++) {
        int at = 2 * (i * 384 + d);
        theirs[d] = Float.float16ToFloat((short) (half[at] & 255 | half[at + 1] << 8));
      }
      double cos = dot(e.vector(), theirs) / Math.sqrt(dot(theirs, theirs));
      least = Math.min(least, cos);
      sum += cos;
      compared++;
    }
    System.out.printf(
        "%nreference vectors, %d of the first %d texts (at most 128 tokens): cosine min %.4f, mean"
            + " %.4f%n",
        compared, count, least, sum / compared);
  }

  private static void sciFact(
      Path data, List<JsonObject> papers, String name, Function<List<String>, float[][]> way)
      throws IOException {
    Map<String, Map<String, Integer>> relevant = new HashMap<>();
    for (String line : Files.readAllLines(data.resolve("scifact/qrels.tsv"))) {
      String[] f = line.split("\t");
      if (!f[0].equals("query-id")) {
        relevant.computeIfAbsent(f[0], k -> new HashMap<>()).put(f[1], Integer.parseInt(f[2]));
      }
    }
    List<JsonObject> queries =
        lines(data.resolve("scifact/queries.jsonl.gz"), Integer.MAX_VALUE).stream()
            .filter(q -> q.get("split").getAsString().equals("test"))
            .toList();
    float[][] docs = way.apply(papers.stream().map(MeasureEmbedding::paper).toList());
    float[][] asked = way.apply(queries.stream().map(q -> q.get("text").getAsString()).toList());
    double ndcg = 0;
    double recall = 0;
    double recall100 = 0;
    for (int q = 0; q < asked.length; q++) {
      float[] query = asked[q];
      Map<String, Integer> wanted = relevant.get(queries.get(q).get("id").getAsString());
      double[] score = Arrays.stream(docs).mapToDouble(d -> dot(d, query)).toArray();
      Integer[] order = new Integer[score.length];
      Arrays.setAll(order, i -> i);
      Arrays.sort(order, Comparator.comparingDouble(i -> -score[i]));
      double gain = 0;
      double ideal = 0;
      int found = 0;
      for (int r = 0; r < 100; r++) {
        boolean hit = wanted.getOrDefault(papers.get(order[r]).get("id").getAsString(), 0) > 0;
        recall100 += hit ? 1.0 / wanted.size() : 0;
        if (r >= 10) {
          continue;
        }
        double discount = Math.log(2) / Math.log(r + 2.0);
        gain += hit ? discount : 0;
        ideal += r < wanted.size() ? discount : 0;
        found += hit ? 1 : 0;
      }
      ndcg += gain / ideal;
      recall += (double) found / wanted.size();
    }
    System.out.printf(
        "scifact, %s: nDCG@10 %.4f, recall@10 %.4f, recall@100 %.4f (%d queries)%n",
        name, ndcg / asked.length, recall / asked.length, recall100 / asked.length, asked.length);
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static double dot(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (double) a[i] * b[i];
    }
    return sum;
  }
}

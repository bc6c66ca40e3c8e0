package dev.petunia.benchmarks.rerank;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import dev.petunia.benchmarks.rerank.PlainModel.Logits;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeneratedModelTest {
  private static final ModelShape TINY = new ModelShape(3, 48, 4, 2, 16, 80, 200);
  private static final long SEED = 11;

  @TempDir Path cache;

  private GeneratedModel tiny(Precision precision) throws Exception {
    return GeneratedModel.in(cache, TINY, precision, SEED);
  }

  private static long[] ids(long seed, int count) {
    return new Random(seed).longs(count, 0, TINY.vocabulary()).toArray();
  }

  @Test
  void fp32LogitsAreThoseComputedInJava() throws Exception {
    try (PlainModel model = new PlainModel(tiny(Precision.FP32), 1, false)) {
      for (int length : new int[] {1, 2, 17, 40}) {
        long[] ids = ids(length, length);
        assertClose(new ReferenceForward(TINY, SEED).logits(ids), model.run(new long[][] {ids}), 0);
      }
    }
  }

  @Test
  void paddingOnTheLeftChangesNothing() throws Exception {
    try (PlainModel model = new PlainModel(tiny(Precision.FP32), 1, false)) {
      long[][] texts = {ids(1, 3), ids(2, 30), ids(3, 11)};
      Logits together = model.run(texts);
      for (int b = 0; b < texts.length; b++) {
        assertClose(new ReferenceForward(TINY, SEED).logits(texts[b]), together, b);
      }
    }
  }

  @Test
  void otherShapesAreRightToo() throws Exception {
    for (ModelShape shape :
        List.of(
            new ModelShape(1, 16, 1, 1, 2, 4, 16),
            new ModelShape(1, 40, 6, 6, 8, 12, 33), // a key head for each query head
            new ModelShape(2, 32, 8, 1, 4, 100, 50))) { // one for all
      GeneratedModel made = GeneratedModel.in(cache, shape, Precision.FP32, 2);
      try (PlainModel model = new PlainModel(made, 1, false)) {
        long[] ids = {3, 1, 4, 1, 5, 9};
        assertClose(new ReferenceForward(shape, 2).logits(ids), model.run(new long[][] {ids}), 0);
      }
    }
  }

  private static void assertClose(double[][] expected, Logits got, int text) {
    int padding = got.positions() - expected.length;
    for (int t = 0; t < expected.length; t++) {
      for (int token = 0; token < expected[t].length; token++) {
        assertEquals(
            expected[t][token],
            got.at(text, padding + t, token),
            1e-4,
            "text " + text + " position " + t + " token " + token);
      }
    }
  }

  @Test
  void aPrefixThatIsKeptGivesWhatTheWholeGives() throws Exception {
    long[] ids = ids(5, 24);
    int split = 15;
    try (PlainModel model = new PlainModel(tiny(Precision.FP32), 1, false)) {
      Logits whole = model.run(new long[][] {ids});
      float[] last = new float[TINY.vocabulary()];
      for (int token = 0; token < last.length; token++) {
        last[token] = whole.at(0, ids.length - 1, token);
      }
      assertArrayEquals(last, lastLogitsAfterPrefix(model.session(), ids, split), 1e-5f);
    }
  }

  private static float[] lastLogitsAfterPrefix(OrtSession session, long[] ids, int split)
      throws Exception {
    OrtEnvironment env = OrtEnvironment.getEnvironment();
    Map<String, OnnxTensor> past = new HashMap<>();
    for (int layer = 0; layer < TINY.layers(); layer++) {
      for (String part : new String[] {"key", "value"}) {
        past.put(
            QwenGraph.past(layer, part),
            OnnxTensor.createTensor(
                env, FloatBuffer.allocate(0), new long[] {1, TINY.kvHeads(), 0, TINY.headDim()}));
      }
    }
    try (OrtSession.Result prefix = session.run(inputs(env, past, ids, 0, split))) {
      Map<String, OnnxTensor> kept = new HashMap<>();
      for (int layer = 0; layer < TINY.layers(); layer++) {
        for (String part : new String[] {"key", "value"}) {
          kept.put(
              QwenGraph.past(layer, part),
              (OnnxTensor) prefix.get(QwenGraph.present(layer, part)).orElseThrow());
        }
      }
      try (OrtSession.Result rest = session.run(inputs(env, kept, ids, split, ids.length))) {
        FloatBuffer logits =
            ((OnnxTensor) rest.get(QwenGraph.LOGITS).orElseThrow()).getFloatBuffer();
        float[] out = new float[TINY.vocabulary()];
        logits.get((ids.length - split - 1) * out.length, out);
        return out;
      }
    }
  }

  private static Map<String, OnnxTensor> inputs(
      OrtEnvironment env, Map<String, OnnxTensor> past, long[] ids, int from, int to)
      throws Exception {
    Map<String, OnnxTensor> in = new HashMap<>(past);
    long[] size = {1, to - from};
    long[] mask = new long[to];
    Arrays.fill(mask, 1);
    long[] positions = new long[to - from];
    Arrays.setAll(positions, i -> from + i);
    long[] part = Arrays.copyOfRange(ids, from, to);
    in.put("input_ids", OnnxTensor.createTensor(env, LongBuffer.wrap(part), size));
    in.put(
        "attention_mask", OnnxTensor.createTensor(env, LongBuffer.wrap(mask), new long[] {1, to}));
    in.put("position_ids", OnnxTensor.createTensor(env, LongBuffer.wrap(positions), size));
    return in;
  }

  @Test
  void int8IsCloseToFp32ButNotEqual() throws Exception {
    try (PlainModel exact = new PlainModel(tiny(Precision.FP32), 1, false);
        PlainModel quantised = new PlainModel(tiny(Precision.INT8), 1, false)) {
      double differences = 0;
      double squares = 0;
      for (int seed = 0; seed < 10; seed++) {
        long[][] text = {ids(seed, 20)};
        Logits a = exact.run(text);
        Logits b = quantised.run(text);
        for (int token = 0; token < TINY.vocabulary(); token++) {
          double x = a.at(0, 19, token);
          differences += Math.pow(x - b.at(0, 19, token), 2);
          squares += x * x;
        }
      }
      double drift = Math.sqrt(differences / squares);
      assertTrue(drift > 1e-4, "drift " + drift);
      assertTrue(drift < 0.1, "drift " + drift);
      // Sane: neither vanishing nor so large that a softmax would know one token only.
      double size = Math.sqrt(squares / 10 / TINY.vocabulary());
      assertTrue(size > 0.1 && size < 10, "logits of size " + size);
    }
  }

  @Test
  void theSameSeedMakesTheSameFilesAndAnotherOthers() throws Exception {
    GeneratedModel first = tiny(Precision.INT8);
    byte[] graph = Files.readAllBytes(first.graph());
    byte[] data = Files.readAllBytes(first.folder().resolve("model.onnx_data"));
    assertEquals(first.bytes(), graph.length + data.length);
    GeneratedModel again = GeneratedModel.in(cache.resolve("b"), TINY, Precision.INT8, SEED);
    assertArrayEquals(graph, Files.readAllBytes(again.graph()));
    assertArrayEquals(data, Files.readAllBytes(again.folder().resolve("model.onnx_data")));
    GeneratedModel other = GeneratedModel.in(cache, TINY, Precision.INT8, SEED + 1);
    assertFalse(other.folder().equals(first.folder()));
    assertFalse(Arrays.equals(data, Files.readAllBytes(other.folder().resolve("model.onnx_data"))));
  }

  @Test
  void aModelThatIsThereIsNotMadeAgainAndNothingElseIsLeft() throws Exception {
    GeneratedModel first = tiny(Precision.FP32);
    var written = Files.getLastModifiedTime(first.graph());
    assertEquals(first, tiny(Precision.FP32));
    assertEquals(written, Files.getLastModifiedTime(first.graph()));
    try (var left = Files.list(cache)) {
      assertEquals(List.of(first.folder()), left.toList());
    }
  }

  @Test
  void theFullShapeHasTheWeightsOfQwen3() {
    assertEquals(595_776_512, ModelShape.QWEN3_0_6B.weights());
  }

  @Test
  void impossibleShapesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new ModelShape(1, 16, 4, 3, 8, 16, 100));
    assertThrows(IllegalArgumentException.class, () -> new ModelShape(1, 16, 4, 2, 7, 16, 100));
    assertThrows(IllegalArgumentException.class, () -> new ModelShape(0, 16, 4, 2, 8, 16, 100));
  }
}

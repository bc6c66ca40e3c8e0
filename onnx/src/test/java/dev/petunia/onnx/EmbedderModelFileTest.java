package dev.petunia.onnx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.TextForm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbedderModelFileTest {
  private static final String QWEN =
      """
      {"name": "Qwen3-Embedding-0.6B-int8",
       "files": {"onnx": "onnx/model_quantized.onnx", "tokenizer": "tokenizer.json"},
       "pooling": "last_token",
       "normalize": true,
       "queryInstruction": "Given a web search query, retrieve relevant passages that answer the query",
       "documentPrefix": "",
       "appendToken": "<|endoftext|>",
       "maxTokens": 2048,
       "dimension": 1024}
      """;

  @TempDir Path dir;

  private EmbedderModel read(String json) {
    try {
      return EmbedderModel.read(
          Files.writeString(dir.resolve(EmbedderModel.FILE_NAME), json).getParent());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void everyFieldIsRead() {
    EmbedderModel m = read(QWEN);
    EmbedderModel expected =
        EmbedderModel.builder()
            .name("Qwen3-Embedding-0.6B-int8")
            .onnx(
                ModelSource.file(
                    dir.toAbsolutePath().resolve(Path.of("onnx/model_quantized.onnx"))))
            .tokenizer(ModelSource.file(dir.toAbsolutePath().resolve("tokenizer.json")))
            .pooling(Pooling.LAST_TOKEN)
            .queryInstruction(
                "Given a web search query, retrieve relevant passages that answer the query")
            .appendToken("<|endoftext|>")
            .maxTokens(2048)
            .dimension(1024)
            .build();
    assertEquals(expected, m);
    assertEquals(expected, m.toBuilder().build());
    assertEquals(
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:",
        m.prefix(TextForm.QUERY));
  }

  @Test
  void whatMayBeLeftOutHasTheBuildersDefaults() {
    EmbedderModel m =
        read(
            """
            {"dimension": 384, "maxTokens": 512, "pooling": "mean", "name": "e5-small-v2",
             "queryPrefix": "query: ", "documentPrefix": "passage: ",
             "files": {"tokenizer": "t.json", "onnx": "m.onnx"}}
            """);
    assertEquals("query: ", m.queryPrefix());
    assertEquals("passage: ", m.documentPrefix());
    assertEquals("", m.appendToken());
    assertTrue(m.normalize());
  }

  @Test
  void theDescriptionsInTheDocumentationAreRight() throws IOException {
    String text = Files.readString(Path.of("..", "docs", "embedding.md"));
    Matcher blocks = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL).matcher(text);
    List<String> names = new ArrayList<>();
    while (blocks.find()) {
      names.add(read(blocks.group(1)).name());
    }
    assertEquals(
        List.of("Qwen3-Embedding-0.6B-int8", "bge-base-en-v1.5-int8", "e5-base-v2-int8"), names);
  }

  @Test
  void aDescribedModelOpens() throws IOException {
    new TinyDecoder().write(dir);
    EmbedderModel m =
        read(
            """
            {"name": "tiny", "files": {"onnx": "decoder.onnx", "tokenizer": "./decoder.json"},
             "pooling": "last_token", "appendToken": "<|endoftext|>", "maxTokens": 8,
             "dimension": 6}
            """);
    try (OnnxEmbedder e = OnnxEmbedder.builder(m).threads(1).open()) {
      assertEquals(3, e.embed("w1 w2", TextForm.QUERY).tokens());
    }
    assertEquals(m, EmbedderModel.read(dir.resolve(EmbedderModel.FILE_NAME)));
  }

  @Test
  void unknownFieldsAreRefusedByName() {
    assertRefused(with("\"normalise\": true"), "field \"normalise\" is unknown", "normalize");
    assertRefused(
        QWEN.replace("\"tokenizer\":", "\"tokeniser\":"),
        "field \"files.tokeniser\" is unknown",
        "files.tokenizer");
    assertRefused(QWEN.replace("maxTokens", "max_tokens"), "\"max_tokens\" is unknown");
  }

  @Test
  void missingFieldsAreRefusedByName() {
    for (String field : new String[] {"name", "pooling", "maxTokens", "dimension"}) {
      String without = QWEN.replaceAll("\"" + field + "\": [^,}]*,?", "").replaceAll(",\\s*}", "}");
      assertRefused(without, field + " is missing");
    }
    assertRefused(QWEN.replaceAll("\"files\":[^}]*},", ""), "files is missing");
    assertRefused(
        QWEN.replace(", \"tokenizer\": \"tokenizer.json\"", ""), "files.tokenizer is missing");
    assertRefused("{}", "name is missing");
  }

  @Test
  void wrongTypesAreRefusedByName() {
    assertRefused(QWEN.replace("2048", "\"2048\""), "maxTokens is of type string", "whole number");
    assertRefused(QWEN.replace("2048", "2048.0"), "maxTokens is 2048.0", "whole number");
    assertRefused(QWEN.replace("2048", "99999999999"), "maxTokens is 99999999999");
    assertRefused(QWEN.replace("2048", "null"), "maxTokens is of type null");
    assertRefused(QWEN.replace("true", "\"true\""), "normalize is of type string", "true or false");
    assertRefused(QWEN.replace("\"<|endoftext|>\"", "151643"), "appendToken is of type number");
    assertRefused(QWEN.replaceAll("\\{\"onnx\"[^}]*}", "[]"), "files is of type array");
    assertRefused("[]", "the document is of type array", "an object");
  }

  @Test
  void wrongValuesAreRefusedByName() {
    assertRefused(QWEN.replace("2048", "2"), "maxTokens is 2", "4 to 32768");
    assertRefused(QWEN.replace("1024", "0"), "dimension is 0");
    assertRefused(
        QWEN.replace("last_token", "LAST"), "pooling is \"LAST\"", "mean, cls, last_token, graph");
    assertRefused(QWEN.replace("true", "false"), "normalize is false", "pooling last_token");
    assertRefused(QWEN.replace("Qwen3-Embedding-0.6B-int8", ""), "name is \"\"");
    assertRefused(
        with("\"queryPrefix\": \"query: \""), "queryPrefix and queryInstruction are both there");
  }

  @Test
  void aFieldThatIsThereTwiceIsRefused() {
    assertRefused(with("\"dimension\": 1024"), "dimension is there twice");
    assertRefused(
        QWEN.replace("\"tokenizer\":", "\"onnx\": \"a\", \"tokenizer\":"),
        "files.onnx is there twice");
  }

  @Test
  void filesOutsideTheFolderAreRefused() {
    for (String outside : new String[] {"../m.onnx", "/m.onnx", "a/../../m.onnx", ""}) {
      assertRefused(
          QWEN.replace("onnx/model_quantized.onnx", outside), "files.onnx is \"" + outside);
    }
    assertRefused(QWEN.replace("tokenizer.json", "\\u0000"), "files.tokenizer is");
  }

  @Test
  void whatIsNoJsonIsRefused() throws IOException {
    for (String wrong :
        new String[] {
          "",
          "x",
          QWEN.substring(0, 100),
          QWEN.replace("2048,", "2048,,"),
          "// a note\n" + QWEN,
          QWEN.replace('"', '\''),
          "{\"name\": \"a\nb\"}"
        }) {
      assertRefused(wrong, "is no JSON");
    }
    assertRefused(QWEN + "{}", "is no JSON");
    Files.write(dir.resolve(EmbedderModel.FILE_NAME), new byte[] {'{', '"', (byte) 0xff});
    assertTrue(
        assertThrows(ModelException.class, () -> EmbedderModel.read(dir))
            .getMessage()
            .contains("is no UTF-8 text"));
    assertRefused(" ".repeat(70_000), "has 70000 bytes", "at most 65536");
  }

  @Test
  void aDescriptionThatIsNotThereIsNamed() {
    Path absent = dir.resolve("absent.json");
    ModelException e = assertThrows(ModelException.class, () -> EmbedderModel.read(absent));
    assertTrue(e.getMessage().contains(absent + " doesn't exist"), e.getMessage());
    ModelException inFolder = assertThrows(ModelException.class, () -> EmbedderModel.read(dir));
    assertTrue(inFolder.getMessage().contains("petunia-model.json doesn't"), inFolder.getMessage());
  }

  private static String with(String field) {
    return QWEN.replace("\"dimension\": 1024", "\"dimension\": 1024, " + field);
  }

  private void assertRefused(String json, String... parts) {
    ModelException e = assertThrows(ModelException.class, () -> read(json), json);
    assertTrue(e.getMessage().contains("petunia-model.json"), e.getMessage());
    for (String part : parts) {
      assertTrue(e.getMessage().contains(part), () -> part + " is not in: " + e.getMessage());
    }
  }
}

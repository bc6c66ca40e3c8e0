package dev.petunia.onnx;

import com.google.gson.JsonParseException;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import dev.petunia.core.internal.Checks;
import java.io.EOFException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Reads the description of a model. The JSON reader is Gson's, which the tokenizers bring along;
 * nothing is bound by reflection, so that each refusal can name its field.
 */
final class EmbedderModelFile {
  /** The name in a folder. */
  static final String NAME = "petunia-model.json";

  /** A description has a few hundred bytes; a model file named by mistake isn't read whole. */
  private static final long MAX_BYTES = 64 * 1024;

  private static final List<String> REQUIRED =
      List.of("name", "files", "pooling", "maxTokens", "dimension");
  private static final List<String> FILES = List.of("onnx", "tokenizer");

  private final Path folder;
  private final JsonReader json;
  private final EmbedderModel.Builder model = EmbedderModel.builder();

  private EmbedderModelFile(Path folder, JsonReader json) {
    this.folder = folder;
    this.json = json;
    json.setStrictness(Strictness.STRICT);
  }

  static EmbedderModel read(Path path) {
    Path file = Files.isDirectory(path) ? path.resolve(NAME) : path;
    try (JsonReader json = new JsonReader(new StringReader(text(file)))) {
      Path folder = file.toAbsolutePath().getParent();
      return new EmbedderModelFile(folder == null ? file : folder, json).read();
    } catch (MalformedJsonException | EOFException | JsonParseException e) {
      throw wrong(file, "is no JSON: " + e.getMessage(), e);
    } catch (CharacterCodingException e) {
      throw wrong(file, "is no UTF-8 text", e);
    } catch (IOException e) {
      throw wrong(file, "can't be read: " + e, e);
    } catch (IllegalArgumentException e) {
      throw wrong(file, "is wrong: " + e.getMessage(), e);
    }
  }

  private static ModelException wrong(Path file, String what, Exception cause) {
    return new ModelException("model description " + file.toAbsolutePath() + " " + what, cause);
  }

  private static String text(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      String what = Files.exists(file) ? "is no file" : "doesn't exist";
      throw new ModelException("model description " + file.toAbsolutePath() + " " + what, null);
    }
    long size = Files.size(file);
    if (size > MAX_BYTES) {
      throw Checks.badSize("it", size + " bytes", "at most " + MAX_BYTES);
    }
    return Files.readString(file, StandardCharsets.UTF_8);
  }

  private EmbedderModel read() throws IOException {
    Set<String> seen = new HashSet<>();
    open("the document");
    while (json.hasNext()) {
      field(next(seen, ""));
    }
    json.endObject();
    if (json.peek() != JsonToken.END_DOCUMENT) {
      throw new IllegalArgumentException("there is more after the object, allowed: one object");
    }
    requireAll(REQUIRED, seen, "");
    if (seen.contains("queryPrefix") && seen.contains("queryInstruction")) {
      throw new IllegalArgumentException(
          "queryPrefix and queryInstruction are both there, allowed: one of them");
    }
    return model.build();
  }

  private void field(String name) throws IOException {
    switch (name) {
      case "name" -> model.name(text(name));
      case "files" -> files();
      case "pooling" -> model.pooling(pooling());
      case "normalize" -> model.normalize(truth(name));
      case "queryPrefix" -> model.queryPrefix(text(name));
      case "queryInstruction" -> model.queryInstruction(text(name));
      case "documentPrefix" -> model.documentPrefix(text(name));
      case "appendToken" -> model.appendToken(text(name));
      case "maxTokens" -> model.maxTokens(number(name));
      case "dimension" -> model.dimension(number(name));
      default ->
          throw unknown(
              name,
              "name, files, pooling, normalize, queryPrefix, queryInstruction, documentPrefix,"
                  + " appendToken, maxTokens, dimension");
    }
  }

  private void files() throws IOException {
    Set<String> seen = new HashSet<>();
    open("files");
    while (json.hasNext()) {
      String name = next(seen, "files.");
      switch (name) {
        case "onnx" -> model.onnx(ModelSource.file(file("files.onnx")));
        case "tokenizer" -> model.tokenizer(ModelSource.file(file("files.tokenizer")));
        default -> throw unknown("files." + name, "files.onnx, files.tokenizer");
      }
    }
    json.endObject();
    requireAll(FILES, seen, "files.");
  }

  /** A description that came with a downloaded model must not reach outside of its folder. */
  private Path file(String field) throws IOException {
    String given = Checks.id(field, text(field));
    try {
      Path path = Path.of(given).normalize();
      if (!path.isAbsolute() && path.getRoot() == null && !path.startsWith("..")) {
        return folder.resolve(path);
      }
    } catch (InvalidPathException e) {
      throw Checks.bad(field, given, "the name of a file, not: " + e.getReason());
    }
    throw Checks.bad(field, given, "a path inside the folder of the description, relative to it");
  }

  private Pooling pooling() throws IOException {
    String given = text("pooling");
    return Arrays.stream(Pooling.values())
        .filter(p -> p.label().equals(given))
        .findFirst()
        .orElseThrow(
            () ->
                Checks.bad(
                    "pooling",
                    given,
                    String.join(
                        ", ", Arrays.stream(Pooling.values()).map(Pooling::label).toList())));
  }

  private String next(Set<String> seen, String before) throws IOException {
    String name = json.nextName();
    if (!seen.add(name)) {
      throw new IllegalArgumentException(before + name + " is there twice, allowed: once");
    }
    return name;
  }

  private static void requireAll(List<String> names, Set<String> seen, String before) {
    for (String name : names) {
      if (!seen.contains(name)) {
        throw new IllegalArgumentException(before + name + " is missing, and is required");
      }
    }
  }

  private static IllegalArgumentException unknown(String field, String allowed) {
    return new IllegalArgumentException(
        "field " + Checks.show(field) + " is unknown, allowed: " + allowed);
  }

  private void open(String field) throws IOException {
    expect(field, JsonToken.BEGIN_OBJECT, "an object");
    json.beginObject();
  }

  private String text(String field) throws IOException {
    expect(field, JsonToken.STRING, "a string");
    return json.nextString();
  }

  private boolean truth(String field) throws IOException {
    expect(field, JsonToken.BOOLEAN, "true or false");
    return json.nextBoolean();
  }

  private int number(String field) throws IOException {
    expect(field, JsonToken.NUMBER, "a whole number");
    String given = json.nextString();
    try {
      return Integer.parseInt(given); // 256.0 and 1e3 aren't
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(field + " is " + given + ", allowed: a whole number", e);
    }
  }

  private void expect(String field, JsonToken wanted, String allowed) throws IOException {
    JsonToken there = json.peek();
    if (there != wanted) {
      String shown = there.name().toLowerCase(Locale.ROOT).replace("begin_", "");
      throw new IllegalArgumentException(field + " is of type " + shown + ", allowed: " + allowed);
    }
  }
}

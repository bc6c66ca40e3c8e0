package dev.petunia.onnx.internal;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.petunia.onnx.ModelException;
import dev.petunia.onnx.ModelSource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** What a {@code tokenizer.json} says, for questions that the native library has no call for. */
public final class TokenizerFile {
  private final ModelSource source;
  private final JsonObject root;

  private TokenizerFile(ModelSource source, JsonObject root) {
    this.source = source;
    this.root = root;
  }

  /**
   * Reads it whole.
   *
   * @throws ModelException when it is missing or no JSON object
   */
  public static TokenizerFile read(ModelSource source) {
    byte[] json = ModelFiles.read(source);
    return guarded(
        source,
        () -> {
          String text = new String(json, StandardCharsets.UTF_8);
          return new TokenizerFile(source, JsonParser.parseString(text).getAsJsonObject());
        });
  }

  /** The id of a token, an added one or one of the vocabulary. */
  public OptionalLong id(String token) {
    return guarded(
        source,
        () -> {
          for (JsonElement added : array(root, "added_tokens")) {
            if (member(added, "content").getAsString().equals(token)) {
              return OptionalLong.of(member(added, "id").getAsLong());
            }
          }
          // a list with other contents in models that aren't word pieces or byte pairs
          boolean map =
              root.get("model") instanceof JsonObject m && m.get("vocab") instanceof JsonObject;
          JsonElement id =
              map ? root.getAsJsonObject("model").getAsJsonObject("vocab").get(token) : null;
          return id == null ? OptionalLong.empty() : OptionalLong.of(id.getAsLong());
        });
  }

  /** Whether the post-processor is a template that puts {@code token} at the end of each text. */
  public boolean endsTextsWith(String token) {
    return guarded(
        source,
        () -> {
          for (JsonObject p : postProcessors()) {
            JsonArray single = array(p, "single");
            if (single.isEmpty()) {
              continue;
            }
            JsonElement last = single.get(single.size() - 1).getAsJsonObject().get("SpecialToken");
            if (last != null && member(last, "id").getAsString().equals(token)) {
              return true;
            }
          }
          return false;
        });
  }

  private List<JsonObject> postProcessors() {
    List<JsonObject> out = new ArrayList<>();
    if (root.get("post_processor") instanceof JsonObject one) {
      out.add(one);
      for (JsonElement part : array(one, "processors")) {
        out.add(part.getAsJsonObject());
      }
    }
    return out;
  }

  private static JsonArray array(JsonObject object, String name) {
    return object.get(name) instanceof JsonArray a ? a : new JsonArray();
  }

  private static JsonElement member(JsonElement object, String name) {
    JsonElement value = object.getAsJsonObject().get(name);
    if (value == null) {
      throw new IllegalStateException("an object without " + name);
    }
    return value;
  }

  private static <T> T guarded(ModelSource source, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (JsonParseException
        | IllegalStateException
        | UnsupportedOperationException
        | NumberFormatException e) {
      throw new ModelException(
          source + " is no tokenizer.json that can be loaded: " + e.getMessage(), e);
    }
  }
}

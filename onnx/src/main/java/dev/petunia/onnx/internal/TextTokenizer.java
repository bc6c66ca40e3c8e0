package dev.petunia.onnx.internal;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import dev.petunia.core.IndexClosedException;
import dev.petunia.core.internal.Checks;
import dev.petunia.onnx.ModelException;
import dev.petunia.onnx.ModelSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * A tokenizer of Hugging Face. Safe for many threads. Each text is tokenised on the calling thread:
 * the batch call of the native library would start one thread per processor.
 */
public final class TextTokenizer implements AutoCloseable {
  /** Characters of a text that are looked at, at first, for each token that is wanted. */
  private static final int CHARS_PER_TOKEN = 32;

  /** Most UTF-16 units of a text that are looked at when the number of tokens is limited. */
  static final int MAX_CHARS = 1 << 20;

  /** Fewest characters that are looked at, at first; more than {@link #WORD}. */
  private static final int FEWEST_CHARS = 2048;

  /** How far before a cut the end of a word is searched, so that no word is cut. */
  private static final int WORD = 256;

  private final HuggingFaceTokenizer tokenizer;
  private final TokenizerSettings settings;
  private final CloseGate gate;

  private TextTokenizer(
      HuggingFaceTokenizer tokenizer, TokenizerSettings settings, ModelSource source) {
    this.tokenizer = tokenizer;
    this.settings = settings;
    this.gate = new CloseGate("tokenizer of " + source);
  }

  /**
   * The tokens of a text.
   *
   * @param ids special tokens included
   * @param typeIds one per token; 0 in a single text
   * @param truncated there were more
   */
  @SuppressWarnings("ArrayRecordComponent") // a carrier of results
  public record Tokens(long[] ids, long[] typeIds, boolean truncated) {}

  /**
   * Loads a {@code tokenizer.json}.
   *
   * @throws ModelException when it is missing or not one
   */
  public static TextTokenizer open(ModelSource source, TokenizerSettings settings) {
    byte[] json = ModelFiles.read(source);
    if (!settings.readSpecialTokens()) {
      json = withoutSpecialTokens(json, source, settings.readAddedTokens());
    }
    Natives.tokenizers();
    try {
      HuggingFaceTokenizer tokenizer =
          HuggingFaceTokenizer.newInstance(new ByteArrayInputStream(json), options(settings));
      return new TextTokenizer(tokenizer, settings, source);
    } catch (IOException | RuntimeException e) {
      throw notOne(source, e);
    }
  }

  private static ModelException notOne(ModelSource source, Exception e) {
    return new ModelException(
        source + " is no tokenizer.json that can be loaded: " + e.getMessage(), e);
  }

  private static Map<String, String> options(TokenizerSettings s) {
    Map<String, String> o = new HashMap<>();
    o.put("padding", "false");
    o.put("addSpecialTokens", Boolean.toString(s.addSpecialTokens()));
    o.put("truncation", Boolean.toString(s.limited()));
    if (s.limited()) {
      o.put("maxLength", Integer.toString(s.maxTokens()));
      o.put("modelMaxLength", Integer.toString(s.maxTokens()));
    }
    return o;
  }

  /**
   * The native library has no switch to read special tokens as text, but it only finds those that
   * the file lists as added. The post-processor has its own list and still adds them.
   */
  private static byte[] withoutSpecialTokens(
      byte[] json, ModelSource source, boolean readAddedTokens) {
    try {
      JsonObject root =
          JsonParser.parseString(new String(json, StandardCharsets.UTF_8)).getAsJsonObject();
      JsonElement added = root.get("added_tokens");
      if (added != null && added.isJsonArray()) {
        JsonArray kept = new JsonArray();
        for (JsonElement token : added.getAsJsonArray()) {
          JsonElement special = token.getAsJsonObject().get("special");
          if (readAddedTokens && (special == null || !special.getAsBoolean())) {
            kept.add(token);
          }
        }
        root.add("added_tokens", kept);
      }
      return root.toString().getBytes(StandardCharsets.UTF_8);
    } catch (JsonParseException | IllegalStateException | UnsupportedOperationException e) {
      throw notOne(source, e);
    }
  }

  /**
   * The tokens of {@code prefix + text}. With a limit, only as much of a huge text is tokenised as
   * the limit needs: memory doesn't grow with the text.
   *
   * @throws IllegalArgumentException when the text has an unpaired surrogate
   * @throws IndexClosedException when closed
   */
  public Tokens encode(String prefix, String text) {
    Checks.wellFormed("text", text);
    gate.enter();
    try {
      if (!settings.limited()) {
        return tokens(tokenizer.encode(prefix + text), false);
      }
      long want = Math.max(FEWEST_CHARS, (long) CHARS_PER_TOKEN * settings.maxTokens());
      while (true) {
        int end = cut(text, (int) Math.min(want, MAX_CHARS));
        Encoding e = tokenizer.encode(prefix + text.substring(0, end));
        boolean whole = end == text.length();
        if (whole || e.exceedMaxLength() || want >= MAX_CHARS) {
          return tokens(e, !whole || e.exceedMaxLength());
        }
        want *= 8; // mostly white space, or endless words: look at more of it
      }
    } finally {
      gate.exit();
    }
  }

  /** The tokens of a text without a prefix. */
  public Tokens encode(String text) {
    return encode("", text);
  }

  /**
   * The tokens of two short texts as one input, with the special tokens that the model puts around
   * and between them. Not cut.
   *
   * @throws IndexClosedException when closed
   */
  public Tokens encodePair(String first, String second) {
    gate.enter();
    try {
      return tokens(
          tokenizer.encode(
              Checks.wellFormed("first", first),
              Checks.wellFormed("second", second),
              settings.addSpecialTokens(),
              false),
          false);
    } finally {
      gate.exit();
    }
  }

  private static Tokens tokens(Encoding e, boolean truncated) {
    return new Tokens(e.getIds(), e.getTypeIds(), truncated);
  }

  /**
   * The end of a part of about {@code length}: between words, or at least between characters. The
   * words before it are the same as in the whole text. A word that is longer than {@link #WORD} is
   * cut; such a word is noise, and unknown to most models.
   */
  private static int cut(String text, int length) {
    if (text.length() <= length) {
      return text.length();
    }
    for (int i = length; i > length - WORD; i--) {
      if (endsWord(text.charAt(i - 1))) {
        return i;
      }
    }
    return Character.isLowSurrogate(text.charAt(length)) ? length - 1 : length;
  }

  private static boolean endsWord(char c) {
    return Character.isWhitespace(c)
        || Character.isIdeographic(c)
        || switch (Character.getType(c)) {
          case Character.CONNECTOR_PUNCTUATION,
              Character.DASH_PUNCTUATION,
              Character.START_PUNCTUATION,
              Character.END_PUNCTUATION,
              Character.INITIAL_QUOTE_PUNCTUATION,
              Character.FINAL_QUOTE_PUNCTUATION,
              Character.OTHER_PUNCTUATION ->
              true;
          default -> false;
        };
  }

  /** Waits for running calls, then frees the tokenizer. */
  @Override
  public void close() {
    if (gate.close()) {
      tokenizer.close();
    }
  }
}

package dev.petunia.onnx;

import dev.petunia.onnx.internal.TextTokenizer.Tokens;
import dev.petunia.onnx.internal.TokenizerFile;
import java.util.Arrays;

/**
 * Puts a model's last token after each text, whatever was cut before it. Some files of one model do
 * that themselves and others don't (Qwen3-Embedding); the result is the same.
 *
 * @param token the token, empty for none
 * @param id its id
 * @param count tokens that are appended here, 0 or 1
 */
record TokenAppender(EmbedderModel model, String token, long id, int count) {
  /**
   * @throws ModelException when the tokenizer is damaged or has no such token
   */
  static TokenAppender of(EmbedderModel model) {
    String token = model.appendToken();
    if (token.isEmpty()) {
      return new TokenAppender(model, token, -1, 0);
    }
    TokenizerFile file = TokenizerFile.read(model.tokenizer());
    long id =
        file.id(token)
            .orElseThrow(
                () ->
                    new ModelException(
                        model.tokenizer()
                            + " has no token "
                            + token
                            + " (appendToken of "
                            + model.name()
                            + ")",
                        null));
    return new TokenAppender(model, token, id, file.endsTextsWith(token) ? 0 : 1);
  }

  Tokens append(Tokens tokens) {
    if (count == 0) {
      return tokens;
    }
    int n = tokens.ids().length;
    long[] ids = Arrays.copyOf(tokens.ids(), n + 1);
    ids[n] = id;
    return new Tokens(ids, Arrays.copyOf(tokens.typeIds(), n + 1), tokens.truncated());
  }

  /** That an encoded word ends with the token, once. */
  void check(Tokens word) {
    long[] ids = word.ids();
    int n = ids.length;
    if (!token.isEmpty() && (ids[n - 1] != id || (n > 1 && ids[n - 2] == id))) {
      throw new ModelException(
          "texts of "
              + model.name()
              + " don't end with one "
              + token
              + " (appendToken, id "
              + id
              + "), but with "
              + Arrays.toString(Arrays.copyOfRange(ids, Math.max(0, n - 3), n)),
          null);
    }
  }
}

package dev.petunia.rerank;

import dev.petunia.core.internal.Checks;
import dev.petunia.onnx.ModelException;
import dev.petunia.onnx.ModelSource;
import dev.petunia.onnx.internal.TextTokenizer;
import dev.petunia.onnx.internal.TokenizerSettings;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The prompt of Qwen3-Reranker, as its model card's code makes it: one line break between the
 * fields, the parts tokenised apart. The model's own tokens are read in the template only; in
 * instruction, query and passages they are text.
 *
 * <pre>{@code
 * PREFIX <Instruct>: {instruction}\n<Query>: {query}\n<Document>:  {passage}  SUFFIX
 * └──────────────── head, shared by all passages ───────────────┘└ cut ┘└ tail, never cut
 * }</pre>
 *
 * <p>The space before the passage belongs to the passage's first token: the tokenizer splits before
 * it whatever follows.
 */
final class QwenPrompt implements Prompt {
  static final String PREFIX =
      "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and"
          + " the Instruct provided. Note that the answer can only be \"yes\" or"
          + " \"no\".<|im_end|>\n<|im_start|>user\n";
  static final String SUFFIX = "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n";

  /** Ids of the published tokenizer, whose {@code <|im_start|>} has this id. */
  private static final long REAL_START = 151_644;

  private static final long[] REAL_PREFIX = {
    151644, 8948, 198, 60256, 3425, 279, 11789, 20027, 279, 8502, 3118, 389, 279, 11361, 323, 279,
    758, 1235, 3897, 13, 7036, 429, 279, 4226, 646, 1172, 387, 330, 9693, 1, 476, 330, 2152, 3263,
    151645, 198, 151644, 872, 198
  };
  private static final long[] REAL_SUFFIX = {
    151645, 198, 151644, 77091, 198, 151667, 271, 151668, 271
  };
  private static final long[] REAL_FIELDS = {
    27, 641, 1235, 26818, 198, 27, 2859, 26818, 198, 75692, 26818
  };

  private final TextTokenizer template;
  private final TextTokenizer text;
  private final String instruction;
  private final int maxTokens;
  private final int maxDocument;
  private final long[] prefix;
  private final long[] suffix;
  private final int[] noYes;
  private final String check;

  QwenPrompt(ModelSource tokenizer, String instruction, int maxTokens, int maxDocument) {
    this.instruction = instruction;
    this.maxTokens = maxTokens;
    this.maxDocument = maxDocument;
    template =
        TextTokenizer.open(
            tokenizer, new TokenizerSettings(TokenizerSettings.NO_LIMIT, false, true));
    try {
      text = TextTokenizer.open(tokenizer, TokenizerSettings.literal(maxTokens));
    } catch (Throwable e) {
      template.close();
      throw e;
    }
    try {
      prefix = template.encode(PREFIX).ids();
      suffix = template.encode(SUFFIX).ids();
      noYes = new int[] {word(tokenizer, "no"), word(tokenizer, "yes")};
      check = checkTemplate(tokenizer);
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  /** Whether a tokenizer has the tokens of the template. */
  static boolean fits(TextTokenizer readsSpecialTokens) {
    return readsSpecialTokens.encode("<|im_start|>").ids().length == 1
        && readsSpecialTokens.encode("<|im_end|>").ids().length == 1;
  }

  private int word(ModelSource tokenizer, String word) {
    long[] ids = text.encode(word).ids();
    if (ids.length != 1) {
      throw new ModelException(
          tokenizer + " makes " + ids.length + " tokens of \"" + word + "\", expected 1", null);
    }
    return Math.toIntExact(ids[0]);
  }

  private String checkTemplate(ModelSource tokenizer) {
    if (!fits(template)) {
      throw new ModelException(tokenizer + " has no tokens <|im_start|> and <|im_end|>", null);
    }
    if (prefix[0] != REAL_START) {
      return "template ids of a vocabulary of its own";
    }
    long[] apart =
        LongStream.concat(
                Arrays.stream(text.encode("<Instruct>:").ids()),
                LongStream.concat(
                    Arrays.stream(text.encode("\n<Query>:").ids()),
                    Arrays.stream(text.encode("\n<Document>:").ids())))
            .toArray();
    boolean same =
        Arrays.equals(prefix, REAL_PREFIX)
            && Arrays.equals(suffix, REAL_SUFFIX)
            && Arrays.equals(apart, REAL_FIELDS)
            && noYes[0] == 2152
            && noYes[1] == 9693;
    if (!same) {
      throw new ModelException(
          tokenizer + " has Qwen3's vocabulary but makes other tokens of the template", null);
    }
    return "template ids as published";
  }

  @Override
  public Frame frame(String query) {
    Checks.wellFormed("query", query);
    TextTokenizer.Tokens body =
        text.encode("<Instruct>: " + instruction + "\n<Query>: " + query + "\n<Document>:");
    int used = prefix.length + body.ids().length + suffix.length;
    if (body.truncated() || used + LEAST_DOCUMENT > maxTokens) {
      throw Checks.badSize(
          "query",
          (body.truncated() ? "more than " + maxTokens : used) + " tokens with the template",
          "at most " + (maxTokens - LEAST_DOCUMENT) + " (maxTokens is " + maxTokens + ")");
    }
    long[] head = LongStream.concat(Arrays.stream(prefix), Arrays.stream(body.ids())).toArray();
    int room = Math.min(maxTokens - used, maxDocument);
    return new Frame(head, new long[head.length], 0, suffix, new long[suffix.length], room);
  }

  @Override
  public Scorer.Document document(Frame frame, String passage) {
    return Prompt.cut(text.encode(" ", passage), frame);
  }

  @Override
  public String check() {
    return check;
  }

  @Override
  public int[] noYes() {
    return noYes.clone();
  }

  @Override
  public void close() {
    template.close();
    text.close();
  }
}

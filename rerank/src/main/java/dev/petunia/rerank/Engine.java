package dev.petunia.rerank;

import dev.petunia.core.Deadline;
import dev.petunia.core.Reranker.Reranking;
import dev.petunia.core.Ticker;
import dev.petunia.onnx.ModelException;
import dev.petunia.onnx.ModelSource;
import dev.petunia.onnx.internal.OnnxSession;
import dev.petunia.onnx.internal.SessionSettings;
import dev.petunia.onnx.internal.TextTokenizer;
import dev.petunia.onnx.internal.TokenizerSettings;
import dev.petunia.rerank.internal.graph.NotRewritable;
import dev.petunia.rerank.internal.graph.OnnxFile;
import dev.petunia.rerank.internal.graph.Rewritten;
import dev.petunia.rerank.internal.graph.YesNoRewriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A loaded model with its threads. */
final class Engine implements AutoCloseable {
  private static final int QWEN_TOKENS = 1024;
  private static final int PAIR_TOKENS = 512;
  private static final Duration WARM_UP = Duration.ofMinutes(10);

  /** Part of the heap that weights may take which can't be read from their file. */
  private static final int HEAP_SHARE = 4;

  private final Prompt prompt;
  private final OnnxSession session;
  private final GraphScorer scorer;
  private final Workers workers;
  private final Job.Shared shared;
  private final String label;
  private final String selfCheck;

  private Engine(
      Prompt prompt,
      OnnxSession session,
      GraphScorer scorer,
      Workers workers,
      Job.Shared shared,
      String label,
      String selfCheck) {
    this.prompt = prompt;
    this.session = session;
    this.scorer = scorer;
    this.workers = workers;
    this.shared = shared;
    this.label = label;
    this.selfCheck = selfCheck;
  }

  /**
   * Loads and checks.
   *
   * @throws ModelException when the model can't be used; everything opened is closed again
   */
  static Engine load(CrossEncoderConfig config, Ticker ticker) {
    ModelLocation where = ModelLocation.find(config);
    Facts facts = Facts.read(where.graph());
    Prompt prompt = prompt(config, where, facts);
    try {
      return load(config, ticker, where, facts, prompt);
    } catch (Throwable e) {
      prompt.close();
      throw e;
    }
  }

  private static Engine load(
      CrossEncoderConfig config, Ticker ticker, ModelLocation where, Facts facts, Prompt prompt) {
    Opened opened = Opened.open(config, where.graph(), facts, prompt.noYes());
    try {
      GraphScorer scorer =
          new GraphScorer(opened.session, opened.signature, prompt, config.reusePrefix());
      GraphScorer alone = new GraphScorer(opened.session, opened.signature, prompt, false);
      CostModel cost = new CostModel();
      String found =
          prompt.check()
              + "; "
              + new SelfCheck(scorer, alone, facts.precision.equals("fp32"), cost, ticker)
                  .run(config.check(), folder(where.graph()))
              + opened.note;
      String label =
          where.name()
              + ' '
              + facts.precision
              + " ("
              + opened.how
              + (scorer.reusesPrefix() ? ", prefix reused)" : ")");
      ScoreCache cache =
          new ScoreCache(config.cacheBytes(), label + '\0' + where.graph() + '\0' + config);
      Workers workers = new Workers(where.name(), config.workers());
      warmUp(workers, new Job.Shared(cost, new ScoreCache(0, ""), new Health(), ticker), scorer);
      return new Engine(
          prompt,
          opened.session,
          scorer,
          workers,
          new Job.Shared(cost, cache, new Health(), ticker),
          label,
          found);
    } catch (Throwable e) {
      opened.session.close();
      throw e;
    }
  }

  /** One request by the way that all go, so that the first user doesn't wait for cold code. */
  private static void warmUp(Workers workers, Job.Shared shared, GraphScorer scorer) {
    try {
      Deadline soon = Deadline.after(WARM_UP);
      Reranking r = workers.run(shared, scorer, SelfCheck.QUERY, SelfCheck.PASSAGES, soon);
      if (r.scored() == 0) {
        throw new ModelException("no score in " + WARM_UP + ": " + r.shortfall(), null);
      }
    } catch (Throwable e) {
      workers.close();
      throw e;
    }
  }

  private static Path folder(Path file) {
    Path parent = file.getParent();
    return parent == null ? Path.of("") : parent;
  }

  private static Prompt prompt(CrossEncoderConfig config, ModelLocation where, Facts facts) {
    ModelSource tokenizer = ModelSource.file(where.tokenizer());
    PromptStyle style = config.style();
    if (style == PromptStyle.AUTO) {
      style = facts.takesTypes || !hasTemplate(tokenizer) ? PromptStyle.PAIR : PromptStyle.QWEN3;
    }
    int cut = config.maxDocumentTokens();
    return style == PromptStyle.PAIR
        ? new PairPrompt(tokenizer, config.maxTokens().orElse(PAIR_TOKENS), cut)
        : new QwenPrompt(
            tokenizer, config.instruction(), config.maxTokens().orElse(QWEN_TOKENS), cut);
  }

  private static boolean hasTemplate(ModelSource tokenizer) {
    try (TextTokenizer t =
        TextTokenizer.open(
            tokenizer, new TokenizerSettings(TokenizerSettings.NO_LIMIT, false, true))) {
      return QwenPrompt.fits(t);
    }
  }

  /**
   * What is known from the file itself.
   *
   * @param file null when it couldn't be read; ONNX Runtime says why, or can read it all the same
   * @param unread why
   */
  private record Facts(
      @Nullable OnnxFile file, String precision, boolean takesTypes, String unread) {
    static Facts read(Path graph) {
      try {
        OnnxFile file = OnnxFile.read(graph);
        return new Facts(file, file.precision(), file.hasInput(Signature.TYPES), "");
      } catch (IOException | RuntimeException e) {
        return new Facts(null, "of unknown precision", false, String.valueOf(e.getMessage()));
      }
    }
  }

  /**
   * @param how for the label
   * @param note for the self-check: why it wasn't rewritten
   */
  private record Opened(OnnxSession session, Signature signature, String how, String note) {
    static Opened open(CrossEncoderConfig config, Path graph, Facts facts, int[] noYes) {
      SessionSettings settings = SessionSettings.withThreads(config.intraOpThreads());
      String note = "";
      OnnxFile file = facts.file;
      if (file == null) {
        note = "; not rewritten: " + facts.unread;
      } else if (config.rewrite() && noYes.length == 2) {
        try {
          if (!file.isLanguageModel("logits")) {
            return of(OnnxSession.open(ModelSource.file(graph), settings), graph, null, "", "");
          }
          Rewritten r =
              YesNoRewriter.rewrite(
                  file,
                  "logits",
                  noYes[0],
                  noYes[1],
                  Runtime.getRuntime().maxMemory() / HEAP_SHARE);
          return of(
              OnnxSession.open(ModelSource.file(graph), r.model(), r.folder(), settings),
              graph,
              r.output(),
              r.label(),
              "");
        } catch (NotRewritable | IOException | ModelException e) {
          note = "; not rewritten: " + e.getMessage();
        }
      }
      OnnxSession session = OnnxSession.open(ModelSource.file(graph), settings);
      return of(session, graph, null, "", note);
    }

    private static Opened of(
        OnnxSession session, Path graph, @Nullable String rewritten, String how, String note) {
      try {
        Signature s = Signature.of(graph, session.inputs(), session.outputs(), rewritten);
        String label =
            switch (s.kind()) {
              case VOCABULARY -> "all logits";
              case NO_YES -> how.isEmpty() ? "two logits" : how;
              case ONE -> "one logit";
            };
        return new Opened(session, s, label, note);
      } catch (Throwable e) {
        session.close();
        throw e;
      }
    }
  }

  String label() {
    return label;
  }

  String selfCheck() {
    return selfCheck;
  }

  /** Why the model was given up while it ran. */
  Optional<String> failure() {
    return shared.health().cause();
  }

  Reranking run(String query, List<String> passages, Deadline deadline) {
    return workers.run(shared, scorer, query, passages, deadline);
  }

  @Override
  public void close() {
    workers.close();
    session.close();
    prompt.close();
  }
}

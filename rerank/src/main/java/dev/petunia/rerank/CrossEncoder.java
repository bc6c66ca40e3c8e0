package dev.petunia.rerank;

import dev.petunia.core.Deadline;
import dev.petunia.core.IndexClosedException;
import dev.petunia.core.Readiness;
import dev.petunia.core.Reranker;
import dev.petunia.core.Ticker;
import dev.petunia.core.internal.Checks;
import dev.petunia.onnx.ModelException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cross-encoder: reads query and passage together and says how well the passage answers. For
 * exports of Qwen3-Reranker (with or without position ids, past keys and values, external data; all
 * logits, (no, yes) or one) and for BERT-style models with one logit.
 *
 * <p>Scores passages in the order given, so the most promising come first when the deadline cuts
 * the rest off. A score is {@code sigmoid(yes − no)}; the difference itself is the logit. The same
 * pair always gets the same bits from one opened model, whatever else is asked.
 *
 * <p>Safe for many threads. Closing stops running passages, answers waiting callers with {@link
 * Reranker.Cause#CLOSED} and then frees the model.
 */
public final class CrossEncoder implements Reranker {
  private static final Logger LOG = LoggerFactory.getLogger(CrossEncoder.class);

  private final CrossEncoderConfig config;
  private final Ticker ticker;
  private final String name;
  private final Object lock = new Object();

  /** Written under the lock. */
  private volatile State state = new Loading();

  private sealed interface State {}

  private record Loading() implements State {}

  private record Loaded(Engine engine) implements State {}

  private record Failed(String cause) implements State {}

  private record Closed(Optional<Engine> engine, String label) implements State {}

  /** Guarded by the lock: nothing of the loader is in use any more. */
  private boolean loaderDone;

  private CrossEncoder(CrossEncoderConfig config, Ticker ticker) {
    this.config = Checks.present("config", config);
    this.ticker = ticker;
    this.name = ModelLocation.name(config);
  }

  /**
   * Loads a model and waits until it is ready.
   *
   * @throws ModelException when it can't be used: the message says what is wrong with which file
   */
  public static CrossEncoder open(CrossEncoderConfig config) {
    return open(config, Ticker.SYSTEM);
  }

  static CrossEncoder open(CrossEncoderConfig config, Ticker ticker) {
    CrossEncoder e = new CrossEncoder(config, ticker);
    e.state = new Loaded(Engine.load(config, ticker));
    e.loaderDone = true;
    return e;
  }

  /**
   * Returns at once and loads on a thread of its own. Until then requests are answered with {@link
   * Reranker.Cause#MODEL_LOADING}; when loading fails, with {@link Reranker.Cause#MODEL_FAILED}.
   */
  public static CrossEncoder openInBackground(CrossEncoderConfig config) {
    CrossEncoder e = new CrossEncoder(config, Ticker.SYSTEM);
    Thread.ofPlatform().daemon().name("petunia-rerank-load-" + e.name).start(e::load);
    return e;
  }

  private void load() {
    Engine engine = null;
    String failure = "";
    try {
      engine = Engine.load(config, ticker);
    } catch (ModelException | IllegalArgumentException e) {
      failure = String.valueOf(e.getMessage());
    } catch (Throwable e) {
      failure = e.toString();
      LOG.warn("Cross-encoder {} can't be loaded", name, e);
    }
    synchronized (lock) {
      if (state instanceof Loading) {
        state = engine == null ? new Failed(failure) : new Loaded(engine);
        engine = null;
      }
    }
    if (engine != null) {
      engine.close(); // closed meanwhile
    }
    synchronized (lock) {
      loaderDone = true;
      lock.notifyAll();
    }
  }

  /**
   * Waits until loading has ended, well or not, or the time is up.
   *
   * @return whether it can score now
   */
  public boolean awaitReady(Duration atMost) throws InterruptedException {
    long wait = nanos(Checks.present("atMost", atMost));
    long began = System.nanoTime();
    synchronized (lock) {
      while (state instanceof Loading) {
        long left = wait - (System.nanoTime() - began);
        if (left <= 0) {
          return false;
        }
        TimeUnit.NANOSECONDS.timedWait(lock, left);
      }
    }
    return readiness().ready();
  }

  /** In nanoseconds; what is longer than 292 years is that long. */
  private static long nanos(Duration d) {
    if (d.isNegative()) {
      return 0;
    }
    return d.compareTo(Duration.ofNanos(Long.MAX_VALUE)) > 0 ? Long.MAX_VALUE : d.toNanos();
  }

  /**
   * Name, precision and how it runs, such as {@code Qwen3-Reranker-0.6B int8 (last position, prefix
   * reused)}; only the name until it is loaded.
   */
  @Override
  public String label() {
    return switch (state) {
      case Loaded l -> l.engine.label();
      case Closed c -> c.label;
      case Loading l -> name;
      case Failed f -> name;
    };
  }

  @Override
  public Readiness readiness() {
    State now = state;
    Readiness.Model model =
        switch (now) {
          case Loading l ->
              new Readiness.Model(
                  name, Readiness.State.LOADING, Optional.empty(), Optional.empty());
          case Failed f -> failed(name, f.cause, null);
          case Closed c -> failed(c.label, "closed", null);
          case Loaded l ->
              l.engine
                  .failure()
                  .map(why -> failed(l.engine.label(), why, l.engine.selfCheck()))
                  .orElseGet(
                      () ->
                          new Readiness.Model(
                              l.engine.label(),
                              Readiness.State.READY,
                              Optional.empty(),
                              Optional.of(l.engine.selfCheck())));
        };
    return () -> List.of(model);
  }

  private static Readiness.Model failed(String label, String why, @Nullable String selfCheck) {
    return new Readiness.Model(
        label, Readiness.State.FAILED, Optional.of(why), Optional.ofNullable(selfCheck));
  }

  /**
   * {@inheritDoc}
   *
   * <p>Returns within a few milliseconds of the deadline, with every score that was computed by
   * then. When it has already passed, at once and without any. A passage that can't be expected to
   * end in time isn't started. When the calling thread is interrupted, it returns what there is
   * with {@link Reranker.Cause#DEADLINE}, and the thread stays interrupted.
   *
   * @throws IllegalArgumentException when a text has an unpaired surrogate (texts behind the point
   *     where the deadline passed aren't looked at), or the query leaves no room for passages
   */
  @Override
  public Reranking rerank(String query, List<String> passages, Deadline deadline) {
    Checks.wellFormed("query", query);
    List<String> texts = Checks.list("passages", passages);
    Checks.present("deadline", deadline);
    for (int i = 0; i < texts.size(); i++) {
      if (i > 0 && deadline.passed()) {
        break; // megabytes of text take their time; none of them will be used
      }
      Checks.wellFormed("passages[" + i + "]", texts.get(i));
    }
    if (texts.isEmpty()) {
      return new Reranking(List.of(), Optional.empty());
    }
    return switch (state) {
      case Loading l -> none(texts, Cause.MODEL_LOADING, name + " is being loaded");
      case Failed f -> none(texts, Cause.MODEL_FAILED, name + " can't be used: " + f.cause);
      case Closed c -> none(texts, Cause.CLOSED, c.label + " is closed");
      case Loaded l -> rerank(l.engine, query, texts, deadline);
    };
  }

  private static Reranking rerank(
      Engine engine, String query, List<String> texts, Deadline deadline) {
    Optional<String> failure = engine.failure();
    if (failure.isPresent()) {
      return none(texts, Cause.MODEL_FAILED, engine.label() + " failed: " + failure.get());
    }
    if (deadline.passed()) {
      return none(
          texts, Cause.DEADLINE, "the deadline had passed before the first passage was begun");
    }
    try {
      return engine.run(query, texts, deadline);
    } catch (IndexClosedException e) {
      return none(texts, Cause.CLOSED, engine.label() + " is closed");
    } catch (ModelException e) {
      return none(texts, Cause.SCORER_ERROR, String.valueOf(e.getMessage()));
    }
  }

  private static Reranking none(List<String> texts, Cause cause, String detail) {
    return new Reranking(
        Collections.nCopies(texts.size(), Score.absent()),
        Optional.of(new Shortfall(cause, detail)));
  }

  /**
   * Stops running passages, waits for them (and for loading, which can't be stopped), and frees the
   * model.
   */
  @Override
  public void close() {
    String label = label();
    Optional<Engine> engine = Optional.empty();
    boolean interrupted = false;
    synchronized (lock) {
      boolean loading = state instanceof Loading;
      if (!(state instanceof Closed)) {
        engine = state instanceof Loaded l ? Optional.of(l.engine) : Optional.empty();
        state = new Closed(engine, label);
      } else if (state instanceof Closed c) {
        engine = c.engine; // a second caller waits as well
      }
      lock.notifyAll();
      while (loading && !loaderDone) {
        try {
          lock.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    engine.ifPresent(Engine::close);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

package dev.petunia.rerank;

import dev.petunia.core.Deadline;
import dev.petunia.core.IndexClosedException;
import dev.petunia.core.Reranker.Cause;
import dev.petunia.core.Reranker.Reranking;
import dev.petunia.core.Reranker.Score;
import dev.petunia.core.Reranker.Shortfall;
import dev.petunia.core.Ticker;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One request: which passages are still to be scored, and what came out.
 *
 * <p>Fields are guarded by the lock of {@link Workers}; scoring itself runs without it. The
 * question is freed by whoever leaves last, the caller or a worker that was still winding down when
 * the caller had to go.
 */
final class Job {
  /** Returned by {@link #claim}: nothing to do now. */
  static final int NOTHING = -2;

  /** Returned by {@link #claim}: the shared prefix. */
  static final int PREFIX = -1;

  /** Passages in a row that may be tokenised and then left out as too long for the time left. */
  private static final int MOST_SKIPS = 8;

  /** What all jobs of a model share. */
  record Shared(CostModel cost, ScoreCache cache, Health health, Ticker ticker) {}

  private final Shared shared;
  private final Scorer.Question question;
  private final List<String> passages;
  private final Deadline deadline;
  private final ReentrantLock lock;
  private final Condition done;

  private final ScoreCache.Key[] keys;
  private final @Nullable Score[] scores;
  private final @Nullable Shortfall[] missing;
  private final boolean[] truncated;

  /** Indexes to score, in order: without those in the cache and those that repeat a text. */
  private final int[] todo;

  /** For a passage whose text came before: where. Otherwise its own index. */
  private final int[] sameAs;

  /** How many are in {@code todo}. */
  private final int end;

  private int next;
  private int running;
  private int tried;
  private int skips;
  private boolean prefixStarted;
  private boolean prefixDone;
  private boolean callerGone;
  private boolean freed;
  private @Nullable Shortfall stopped;

  Job(
      Shared shared,
      Scorer.Question question,
      String query,
      List<String> passages,
      Deadline deadline,
      ReentrantLock lock) {
    this.shared = shared;
    this.question = question;
    this.passages = passages;
    this.deadline = deadline;
    this.lock = lock;
    this.done = lock.newCondition();
    int n = passages.size();
    keys = new ScoreCache.Key[n];
    scores = new @Nullable Score[n];
    missing = new @Nullable Shortfall[n];
    truncated = new boolean[n];
    sameAs = new int[n];
    todo = new int[n];
    Map<ScoreCache.Key, Integer> first = new HashMap<>();
    ScoreCache.Keys make = shared.cache().keys(query);
    int count = 0;
    for (int i = 0; i < n; i++) {
      if (i > 0 && deadline.passed()) { // hashing megabytes of text takes its time
        stopped = new Shortfall(Cause.DEADLINE, "the deadline passed while the texts were read");
        for (int j = i; j < n; j++) {
          sameAs[j] = j;
        }
        break;
      }
      keys[i] = make.of(passages.get(i));
      Integer before = first.putIfAbsent(keys[i], i);
      sameAs[i] = before == null ? i : before;
      if (before == null) {
        ScoreCache.Value known = shared.cache().get(keys[i]);
        if (known == null) {
          todo[count++] = i;
        } else {
          scores[i] = score(known, true);
        }
      }
    }
    end = count;
    prefixDone = question.prefixTokens() == 0;
    prefixStarted = prefixDone;
  }

  /** Squashes once: sigmoid, in double. */
  static double squash(double logit) {
    return 1 / (1 + Math.exp(-logit));
  }

  private static Score score(ScoreCache.Value v, boolean cached) {
    return new Score(
        OptionalDouble.of(squash(v.logit())), OptionalDouble.of(v.logit()), v.truncated(), cached);
  }

  // ---- for the caller

  /**
   * Waits until everything is scored, the deadline, or an interrupt, whichever is first, and takes
   * what there is. Under the lock.
   */
  Reranking await() {
    while (!ended()) {
      long left = deadline.remainingNanos();
      if (left <= 0) {
        stop(Cause.DEADLINE, "the deadline passed");
        break;
      }
      try {
        long ignored = done.awaitNanos(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        stop(Cause.DEADLINE, "the calling thread was interrupted");
      }
    }
    callerGone = true;
    return result();
  }

  private Reranking result() {
    List<Score> all = new ArrayList<>();
    Map<Cause, Integer> counts = new EnumMap<>(Cause.class);
    Map<Cause, String> details = new EnumMap<>(Cause.class);
    for (int i = 0; i < scores.length; i++) {
      int from = sameAs[i];
      Score s = scores[from];
      if (s == null) {
        all.add(Score.absent(truncated[from]));
        Shortfall why = missing[from];
        Shortfall reason = why != null ? why : whyStopped();
        counts.merge(reason.cause(), 1, Integer::sum);
        details.putIfAbsent(reason.cause(), reason.detail());
      } else {
        all.add(s);
      }
    }
    Optional<Shortfall> shortfall =
        counts.entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(
                e ->
                    new Shortfall(
                        e.getKey(),
                        e.getValue()
                            + " of "
                            + scores.length
                            + " passages not scored: "
                            + details.get(e.getKey())));
    return new Reranking(all, shortfall);
  }

  private Shortfall whyStopped() {
    Shortfall s = stopped;
    return s != null ? s : new Shortfall(Cause.SCORER_ERROR, "the scorer stopped");
  }

  /** Nothing more will be scored. Under the lock. */
  boolean ended() {
    return stopped != null || (next >= end && running == 0);
  }

  /** Starts nothing more, and makes what is running fail soon. Under the lock. */
  void stop(Cause cause, String detail) {
    if (stopped != null || ended()) {
      return;
    }
    stopped = new Shortfall(cause, detail);
    if (!freed && running > 0) {
      question.stop();
    }
    done.signalAll();
  }

  /** Frees the question when nobody needs it any more. Without the lock. */
  void freeIfLast() {
    boolean last;
    lock.lock();
    try {
      last = callerGone && running == 0 && !freed;
      freed |= last;
    } finally {
      lock.unlock();
    }
    if (last) {
      question.close();
    }
  }

  // ---- for workers

  /** Takes something to do. Under the lock. */
  int claim() {
    if (ended()) {
      return NOTHING;
    }
    if (!prefixStarted && next < end) {
      prefixStarted = true;
      running++;
      return PREFIX;
    }
    if (!prefixDone || next >= end) {
      return NOTHING;
    }
    running++;
    return todo[next++];
  }

  /** Does what was claimed. Without the lock; whatever happens, the claim is given back. */
  void work(int unit) {
    Runnable outcome = () -> {};
    try {
      outcome = unit == PREFIX ? prefix() : passage(unit);
    } catch (IndexClosedException e) {
      outcome = () -> stop(Cause.CLOSED, "the model was closed");
    } catch (RuntimeException | Error e) {
      outcome = () -> failed(unit, String.valueOf(e.getMessage()));
    } finally {
      lock.lock();
      try {
        running--;
        outcome.run();
        if (deadline.passed()) {
          stop(Cause.DEADLINE, "the deadline passed");
        }
        if (ended()) {
          done.signalAll();
        }
      } finally {
        lock.unlock();
      }
      freeIfLast();
    }
  }

  private Runnable prefix() {
    long start = shared.ticker().nanos();
    question.prefix();
    shared.cost().took(question.prefixTokens(), shared.ticker().nanos() - start);
    return () -> prefixDone = true;
  }

  private Runnable passage(int i) {
    Scorer.Document d = question.document(passages.get(i));
    int tokens = question.cost(d);
    if (!startsInTime(tokens)) {
      return () -> skip(i, d.truncated());
    }
    long start = shared.ticker().nanos();
    double logit = question.score(d);
    shared.cost().took(tokens, shared.ticker().nanos() - start);
    if (!Double.isFinite(logit)) {
      return () -> {
        truncated[i] = d.truncated();
        failed(i, "the model computed " + logit);
      };
    }
    shared.health().scored();
    ScoreCache.Value v = new ScoreCache.Value(logit, d.truncated());
    shared.cache().put(keys[i], v);
    return () -> {
      skips = 0;
      if (!callerGone) {
        scores[i] = score(v, false);
      }
    };
  }

  /**
   * Whether a passage can be expected to end before the deadline. The first of a request is always
   * tried: a prediction that was wrong once must not keep the model from ever being measured again,
   * and the deadline holds all the same.
   */
  private boolean startsInTime(int tokens) {
    long left = deadline.remainingNanos();
    lock.lock();
    try {
      if (stopped != null || left <= 0) {
        return false;
      }
      return tried++ == 0 || shared.cost().predict(tokens) <= left;
    } finally {
      lock.unlock();
    }
  }

  private void skip(int i, boolean cut) {
    truncated[i] = cut;
    missing[i] = new Shortfall(Cause.DEADLINE, "too little time was left for them");
    if (++skips >= MOST_SKIPS) {
      stop(Cause.DEADLINE, "too little time was left for them");
    }
  }

  /** Under the lock. A run that fails because it was stopped says nothing about the model. */
  private void failed(int unit, String why) {
    if (stopped != null) {
      return;
    }
    shared.health().failed(why);
    if (unit != PREFIX) {
      missing[unit] = new Shortfall(Cause.SCORER_ERROR, why);
    }
    shared.health().cause().ifPresent(cause -> stop(Cause.MODEL_FAILED, cause));
    if (unit == PREFIX) {
      stop(Cause.SCORER_ERROR, why);
    }
  }
}

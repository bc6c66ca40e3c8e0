package dev.petunia.rerank;

import dev.petunia.onnx.ModelException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A model without a model: a passage {@code "3 rest"} has 3 tokens. Fails the test when it is used
 * after it was freed, or freed twice or while something runs.
 */
final class FakeScorer implements Scorer {
  /** What happens in a run; throws to fail. */
  @FunctionalInterface
  interface Run {
    double logit(String passage, FakeQuestion question) throws InterruptedException;
  }

  final List<String> started = Collections.synchronizedList(new ArrayList<>());
  final List<String> misuse = Collections.synchronizedList(new ArrayList<>());
  private final Map<long[], String> texts = Collections.synchronizedMap(new IdentityHashMap<>());
  final AtomicInteger open = new AtomicInteger();
  final AtomicInteger prefixes = new AtomicInteger();
  int prefixTokens = 0;
  Runnable onPrefix = () -> {};
  Run run = (passage, q) -> passage.length();

  @Override
  public Question question(String query) {
    open.incrementAndGet();
    return new FakeQuestion(query);
  }

  final class FakeQuestion implements Question {
    final String query;
    final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicInteger inside = new AtomicInteger();
    private volatile boolean closed;

    FakeQuestion(String query) {
      this.query = query;
    }

    @Override
    public int prefixTokens() {
      return prefixTokens;
    }

    @Override
    public void prefix() {
      use();
      prefixes.incrementAndGet();
      onPrefix.run();
    }

    @Override
    public Document document(String passage) {
      use();
      int n = Integer.parseInt(passage.split(" ", -1)[0]);
      Document d = new Document(new long[n], new long[n], passage.contains("long"));
      texts.put(d.ids(), passage);
      return d;
    }

    @Override
    public int cost(Document d) {
      return d.ids().length;
    }

    @Override
    public double score(Document d) {
      use();
      String passage = texts.get(d.ids());
      inside.incrementAndGet();
      try {
        started.add(query + ":" + passage);
        return run.logit(passage, this);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      } finally {
        inside.decrementAndGet();
      }
    }

    /** As a run of ONNX Runtime does: goes on until it is stopped, then throws. */
    double untilStopped() throws InterruptedException {
      stopped.await();
      throw new ModelException("terminated", null);
    }

    private void use() {
      if (closed) {
        misuse.add("used after close");
      }
    }

    @Override
    public void stop() {
      use();
      stopped.countDown();
    }

    @Override
    public void close() {
      if (closed || inside.get() > 0) {
        misuse.add("closed twice or while running");
      }
      closed = true;
      open.decrementAndGet();
    }
  }
}

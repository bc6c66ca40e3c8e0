package dev.petunia.rerank;

import dev.petunia.core.Deadline;
import dev.petunia.core.Reranker.Cause;
import dev.petunia.core.Reranker.Reranking;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The threads that run passages. Requests take turns, a passage each, so that a long one doesn't
 * hold up the others. The caller only waits: it can leave at its deadline while a run winds down.
 *
 * <p>How a request ends at its deadline:
 *
 * <ol>
 *   <li>The caller wakes, marks the job as stopped and terminates its runs.
 *   <li>It copies the scores there are and returns.
 *   <li>The runs fail within one operator of the graph. Since the job is stopped, that is no
 *       failure of the model.
 *   <li>The last worker to leave frees what the request held.
 * </ol>
 */
final class Workers implements AutoCloseable {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Deque<Job> jobs = new ArrayDeque<>();
  private final List<Thread> threads = new ArrayList<>();
  private boolean closed;

  Workers(String name, int count) {
    for (int i = 1; i <= count; i++) {
      threads.add(
          Thread.ofPlatform().daemon().name("petunia-rerank-" + name + '-' + i).start(this::serve));
    }
  }

  /** Scores until done, the deadline, an interrupt or {@link #close}. */
  Reranking run(
      Job.Shared shared, Scorer scorer, String query, List<String> passages, Deadline deadline) {
    Scorer.Question question = scorer.question(query);
    Job job;
    try {
      job = new Job(shared, question, query, passages, deadline, lock);
    } catch (Throwable e) {
      question.close();
      throw e;
    }
    try {
      lock.lock();
      try {
        if (closed) {
          job.stop(Cause.CLOSED, "the model was closed");
        } else if (!job.ended()) {
          jobs.add(job);
          work.signalAll();
        }
        return job.await();
      } finally {
        jobs.remove(job);
        lock.unlock();
      }
    } finally {
      job.freeIfLast();
    }
  }

  private void serve() {
    while (true) {
      Job job;
      int unit;
      lock.lock();
      try {
        while (true) {
          if (closed) {
            return;
          }
          unit = Job.NOTHING;
          job = null;
          for (int i = jobs.size(); i > 0 && unit == Job.NOTHING; i--) {
            job = jobs.remove();
            jobs.add(job); // behind the others: they take turns
            unit = job.claim();
          }
          if (job != null && unit != Job.NOTHING) {
            break;
          }
          work.awaitUninterruptibly();
        }
      } finally {
        lock.unlock();
      }
      job.work(unit);
      if (unit == Job.PREFIX) {
        wake(); // the job's passages can be claimed now
      }
    }
  }

  private void wake() {
    lock.lock();
    try {
      work.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Terminates what runs, gives every waiting caller its answer, and waits for the threads. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      jobs.forEach(j -> j.stop(Cause.CLOSED, "the model was closed"));
      work.signalAll();
    } finally {
      lock.unlock();
    }
    boolean interrupted = false;
    for (Thread t : threads) {
      while (t.isAlive()) {
        try {
          t.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}

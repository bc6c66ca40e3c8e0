package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** Threads that work off lists together. */
class CrewTest {
  @Test
  void eachItemOfEachListIsDoneOnceBeforeRunReturns() {
    try (Crew crew = new Crew("crew-test", 4)) {
      crew.hire(100);
      for (int list = 0; list < 2_000; list++) {
        int[] plain = new int[list % 50]; // written without a lock, read after run
        crew.run(
            plain.length,
            items -> {
              for (int i = items.next(); i >= 0; i = items.next()) {
                plain[i]++;
              }
            });
        for (int times : plain) {
          assertEquals(1, times, "list " + list);
        }
      }
    }
  }

  @Test
  void asManyThreadsWorkAsWereHiredAndNoMoreThanTheMost() {
    try (Crew crew = new Crew("crew-test", 3)) {
      for (int hired : new int[] {1, 2, 3, 9}) {
        crew.hire(hired);
        int want = Math.min(3, hired);
        CountDownLatch all = new CountDownLatch(want);
        Set<Thread> who = ConcurrentHashMap.newKeySet();
        crew.run(
            50,
            items -> {
              who.add(Thread.currentThread());
              all.countDown();
              try {
                all.await(); // ends when all have come
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              while (items.next() >= 0) {
                Thread.onSpinWait();
              }
            });
        assertEquals(want, who.size());
        assertTrue(who.contains(Thread.currentThread()));
      }
    }
  }

  @Test
  void whatAnItemThrowsReachesTheOwnerAndTheCrewWorksOn() {
    try (Crew crew = new Crew("crew-test", 3)) {
      crew.hire(3);
      for (int list = 0; list < 200; list++) {
        Error thrown = new AssertionError("item 7");
        AtomicInteger done = new AtomicInteger();
        Error caught =
            assertThrows(
                AssertionError.class,
                () ->
                    crew.run(
                        100_000,
                        items -> {
                          for (int i = items.next(); i >= 0; i = items.next()) {
                            if (i == 7) {
                              throw thrown;
                            }
                            done.incrementAndGet();
                          }
                        }));
        assertSame(thrown, caught);
        AtomicIntegerArray times = new AtomicIntegerArray(20);
        crew.run(
            20,
            items -> {
              for (int i = items.next(); i >= 0; i = items.next()) {
                times.incrementAndGet(i);
              }
            });
        assertEquals("[" + "1, ".repeat(19) + "1]", times.toString());
      }
    }
  }

  @Test
  void anInterruptOfTheOwnerWaitsUntilTheListIsDone() {
    try (Crew crew = new Crew("crew-test", 2)) {
      crew.hire(2);
      Thread owner = Thread.currentThread();
      CountDownLatch helping = new CountDownLatch(1);
      AtomicInteger done = new AtomicInteger();
      crew.run(
          2,
          items -> {
            if (Thread.currentThread() == owner) {
              try {
                helping.await(); // so that the other one is at work when this one is done
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              owner.interrupt();
            } else {
              helping.countDown();
            }
            while (items.next() >= 0) {
              done.incrementAndGet();
            }
          });
      assertTrue(Thread.interrupted());
      assertEquals(2, done.get());
    }
  }
}

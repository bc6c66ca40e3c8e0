package dev.petunia.onnx.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.IndexClosedException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CloseGateTest {
  private final CloseGate gate = new CloseGate("thing");

  @Test
  void closingWaitsForThoseInsideDespiteInterruptsAndRefusesNewOnes() throws Exception {
    gate.enter();
    gate.enter();
    AtomicBoolean stillInterrupted = new AtomicBoolean();
    Thread closer =
        new Thread(
            () -> {
              gate.close();
              stillInterrupted.set(Thread.currentThread().isInterrupted());
            });
    closer.start();
    while (closer.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    IndexClosedException e = assertThrows(IndexClosedException.class, gate::enter);
    assertEquals("thing is closed", e.getMessage());
    closer.interrupt();
    gate.exit();
    closer.join(50);
    assertTrue(closer.isAlive());
    gate.exit();
    closer.join();
    assertTrue(stillInterrupted.get());
  }

  @Test
  void exactlyOneCloserFrees() throws Exception {
    gate.enter();
    AtomicInteger first = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(4);
    for (int i = 0; i < 4; i++) {
      Thread.ofVirtual()
          .start(
              () -> {
                if (gate.close()) {
                  first.incrementAndGet();
                }
                done.countDown();
              });
    }
    gate.exit();
    done.await();
    assertEquals(1, first.get());
    assertFalse(gate.close());
  }

  @Test
  void aRefusingGateIsStillFreedByItsCloser() {
    gate.refuse();
    assertThrows(IndexClosedException.class, gate::check);
    assertTrue(gate.close());
  }

  @Test
  void waitingForTheLastOneEndsAtTheDeadline() {
    gate.enter();
    gate.awaitEmpty(System.nanoTime() + 1_000_000); // returns, though one is inside
    gate.exit();
    gate.awaitEmpty(Long.MAX_VALUE);
  }
}

package dev.petunia.examples.conversation;

import dev.petunia.core.ProgressListener;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A progress bar of one line, rewritten in place at a terminal, told sparsely elsewhere. */
final class ProgressBar implements ProgressListener {
  private final PrintStream out;
  private final boolean terminal = Main.isTerminal();
  private String stage = "";
  private long stageBegan;
  private long firstDone;
  private long told;
  private boolean open;

  ProgressBar(PrintStream out) {
    this.out = out;
  }

  @Override
  public synchronized boolean onProgress(String newStage, long done, long total) {
    long now = System.nanoTime();
    if (!newStage.equals(stage)) {
      end();
      stage = newStage;
      stageBegan = now;
      firstDone = done;
      told = 0;
    }
    long every = TimeUnit.SECONDS.toNanos(terminal ? 0 : 10);
    if (told != 0 && now - told < every && done < total) {
      return true;
    }
    told = now;
    String line = line(done, total, now);
    if (terminal) {
      out.print("\r" + line + "\u001b[K");
    } else {
      out.println(line);
    }
    out.flush();
    open = true;
    return true;
  }

  private String line(long done, long total, long now) {
    int width = 30;
    int full = total <= 0 ? 0 : (int) (width * done / total);
    String left = "";
    if (done > firstDone && done < total) {
      double perUnit = (double) (now - stageBegan) / (done - firstDone);
      left = ", " + text(Duration.ofNanos((long) (perUnit * (total - done)))) + " left";
    }
    return String.format(
        "  [%s%s] %,d of %,d %s%s",
        "#".repeat(full), ".".repeat(width - full), done, total, stage, left);
  }

  /** Ends the line. */
  synchronized void end() {
    if (open && terminal) {
      out.println();
    }
    open = false;
  }

  static String text(Duration d) {
    long s = d.toSeconds();
    return s >= 60 ? s / 60 + " min " + s % 60 + " s" : s + " s";
  }
}

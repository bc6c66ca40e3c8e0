package dev.petunia.benchmarks.ann;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What this process uses, measured from outside of any index. */
public final class MemoryUsed {
  /** A collection may leave what the one before it made unreachable, such as cleared buffers. */
  private static final int COLLECTIONS = 4;

  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s*(\\d+) kB");

  private MemoryUsed() {}

  /** Heap in use after collections, and resident memory; −1 where the system does not tell it. */
  static Reply reply() throws IOException, InterruptedException {
    return Reply.ok(heap(), resident());
  }

  /** Bytes of heap in use after collections. */
  public static long heap() throws InterruptedException {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      System.gc();
      Thread.sleep(50); // buffers are freed by a thread that a collection wakes
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  private static long resident() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.isReadable(status)) {
      return -1;
    }
    Matcher m = RESIDENT.matcher(Files.readString(status));
    return m.find() ? Long.parseLong(m.group(1)) * 1024 : -1;
  }
}

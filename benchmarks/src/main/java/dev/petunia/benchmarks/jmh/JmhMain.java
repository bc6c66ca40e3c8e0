package dev.petunia.benchmarks.jmh;

import java.util.ArrayList;
import java.util.List;

/**
 * JMH's own command line, but a benchmark whose answer is wrong ends the run with an error. JMH by
 * itself would go on and leave that one out of its table.
 */
public final class JmhMain {
  private JmhMain() {}

  /** As of JMH. */
  public static void main(String[] args) throws Exception {
    org.openjdk.jmh.Main.main(withFailOnError(args));
  }

  static String[] withFailOnError(String[] args) {
    List<String> all = new ArrayList<>(List.of(args));
    if (!all.contains("-foe")) {
      all.add("-foe");
      all.add("true");
    }
    return all.toArray(new String[0]);
  }
}

package dev.petunia.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class MainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... args) {
    return Main.run(
        List.of(args),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8));
  }

  @Test
  void withoutArgumentsTheBenchmarksAreListed() {
    assertEquals(0, run());
    assertTrue(out.toString(StandardCharsets.UTF_8).contains("ann"));
  }

  @Test
  void helpListsTheOptionsOfOne() {
    assertEquals(0, run("ann", "--help"));
    assertTrue(out.toString(StandardCharsets.UTF_8).contains("--peers"));
    assertTrue(out.toString(StandardCharsets.UTF_8).contains("--json"));
  }

  @Test
  void wrongArgumentsExitWithTwoAndSayWhatIsWrong() {
    assertEquals(2, run("nosuch"));
    assertEquals(2, run("ann", "--nosuch", "1"));
    assertEquals(2, run("ann", "--threads", "0"));
    assertEquals(2, run("ann", "--json", "/no/such/folder/out.json"));
    assertEquals(2, run("ann", "--set", "none"));
    assertEquals(2, run("ann", "--heap", "big"));
    assertEquals(2, run("ann", "--petunia", "none", "--peers", "none"));
    assertEquals(2, run("ann", "--petunia", "int9"));
    assertEquals(2, run("ann", "--parts", "curve"));
    String message = err.toString(StandardCharsets.UTF_8);
    assertTrue(message.contains("nosuch"), message);
    assertTrue(message.contains("--threads is 0, allowed: 1 to 1024"), message);
    assertTrue(message.contains("/no/such/folder/out.json"), message);
    assertTrue(message.contains("--heap is \"big\""), message);
    assertTrue(message.contains("at least one system"), message);
    assertTrue(message.contains("--petunia is \"int9\""), message);
    assertTrue(message.contains("--parts is \"curve\""), message);
  }
}

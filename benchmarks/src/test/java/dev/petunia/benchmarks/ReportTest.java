package dev.petunia.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  private static final Machine MACHINE =
      new Machine("abc1234", "a \"fast\"\tone", "Vendor 25", "2026-01-02T03:04:05Z");

  @Test
  void jsonHasTheAgreedForm(@TempDir Path folder) throws IOException {
    Report report = new Report("ann");
    report.add("ann.x.ef400.recall", 0.99875, "ratio");
    report.add("ann.x.build_seconds", 12, "s");
    Path file = folder.resolve("out.json");
    report.write(file, MACHINE);
    assertEquals(
        """
        {
          "benchmark": "ann",
          "commit": "abc1234",
          "machine": "a \\"fast\\"\\tone",
          "jdk": "Vendor 25",
          "date": "2026-01-02T03:04:05Z",
          "metrics": [
            {"name":"ann.x.ef400.recall","value":0.998750,"unit":"ratio"},
            {"name":"ann.x.build_seconds","value":12,"unit":"s"}
          ]
        }
        """,
        Files.readString(file));
  }

  @Test
  void aMetricIsFiniteAndComesOnce() {
    Report report = new Report("ann");
    report.add("a", 1, "s");
    assertThrows(IllegalArgumentException.class, () -> report.add("a", 2, "s"));
    assertThrows(IllegalArgumentException.class, () -> report.add("b", Double.NaN, "s"));
    assertThrows(
        IllegalArgumentException.class, () -> report.add("b", Double.POSITIVE_INFINITY, "s"));
    assertThrows(IllegalArgumentException.class, () -> report.add("", 1, "s"));
    assertEquals(1, report.metrics().size());
  }

  @Test
  void textOfAllScriptsSurvivesAsJson() {
    assertEquals(
        "\"中文 عربي e\u0301 \\ud83c\\udf38 \\u0000\"\n", Json.write("中文 عربي e\u0301 🌸 \0"));
    assertEquals("{}\n", Json.write(Map.of()));
    assertEquals("[]\n", Json.write(List.of()));
    assertThrows(IllegalArgumentException.class, () -> Json.write(new Object()));
  }

  @Test
  void numbersKeepSixDigitsAndTheirSize() {
    assertEquals("1.23457e-08\n", Json.write(1.234567e-8));
    assertEquals("123457.\n".replace(".", ""), Json.write(123457.0));
    assertEquals("-0.333333\n", Json.write(-1 / 3.0));
  }

  @Test
  void thisMachineHasFacts() {
    Machine here = Machine.here();
    assertFalse(here.machine().isBlank());
    assertFalse(here.commit().isBlank());
    assertEquals(20, here.date().length());
  }
}

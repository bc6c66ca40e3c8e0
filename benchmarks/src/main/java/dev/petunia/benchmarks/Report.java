package dev.petunia.benchmarks;

import dev.petunia.core.internal.Checks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The figures of one run, and their JSON form:
 *
 * <pre>{@code
 * {"benchmark": "ann", "commit": "1a2b3c4", "machine": "...", "jdk": "...", "date": "...",
 *  "metrics": [{"name":"ann.glove100.ef400.recall","value":0.998,"unit":"ratio"}, ...]}
 * }</pre>
 */
public final class Report {
  /** A figure: dotted name, value, unit ("1/s", "s", "ratio", "bytes", ...). */
  public record Metric(String name, double value, String unit) {
    /** Checks that the value is finite. */
    public Metric {
      Checks.id("name", name);
      Checks.id("unit", unit);
      Checks.range(name, value, -Double.MAX_VALUE, Double.MAX_VALUE);
    }
  }

  private final String benchmark;
  private final List<Metric> metrics = new ArrayList<>();

  /** An empty report of a benchmark. */
  public Report(String benchmark) {
    this.benchmark = Checks.id("benchmark", benchmark);
  }

  /** Adds a figure; a name may come once. */
  public void add(String name, double value, String unit) {
    if (value(name).isPresent()) {
      throw new IllegalArgumentException("metric " + name + " is there already, allowed: once");
    }
    metrics.add(new Metric(name, value, unit));
  }

  /** The figures in the order in which they were added. */
  public List<Metric> metrics() {
    return List.copyOf(metrics);
  }

  /** A figure by name. */
  public OptionalDouble value(String name) {
    return metrics.stream()
        .filter(m -> m.name().equals(name))
        .mapToDouble(Metric::value)
        .findFirst();
  }

  /** The JSON form, with the facts of this machine. */
  public String json(Machine machine) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("benchmark", benchmark);
    out.put("commit", machine.commit());
    out.put("machine", machine.machine());
    out.put("jdk", machine.jdk());
    out.put("date", machine.date());
    List<Object> list = new ArrayList<>();
    for (Metric m : metrics) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("name", m.name());
      one.put("value", m.value());
      one.put("unit", m.unit());
      list.add(one);
    }
    out.put("metrics", list);
    return Json.write(out);
  }

  /** Writes the JSON form; the folder must exist. */
  public void write(Path file, Machine machine) throws IOException {
    Files.writeString(file, json(machine));
  }
}

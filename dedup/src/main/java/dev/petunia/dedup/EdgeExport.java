package dev.petunia.dedup;

import dev.petunia.core.internal.Checks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;

/**
 * Writes edges as text: the fields chunk_a, chunk_b, jaccard, method, run_id, normalizer_version,
 * created_at, and with {@code withCounts} intersection and union. Lines end in a line feed; times
 * are ISO 8601 in UTC; similarities are written so that reading them gives the same number.
 */
public final class EdgeExport {
  private EdgeExport() {}

  /** One JSON object a line. */
  public static void jsonLines(EdgeStore edges, boolean withCounts, Appendable out) {
    Checks.present("out", out);
    edges.forEach(
        e -> {
          StringBuilder s = new StringBuilder(200).append("{\"chunk_a\":");
          json(e.chunkA(), s);
          s.append(",\"chunk_b\":");
          json(e.chunkB(), s);
          s.append(",\"jaccard\":").append(e.jaccard());
          s.append(",\"method\":\"").append(e.method().label());
          s.append("\",\"run_id\":");
          json(e.runId(), s);
          s.append(",\"normalizer_version\":").append(e.normalizerVersion());
          s.append(",\"created_at\":\"").append(e.createdAt()).append('"');
          if (withCounts) {
            s.append(",\"intersection\":").append(e.overlap().intersection());
            s.append(",\"union\":").append(e.overlap().union());
          }
          write(out, s.append("}\n"));
        });
  }

  /** RFC 4180, with a header line; line ends are line feeds. */
  public static void csv(EdgeStore edges, boolean withCounts, Appendable out) {
    Checks.present("out", out);
    String head = "chunk_a,chunk_b,jaccard,method,run_id,normalizer_version,created_at";
    write(out, head + (withCounts ? ",intersection,union\n" : "\n"));
    edges.forEach(
        e -> {
          StringBuilder s = new StringBuilder(200);
          s.append(Csv.field(e.chunkA())).append(',').append(Csv.field(e.chunkB())).append(',');
          s.append(e.jaccard()).append(',').append(e.method().label()).append(',');
          s.append(Csv.field(e.runId())).append(',').append(e.normalizerVersion()).append(',');
          s.append(e.createdAt());
          if (withCounts) {
            s.append(',').append(e.overlap().intersection());
            s.append(',').append(e.overlap().union());
          }
          write(out, s.append('\n'));
        });
  }

  private static void write(Appendable out, CharSequence line) {
    try {
      out.append(line);
    } catch (IOException e) {
      throw new UncheckedIOException("edges can't be written: " + e, e);
    }
  }

  private static void json(String s, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < s.length(); i++) {
      char c = s.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        default -> {
          if (c < ' ' || c == 0x7F || c == 0x2028 || c == 0x2029) {
            out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}

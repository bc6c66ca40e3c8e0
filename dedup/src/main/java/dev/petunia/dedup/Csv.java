package dev.petunia.dedup;

import dev.petunia.core.internal.Checks;
import java.util.ArrayList;
import java.util.List;

/** Comma-separated values as RFC 4180 has them. */
final class Csv {
  private Csv() {}

  /** Appends a row, each field quoted where it must be. */
  static void row(StringBuilder out, List<String> fields) {
    for (int i = 0; i < fields.size(); i++) {
      out.append(i == 0 ? "" : ",").append(field(fields.get(i)));
    }
    out.append("\r\n");
  }

  /** A field, quoted where it must be. */
  static String field(String s) {
    return s.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
        ? s
        : '"' + s.replace("\"", "\"\"") + '"';
  }

  /** The rows of a text; blank lines are none. */
  static List<List<String>> parse(String text) {
    List<List<String>> rows = new ArrayList<>();
    List<String> row = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean isQuoted = false;
    boolean wasQuoted = false;
    int at = text.startsWith("\uFEFF") ? 1 : 0; // spreadsheets put it there
    for (; at <= text.length(); at++) {
      boolean isEnd = at == text.length();
      char c = isEnd ? '\n' : text.charAt(at);
      if (isQuoted && !isEnd) {
        if (c != '"') {
          field.append(c);
        } else if (at + 1 < text.length() && text.charAt(at + 1) == '"') {
          field.append('"');
          at++;
        } else {
          isQuoted = false;
        }
      } else if (isQuoted) {
        throw Checks.bad("sheet", "row " + (rows.size() + 1), "rows whose quotes are closed");
      } else if (c == '"' && field.isEmpty() && !wasQuoted) {
        isQuoted = true;
        wasQuoted = true;
      } else if (c == ',' || c == '\n') {
        if (c == '\n'
            && !wasQuoted
            && !field.isEmpty()
            && field.charAt(field.length() - 1) == '\r') {
          field.setLength(field.length() - 1);
        }
        row.add(field.toString());
        field.setLength(0);
        wasQuoted = false;
        if (c == '\n') {
          if (row.size() > 1 || !row.getFirst().isEmpty()) {
            rows.add(row);
          }
          row = new ArrayList<>();
        }
      } else if (!(wasQuoted && c == '\r')) {
        field.append(c);
      }
    }
    return rows;
  }
}

package dev.petunia.benchmarks.ann;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Row numbers and sets of rows on their way to a child. */
final class RowFiles {
  private RowFiles() {}

  /**
   * Filters and which of them each query has.
   *
   * @param passing of each filter, the rows that pass
   * @param ofQuery of each query, its filter
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Filters(List<BitSet> passing, int[] ofQuery) {}

  /** Writes row numbers. */
  static void write(Path file, int[] rows) throws IOException {
    try (DataOutputStream out = output(file)) {
      write(out, rows);
    }
  }

  static int[] rows(Path file) throws IOException {
    try (DataInputStream in = input(file)) {
      return rows(in);
    }
  }

  static void write(Path file, Filters filters) throws IOException {
    try (DataOutputStream out = output(file)) {
      out.writeInt(filters.passing.size());
      for (BitSet passing : filters.passing) {
        write(out, passing.stream().toArray());
      }
      write(out, filters.ofQuery);
    }
  }

  static Filters filters(Path file) throws IOException {
    try (DataInputStream in = input(file)) {
      List<BitSet> passing = new ArrayList<>();
      for (int count = in.readInt(); count > 0; count--) {
        BitSet rows = new BitSet();
        for (int row : rows(in)) {
          rows.set(row);
        }
        passing.add(rows);
      }
      return new Filters(passing, rows(in));
    }
  }

  private static void write(DataOutputStream out, int[] rows) throws IOException {
    out.writeInt(rows.length);
    for (int row : rows) {
      out.writeInt(row);
    }
  }

  private static int[] rows(DataInputStream in) throws IOException {
    int[] rows = new int[in.readInt()];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = in.readInt();
    }
    return rows;
  }

  private static DataOutputStream output(Path file) throws IOException {
    return new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)));
  }

  private static DataInputStream input(Path file) throws IOException {
    return new DataInputStream(new BufferedInputStream(Files.newInputStream(file)));
  }
}

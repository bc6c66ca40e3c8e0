package dev.petunia.examples.conversation.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was read of a corpus and what was not. Nothing is left out that doesn't stand here.
 *
 * @param files files that passages came from
 * @param entries documents or classes with passages
 * @param skipped files and folders that were not read, each with the reason, ordered by path
 * @param notes files that were read, but not quite as they are, ordered by path
 */
public record CorpusReport(int files, int entries, List<Item> skipped, List<Item> notes) {
  /**
   * A path and what is to be said about it.
   *
   * @param path relative to the corpus
   * @param reason the kind of thing that happened, the same words for all of a kind
   * @param detail more about this one; may be empty
   */
  public record Item(String path, String reason, String detail) {
    @Override
    public String toString() {
      return path + ": " + reason + (detail.isEmpty() ? "" : " (" + detail + ")");
    }
  }

  /** Checks and copies. */
  public CorpusReport {
    Arguments.range("files", files, 0, Integer.MAX_VALUE);
    Arguments.range("entries", entries, 0, Integer.MAX_VALUE);
    skipped = List.copyOf(skipped);
    notes = List.copyOf(notes);
  }

  /**
   * Lines for people: what was read, then each reason with its count and the first paths.
   *
   * @param paths how many paths to name for each reason, at least 0; how many more there are is
   *     said
   */
  public List<String> lines(int paths) {
    Arguments.range("paths", paths, 0, Integer.MAX_VALUE);
    List<String> lines = new ArrayList<>();
    lines.add(
        files
            + " files read, "
            + entries
            + " entries, "
            + skipped.size()
            + " skipped, "
            + notes.size()
            + " noted");
    group("skipped", skipped, paths, lines);
    group("noted", notes, paths, lines);
    return lines;
  }

  private static void group(String what, List<Item> items, int paths, List<String> lines) {
    Map<String, List<Item>> byReason = new TreeMap<>();
    for (Item i : items) {
      byReason.computeIfAbsent(i.reason(), r -> new ArrayList<>()).add(i);
    }
    byReason.forEach(
        (reason, of) -> {
          lines.add(what + ", " + reason + ": " + of.size());
          for (Item i : of.subList(0, Math.min(paths, of.size()))) {
            lines.add("  " + i.path() + (i.detail().isEmpty() ? "" : " (" + i.detail() + ")"));
          }
          if (of.size() > paths && paths > 0) {
            lines.add("  and " + (of.size() - paths) + " more");
          }
        });
  }
}

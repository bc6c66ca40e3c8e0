package dev.petunia.dedup;

import java.util.Map;

/**
 * What normalizing changed beyond case and form; nothing is taken out in silence.
 *
 * @param stripped how often each boilerplate rule took something, by the rule's id; rules that took
 *     nothing are absent
 * @param unpairedSurrogates halves of characters, read as U+FFFD
 * @param unassigned code points that Unicode 16.0 does not have, read as blanks
 * @param dropped invisible code points left out
 * @param splitMarks places where a run of more than 30 marks was split by U+034F
 */
public record NormalizeReport(
    Map<String, Integer> stripped,
    int unpairedSurrogates,
    int unassigned,
    int dropped,
    int splitMarks) {
  /** Copies. */
  public NormalizeReport {
    stripped = Map.copyOf(stripped);
  }
}

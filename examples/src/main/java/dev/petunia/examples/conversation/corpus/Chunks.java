package dev.petunia.examples.conversation.corpus;

import dev.petunia.core.Chunk;
import java.util.Iterator;
import java.util.List;

/**
 * All passages of a corpus, with what is worth knowing about how they were read.
 *
 * @param list grouped by entry, ordinals ascending from 0 within each; ids are unique
 * @param report what was read and what was left out
 */
public record Chunks(List<Chunk> list, CorpusReport report) implements Iterable<Chunk> {
  /** Copies. */
  public Chunks {
    list = List.copyOf(list);
  }

  /** How many there are. */
  public int total() {
    return list.size();
  }

  @Override
  public Iterator<Chunk> iterator() {
    return list.iterator();
  }
}

package dev.petunia.examples.conversation;

import dev.petunia.retriever.RetrievalResult;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Plays a conversation from a file: a question or command a line; {@code #} begins a comment; an
 * empty line or {@code :new} begins a new conversation. {@code expect: NAME} below a question names
 * an entry (or the beginning of its name) that answers it, several lines several; with {@code
 * --compare} right passages are counted for the conversation's answers and for plain search's.
 */
final class Script {
  private final Talk talk;
  private final PrintStream out;
  private int turn;
  private int followUps;
  private int withConversation;
  private int withPlain;
  private int hitTurns;
  private int plainHitTurns;
  private int passages;
  private final List<String> expected = new ArrayList<>();

  Script(Talk talk, PrintStream out) {
    this.talk = talk;
    this.out = out;
  }

  void play(Path file) throws IOException {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      throw new IOException("there is no script " + file, e);
    }
    boolean talking = false;
    for (String raw : lines) {
      String line = raw.strip();
      if (line.startsWith("#")) {
        continue;
      }
      if (line.startsWith("expect:")) {
        expected.add(line.substring("expect:".length()).strip());
        continue;
      }
      count();
      if (line.isEmpty() || line.equals(":new")) {
        if (talking) {
          talk.line(":new");
          out.println();
        }
        talking = false;
        turn = 0;
        continue;
      }
      out.println("> " + line);
      if (!line.startsWith(":")) {
        talking = true;
        turn++;
      }
      if (!talk.line(line)) {
        break;
      }
    }
    count();
    if (followUps > 0) {
      out.printf(
          Locale.ROOT,
          "%nFollow-up questions with a known answer: %d, %d passages each%n"
              + "                                     conversation   plain search%n"
              + "  a right passage among them          %8.1f %%      %8.1f %%%n"
              + "  right passages of all served        %8.1f %%      %8.1f %%%n",
          followUps,
          passages / followUps,
          percent(hitTurns, followUps),
          percent(plainHitTurns, followUps),
          percent(withConversation, passages),
          percent(withPlain, passages));
    }
  }

  private static double percent(int part, int whole) {
    return whole == 0 ? 0 : 100.0 * part / whole;
  }

  /** Judges the last answer by the expectations that stood below its question. */
  private void count() {
    List<String> names = List.copyOf(expected);
    expected.clear();
    if (names.isEmpty() || turn < 2 || talk.lastAnswer().isEmpty() || talk.lastPlain().isEmpty()) {
      return; // the first turn is the same search in both
    }
    RetrievalResult mine = talk.lastAnswer().get();
    RetrievalResult plain = talk.lastPlain().get();
    followUps++;
    passages += Math.max(mine.passages().size(), plain.passages().size());
    int right = right(mine, names);
    int plainRight = right(plain, names);
    withConversation += right;
    withPlain += plainRight;
    hitTurns += right > 0 ? 1 : 0;
    plainHitTurns += plainRight > 0 ? 1 : 0;
    out.printf(
        "    about %s: %d of %d passages; plain search: %d of %d%n",
        String.join(" or ", names),
        right,
        mine.passages().size(),
        plainRight,
        plain.passages().size());
  }

  private static int right(RetrievalResult result, List<String> expected) {
    return (int)
        result.passages().stream()
            .filter(p -> expected.stream().anyMatch(e -> p.chunk().entryId().startsWith(e)))
            .count();
  }
}

package dev.petunia.examples.conversation;

import dev.petunia.examples.Example;
import dev.petunia.examples.conversation.corpus.Corpus;
import dev.petunia.retriever.Retriever;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** A conversation with the documentation of your JDK, or with any folder of text. */
public final class Main {
  private Main() {}

  /** Runs it; see {@code --help}. */
  public static void main(String[] args) {
    Example.main(args, Options.USAGE, out -> run(Options.parse(args), out));
  }

  private static void run(Options options, PrintStream out) throws IOException {
    Corpus corpus = Example.corpus(options.corpus(), options.packages());
    try (Retriever retriever = new IndexCache(options.cache(), out).open(corpus)) {
      Settings settings = new Settings();
      settings.k = options.k();
      settings.compare = options.compare();
      Talk talk = new Talk(retriever, settings, out);
      if (options.script().isPresent()) {
        new Script(talk, out).play(options.script().get());
      } else {
        ask(talk, out);
      }
    }
  }

  @SuppressWarnings("SystemConsoleNull") // null for programs started without any terminal
  static boolean isTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  private static void ask(Talk talk, PrintStream out) throws IOException {
    out.println("Ask something; :help lists commands, :quit ends.");
    if (!isTerminal()) {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null && talk.line(line); line = in.readLine()) {
        out.println();
      }
      return;
    }
    try (Terminal terminal = TerminalBuilder.builder().system(true).build()) {
      LineReader reader = LineReaderBuilder.builder().terminal(terminal).build();
      while (true) {
        String line;
        try {
          line = reader.readLine("> ");
        } catch (UserInterruptException e) {
          continue; // Ctrl-C drops the line
        } catch (EndOfFileException e) {
          return;
        }
        if (!talk.line(line)) {
          return;
        }
      }
    }
  }
}

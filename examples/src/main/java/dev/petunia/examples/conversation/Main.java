package dev.petunia.examples.conversation;

import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.IndexLockedException;
import dev.petunia.examples.conversation.corpus.Corpus;
import dev.petunia.examples.conversation.corpus.FolderCorpus;
import dev.petunia.examples.conversation.corpus.JdkDocs;
import dev.petunia.retriever.Retriever;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** A conversation with the documentation of your JDK, or with any folder of text. */
public final class Main {
  /** Kept here, as the logging of the JDK forgets the level of a logger that nobody holds. */
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private Main() {}

  /** Runs it; see {@code --help}. */
  public static void main(String[] args) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    if (Arrays.asList(args).contains("--help")) {
      out.print(Options.USAGE);
      return;
    }
    // Lucene tells that it found the vector module; nobody asked
    LUCENE.setLevel(Level.WARNING);
    try {
      run(Options.parse(args), out);
    } catch (IllegalArgumentException | IOException | UncheckedIOException e) {
      System.err.println(e.getMessage());
      System.exit(2);
    } catch (IndexLockedException e) {
      System.err.println(e.getMessage());
      System.err.println(
          "Is this example running elsewhere? Another --cache DIR gives it its own.");
      System.exit(2);
    } catch (CorruptIndexException e) {
      System.err.println(e.getMessage());
      System.err.println("Delete that folder and start again: the index is built anew.");
      System.exit(2);
    }
  }

  private static void run(Options options, PrintStream out) throws IOException {
    Corpus corpus =
        options.corpus().isPresent()
            ? new FolderCorpus(options.corpus().get())
            : options.packages().isEmpty()
                ? JdkDocs.ofRunningJdk()
                : JdkDocs.ofRunningJdk(options.packages());
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

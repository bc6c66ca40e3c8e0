package dev.petunia.examples;

import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.IndexLockedException;
import dev.petunia.examples.conversation.corpus.Corpus;
import dev.petunia.examples.conversation.corpus.FolderCorpus;
import dev.petunia.examples.conversation.corpus.JdkDocs;
import dev.petunia.onnx.ModelException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/** What the programs of the examples have in common: how they start, and how they tell errors. */
public final class Example {
  /** Kept here, as the logging of the JDK forgets the level of a logger that nobody holds. */
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private Example() {}

  /** A program. */
  public interface Program {
    /** Runs it; what it throws is printed. */
    void run(PrintStream out) throws IOException;
  }

  /** Runs a program, or prints its usage; ends the process with 2 when it fails on its input. */
  public static void main(String[] args, String usage, Program program) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    if (Arrays.asList(args).contains("--help")) {
      out.print(usage);
      return;
    }
    LUCENE.setLevel(Level.WARNING); // it tells that it found the vector module; nobody asked
    try {
      program.run(out);
    } catch (IllegalArgumentException | ModelException | IOException | UncheckedIOException e) {
      fail(e);
    } catch (IndexLockedException e) {
      fail(e, "Is this example running elsewhere? Another --cache DIR gives it its own.");
    } catch (CorruptIndexException e) {
      fail(e, "Delete that folder and start again: the index is built anew.");
    }
  }

  private static void fail(Exception e, String... hints) {
    System.err.println(message(e));
    for (String hint : hints) {
      System.err.println(hint);
    }
    System.exit(2);
  }

  /** What went wrong; the file system's exceptions only name the file. */
  static String message(Exception e) {
    Throwable cause =
        e instanceof UncheckedIOException u && u.getCause() != null ? u.getCause() : e;
    return switch (cause) {
      case NoSuchFileException f -> f.getFile() + " is not there, or its folder is not";
      case AccessDeniedException f -> f.getFile() + " may not be read or written";
      case FileSystemException f when f.getReason() == null ->
          f.getFile() + ": " + f.getClass().getSimpleName();
      default -> String.valueOf(e.getMessage());
    };
  }

  /** The folder, or the documentation of the running JDK, or those packages of it. */
  public static Corpus corpus(Optional<Path> folder, List<String> packages) throws IOException {
    if (folder.isPresent()) {
      return new FolderCorpus(folder.get());
    }
    return packages.isEmpty() ? JdkDocs.ofRunningJdk() : JdkDocs.ofRunningJdk(packages);
  }
}

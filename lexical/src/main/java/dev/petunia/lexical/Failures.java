package dev.petunia.lexical;

import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.IndexClosedException;
import dev.petunia.core.IndexLockedException;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.LockObtainFailedException;
import org.jspecify.annotations.Nullable;

/** Lucene's exceptions as those of core: what is damaged is named by file. */
final class Failures {
  /** The way Lucene names the file of a stream: {@code ...Input(path="/dir/_0.cfs") [slice=..]}. */
  private static final Pattern PATH = Pattern.compile("path=\"([^\"]+)\"");

  private Failures() {}

  /** A call that Lucene may fail. */
  @FunctionalInterface
  interface IoCall<T> {
    T call() throws IOException;
  }

  /** As {@link IoCall}, without a result. */
  @FunctionalInterface
  interface IoRun {
    void run() throws IOException;
  }

  static <T> T guard(Path directory, String doing, IoCall<T> call) {
    try {
      return call.call();
    } catch (IOException e) {
      throw translate(directory, doing, e);
    } catch (AlreadyClosedException e) {
      throw stopped(directory, doing, e);
    }
  }

  static RuntimeException translate(Path directory, String doing, IOException e) {
    return switch (e) {
      case org.apache.lucene.index.CorruptIndexException c ->
          corrupt(directory, c.getResourceDescription(), c.getOriginalMessage(), c);
      case IndexFormatTooNewException f ->
          corrupt(directory, f.getResourceDescription(), f.getMessage(), f);
      case IndexFormatTooOldException f ->
          corrupt(directory, f.getResourceDescription(), f.getMessage(), f);
      case NoSuchFileException f -> missing(directory, f.getFile(), f);
      case FileNotFoundException f -> missing(directory, f.getMessage(), f);
      case EOFException f -> corrupt(directory, f.getMessage(), "ends too early", f);
      case LockObtainFailedException f -> {
        IndexLockedException locked = new IndexLockedException(directory);
        locked.initCause(f);
        yield locked;
      }
      default -> new UncheckedIOException(doing + " failed in " + directory, e);
    };
  }

  private static CorruptIndexException missing(
      Path directory, @Nullable String file, IOException e) {
    Path path = directory.resolve(file == null ? "" : file);
    return new CorruptIndexException(path, -1, "the file is missing", e);
  }

  private static CorruptIndexException corrupt(
      Path directory, @Nullable String resource, @Nullable String problem, IOException e) {
    String text = String.valueOf(resource);
    Matcher m = PATH.matcher(text);
    Path file = m.find() ? Path.of(m.group(1)) : directory;
    String where = resource == null ? "" : " (" + text + ")";
    return new CorruptIndexException(file, -1, problem + where, e);
  }

  /** Lucene's writer closes itself when it can't go on; the first failure is the cause. */
  private static RuntimeException stopped(Path directory, String doing, AlreadyClosedException e) {
    Throwable cause = e.getCause();
    if (cause instanceof IOException io) {
      return translate(directory, doing + ", after the index had stopped,", io);
    }
    if (cause != null) {
      return new IllegalStateException(
          "the lexical index in "
              + directory
              + " stopped after a failure; close it and open it again: the last commit is safe",
          cause);
    }
    IndexClosedException closed = new IndexClosedException("the lexical index in " + directory);
    closed.initCause(e);
    return closed;
  }
}

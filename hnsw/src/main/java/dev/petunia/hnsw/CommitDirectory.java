package dev.petunia.hnsw;

import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.IndexLockedException;
import dev.petunia.core.internal.Checks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A directory of commits.
 *
 * <pre>
 *   write.lock               locked by the writer
 *   vectors-0000000007.pv    vectors (see {@link SlotFile})
 *   codes-0000000007.pv      codes, when there are any
 *   graph-0000000009.pv      the rest, as a log (see {@link GraphFile})
 *   commit                   names the files that count, and how far
 * </pre>
 *
 * <p>The file {@code commit}, little-endian, 116 bytes:
 *
 * <pre>
 *   0  8  magic "PETUNIAC"
 *   8  4  version, 2
 *  12  4  0
 *  16 48  the last commit
 *  64 48  the one before it, which can be opened too
 * 112  4  CRC-32C of bytes 0 to 111
 *
 * each commit
 *   0  8  generation; 0: none, the index was opened as an empty one
 *   8  8  number of its vectors file
 *  16  8  number of its codes file, 0 for none
 *  24  8  number of its graph file
 *  32  8  length of the graph file; −1: a commit of version 1, the vectors file has all of it
 *  40  4  nodes: slots of the other files that it refers to
 *  44  4  1: nothing may be added to its files, see {@link Commit#isFrozen}; 0: it may
 * </pre>
 *
 * <p>A commit: slots and a frame are added to the files, or new files are written, all beyond what
 * earlier commits refer to; they are forced to disk, and their names. Then {@code commit} is
 * written under a temporary name, forced and renamed, and the directory forced. The rename is the
 * moment that decides. A crash before it leaves the old commit, after it the new one; files that no
 * commit names are removed.
 *
 * <p>Version 1 had one file for each commit ({@link Snapshot}); it is read, and the next commit
 * writes version 2.
 */
final class CommitDirectory {
  private static final String COMMIT = "commit";
  private static final String LOCK = "write.lock";
  private static final String TEMPORARY = ".tmp";

  private static final Pattern FILE = Pattern.compile("(vectors|codes|graph)-(\\d{10,18})\\.pv");

  /** Reads a commit; its exceptions are passed on. */
  interface Reader {
    void read(Commit commit) throws IOException;
  }

  private final Path path;
  private final @Nullable FileChannel lockChannel;
  private final @Nullable FileLock lock;
  private Commit current = Commit.NONE;
  private Commit previous = Commit.NONE;
  private long lastFile;

  /** Commits whose last step failed: perhaps on disk, so what they name must stay as it is. */
  private final List<Commit> doubtful = new ArrayList<>();

  private boolean isRenaming;
  private boolean isNew;
  private boolean pinned;
  private boolean chosen;

  private CommitDirectory(Path path, @Nullable FileChannel lockChannel, @Nullable FileLock lock) {
    this.path = path;
    this.lockChannel = lockChannel;
    this.lock = lock;
  }

  static long magic(String eight) {
    long magic = 0;
    for (int i = 7; i >= 0; i--) {
      magic = magic << 8 | eight.charAt(i);
    }
    return magic;
  }

  static CommitDirectory forWriting(Path path) {
    requireNoFile(path);
    FileChannel channel = null;
    try {
      make(path);
      channel =
          FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw new IndexLockedException(path);
      }
      CommitDirectory d = new CommitDirectory(path, channel, lock);
      d.readCommit();
      d.lastFile = d.greatestFile();
      return d;
    } catch (OverlappingFileLockException e) {
      closeQuietly(channel);
      throw new IndexLockedException(path);
    } catch (IOException e) {
      closeQuietly(channel);
      throw new UncheckedIOException(path + " can't be opened for writing: " + e, e);
    } catch (RuntimeException e) {
      closeQuietly(channel);
      throw e;
    }
  }

  static CommitDirectory forReading(Path path) {
    requireNoFile(path);
    CommitDirectory d = new CommitDirectory(path, null, null);
    try {
      d.readCommit();
    } catch (IOException e) {
      throw new UncheckedIOException(path + " can't be read: " + e, e);
    }
    if (d.current.generation() == 0) {
      throw Checks.bad("directory", path, "a directory with a committed index, to open read-only");
    }
    return d;
  }

  private static void requireNoFile(Path path) {
    Checks.present("directory", path);
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw Checks.bad("directory", path, "a directory, or a path where one can be made");
    }
  }

  /** Makes a directory and those above it, and makes that durable. */
  private static void make(Path directory) throws IOException {
    Path above = directory.toAbsolutePath().getParent();
    if (above == null || Files.isDirectory(directory)) {
      return;
    }
    make(above);
    Files.createDirectories(directory); // or another process just did
    try {
      force(above);
    } catch (AccessDeniedException e) {
      // may be written and not read: then it can't be forced
    }
  }

  private static void closeQuietly(@Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // the reason why it is closed matters more
    }
  }

  Path path() {
    return path;
  }

  long generation() {
    return current.generation();
  }

  Commit current() {
    return current;
  }

  void requireWritable() {
    if (lock == null) {
      throw new IllegalStateException("the index in " + path + " is open for reading only");
    }
  }

  /** A file by its kind (vectors, codes, graph) and number. */
  Path file(String kind, long number) {
    return path.resolve(String.format(java.util.Locale.ROOT, "%s-%010d.pv", kind, number));
  }

  /** A number that no file has. */
  long newFile() {
    return ++lastFile;
  }

  private long greatestFile() throws IOException {
    long greatest = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      for (Path file : files) {
        Matcher m = FILE.matcher(file.getFileName().toString());
        greatest = m.matches() ? Math.max(greatest, Long.parseLong(m.group(2))) : greatest;
      }
    }
    return greatest;
  }

  private Commit find(long wanted) {
    if (current.generation() == wanted) {
      return current;
    }
    if (previous.generation() == wanted) {
      return previous;
    }
    throw new CorruptIndexException(
        path, -1, "commit " + wanted + " is not there; the last one is " + current.generation());
  }

  /**
   * Chooses the last commit, the one before, or 0 for none, to be loaded; nothing is written until
   * {@link #settle}.
   */
  void choose(long wanted) {
    if (wanted < 0) {
      throw Checks.bad("generation", wanted, "0 or more");
    }
    if (wanted != current.generation()) {
      current = wanted == 0 ? Commit.NONE : find(wanted).frozen();
      previous = Commit.NONE;
      chosen = true;
    }
  }

  /** For a writer: makes the choice durable, and removes files that belong to no commit. */
  void settle() {
    if (lock == null) {
      return;
    }
    try {
      if (chosen) {
        writeCommit();
        chosen = false;
      }
      removeStrays();
    } catch (IOException e) {
      throw new UncheckedIOException(path + " can't be written: " + e, e);
    }
  }

  /** Makes a reader read this commit, whatever the current one is. */
  void pin(long wanted) {
    if (wanted < 1) {
      throw Checks.bad("generation", wanted, "1 or more");
    }
    current = find(wanted);
    pinned = true;
  }

  /** Lets a reader have the current commit; does nothing when there is none. */
  void load(Reader reader) {
    if (current.generation() == 0) {
      return;
    }
    for (int attempt = 0; ; attempt++) {
      try {
        reader.read(current);
        return;
      } catch (NoSuchFileException e) {
        // a writer may have moved on between our reading of `commit` and of the files
        long seen = current.generation();
        if (lock == null && !pinned && attempt < 10 && moved(seen)) {
          continue;
        }
        throw new CorruptIndexException(
            Path.of(String.valueOf(e.getFile())), -1, "the committed file is missing", e);
      } catch (IOException e) {
        throw new UncheckedIOException("the index in " + path + " can't be read: " + e, e);
      }
    }
  }

  /**
   * Lets a checker have the commit that was loaded or made last; does nothing when there is none,
   * or when a writer has removed its files since this reader loaded it.
   */
  void check(Reader checker) {
    if (current.generation() == 0) {
      return;
    }
    try {
      checker.read(current);
    } catch (NoSuchFileException e) {
      if (lock != null) {
        throw new CorruptIndexException(
            Path.of(String.valueOf(e.getFile())), -1, "the committed file is missing", e);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the index in " + path + " can't be read: " + e, e);
    }
  }

  private boolean moved(long seen) {
    try {
      readCommit();
      return current.generation() != seen;
    } catch (IOException e) {
      throw new UncheckedIOException(path + " can't be read: " + e, e);
    }
  }

  /** To be called before the first file of a commit is written; see {@link #requireNoCommits}. */
  void begin() throws IOException {
    if (isNew) {
      writeCommit(); // that there is none
      isNew = false;
    }
  }

  /** Whether the next commit may add to the files of the last one; else it writes new ones. */
  boolean mayAddToFiles() {
    return doubtful.isEmpty() && !current.isFrozen();
  }

  /** Makes a commit the current one; its files are on disk, their names perhaps not yet. */
  void commit(Commit next) throws IOException {
    Commit before = previous;
    Commit now = current;
    force(path);
    previous = current;
    current = next;
    isRenaming = false;
    try {
      writeCommit();
      doubtful.clear();
    } catch (IOException | RuntimeException e) {
      previous = before;
      current = now;
      if (isRenaming) {
        doubtful.add(next);
      }
      throw e;
    }
    removeUnnamed();
  }

  /** Removes the files that belong to no commit, if it can: else the next opening does. */
  void removeUnnamed() {
    try {
      removeStrays();
    } catch (IOException e) {
      // they are removed at the next opening for writing
    }
  }

  private static void deleteQuietly(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // a stray; removed at the next opening for writing
    }
  }

  private void removeStrays() throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        Matcher m = FILE.matcher(name);
        if (m.matches()
            ? !isNamed(m.group(1), Long.parseLong(m.group(2)))
            : name.endsWith(TEMPORARY)
                && (name.startsWith("vectors-") || name.startsWith(COMMIT))) {
          deleteQuietly(file);
        }
      }
    }
  }

  private boolean isNamed(String kind, long number) {
    return current.names(kind, number)
        || previous.names(kind, number)
        || doubtful.stream().anyMatch(commit -> commit.names(kind, number));
  }

  private void readCommit() throws IOException {
    Path file = path.resolve(COMMIT);
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      requireNoCommits(file);
      isNew = true;
      current = Commit.NONE;
      previous = Commit.NONE;
      return;
    }
    Commit.Pair said = Commit.decode(file, bytes);
    current = said.last();
    previous = said.before();
    long before = current.generation() - 1;
    if (said.version() == 1 && before > 0 && Files.exists(file("vectors", before))) {
      previous = Commit.version1(before); // version 1 kept it without naming it
    }
  }

  /**
   * Without the file {@code commit} a directory is new: it is the first that is written there. With
   * other files it is not: somebody removed it, and to go on would discard them.
   */
  private void requireNoCommits(Path commit) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      for (Path file : files) {
        Matcher m = FILE.matcher(file.getFileName().toString());
        if (m.matches()) {
          throw new CorruptIndexException(commit, -1, "is missing, but there is " + file);
        }
      }
    } catch (NoSuchFileException e) {
      // no directory yet, so no commits
    }
  }

  private void writeCommit() throws IOException {
    ByteBuffer b = Commit.encode(current, previous);
    Path temporary = path.resolve(COMMIT + TEMPORARY);
    try (FileChannel c =
        FileChannel.open(
            temporary,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      while (b.hasRemaining()) {
        c.write(b);
      }
      c.force(true);
    } catch (IOException e) {
      deleteQuietly(temporary);
      throw e;
    }
    isRenaming = true;
    Files.move(temporary, path.resolve(COMMIT), StandardCopyOption.ATOMIC_MOVE);
    force(path);
  }

  /** Makes renames in a directory durable. */
  private static void force(Path directory) throws IOException {
    try (FileChannel c = FileChannel.open(directory, StandardOpenOption.READ)) {
      c.force(true);
    } catch (AccessDeniedException e) {
      // Windows can't open a directory; its renames are durable when the call returns
      if (!System.getProperty("os.name", "").startsWith("Windows")) {
        throw e;
      }
    }
  }

  void close() {
    try {
      if (lock != null) {
        lock.release();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(path + " can't be unlocked: " + e, e);
    } finally {
      closeQuietly(lockChannel);
    }
  }
}

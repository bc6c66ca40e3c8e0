package dev.petunia.hnsw;

import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.IndexLockedException;
import dev.petunia.core.internal.Checks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A directory of commits.
 *
 * <pre>
 *   write.lock               locked by the writer
 *   vectors-0000000007.pv    a snapshot (see {@link Snapshot}); at most the last two are kept
 *   vectors-0000000008.pv
 *   commit                   names the snapshot that counts
 * </pre>
 *
 * <p>The file {@code commit}, little-endian, 32 bytes:
 *
 * <pre>
 *   0  8  magic "PETUNIAC"
 *   8  4  version, 1
 *  12  4  0
 *  16  8  generation; 0: none, the index was opened as an empty one
 *  24  4  0
 *  28  4  CRC-32C of bytes 0 to 27
 * </pre>
 *
 * <p>A commit: the snapshot is written under a temporary name and forced to disk, renamed, the
 * directory forced; then {@code commit} likewise. The rename of {@code commit} is the moment that
 * decides. A crash before it leaves the old commit, after it the new one; strays are removed at the
 * next opening for writing.
 */
final class CommitDirectory {
  private static final long COMMIT_MAGIC = magic("PETUNIAC");
  private static final int COMMIT_BYTES = 32;
  private static final String COMMIT = "commit";
  private static final String LOCK = "write.lock";
  private static final String TEMPORARY = ".tmp";
  private static final Pattern SNAPSHOT = Pattern.compile("vectors-(\\d{10,18})\\.pv");

  /** Reads or writes a file; its exceptions are passed on. */
  interface FileAction {
    void on(Path file) throws IOException;
  }

  private final Path path;
  private final @Nullable FileChannel lockChannel;
  private final @Nullable FileLock lock;
  private long generation;
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
      Files.createDirectories(path);
      channel =
          FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw new IndexLockedException(path);
      }
      CommitDirectory d = new CommitDirectory(path, channel, lock);
      d.generation = d.readCommit();
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
      d.generation = d.readCommit();
    } catch (IOException e) {
      throw new UncheckedIOException(path + " can't be read: " + e, e);
    }
    if (d.generation == 0) {
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
    return generation;
  }

  void requireWritable() {
    if (lock == null) {
      throw new IllegalStateException("the index in " + path + " is open for reading only");
    }
  }

  private Path snapshot(long g) {
    return path.resolve(String.format(java.util.Locale.ROOT, "vectors-%010d.pv", g));
  }

  /**
   * Chooses the last commit, the one before, or 0 for none, to be loaded; nothing is written until
   * {@link #settle}.
   */
  void choose(long wanted) {
    if (wanted < 0) {
      throw Checks.bad("generation", wanted, "0 or more");
    }
    if (wanted > generation || (wanted > 0 && !Files.exists(snapshot(wanted)))) {
      throw new CorruptIndexException(
          snapshot(wanted), -1, "the commit asked for is not there; the last one is " + generation);
    }
    chosen = wanted != generation;
    generation = wanted;
  }

  /** For a writer: makes the choice durable, and removes files that belong to no commit. */
  void settle() {
    if (lock == null) {
      return;
    }
    try {
      if (chosen) {
        writeCommit(generation);
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
    generation = wanted;
    pinned = true;
  }

  /** Lets a reader have the current snapshot; does nothing when there is none. */
  void load(FileAction reader) {
    if (generation == 0) {
      return;
    }
    for (int attempt = 0; ; attempt++) {
      try {
        reader.on(snapshot(generation));
        return;
      } catch (NoSuchFileException e) {
        // a writer may have moved on between our reading of `commit` and of the snapshot
        long seen = generation;
        if (lock == null && !pinned && attempt < 10 && moved(seen)) {
          continue;
        }
        throw new CorruptIndexException(snapshot(seen), -1, "the committed file is missing", e);
      } catch (IOException e) {
        throw new UncheckedIOException(snapshot(generation) + " can't be read: " + e, e);
      }
    }
  }

  /**
   * Lets a checker have the file that was loaded or committed last; does nothing when there is
   * none, or when a writer has removed it since this reader loaded it.
   */
  void check(FileAction checker) {
    if (generation == 0) {
      return;
    }
    try {
      checker.on(snapshot(generation));
    } catch (NoSuchFileException e) {
      if (lock != null) {
        throw new CorruptIndexException(
            snapshot(generation), -1, "the committed file is missing", e);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(snapshot(generation) + " can't be read: " + e, e);
    }
  }

  private boolean moved(long seen) {
    try {
      generation = readCommit();
      return generation != seen;
    } catch (IOException e) {
      throw new UncheckedIOException(path + " can't be read: " + e, e);
    }
  }

  /** Writes the next snapshot and makes it the current one; its generation. */
  long commit(FileAction writer) {
    long next = generation + 1;
    Path temporary = path.resolve(snapshot(next).getFileName() + TEMPORARY);
    try {
      writer.on(temporary);
      Files.move(temporary, snapshot(next), StandardCopyOption.ATOMIC_MOVE);
      force(path);
      writeCommit(next);
    } catch (IOException e) {
      deleteQuietly(temporary);
      throw new UncheckedIOException("the commit to " + path + " failed: " + e, e);
    }
    long before = generation;
    generation = next;
    for (long old = before - 1; old > 0 && Files.exists(snapshot(old)); old--) {
      deleteQuietly(snapshot(old)); // the last two stay
    }
    return next;
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
        boolean old =
            SNAPSHOT.matcher(name).matches()
                && !file.equals(snapshot(generation))
                && !file.equals(snapshot(generation - 1));
        if (old
            || (name.endsWith(TEMPORARY)
                && (name.startsWith("vectors-") || name.startsWith(COMMIT)))) {
          deleteQuietly(file);
        }
      }
    }
  }

  private long readCommit() throws IOException {
    Path file = path.resolve(COMMIT);
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      requireNoCommits(file);
      return 0;
    }
    if (bytes.length != COMMIT_BYTES) {
      throw new CorruptIndexException(file, -1, bytes.length + " bytes instead of " + COMMIT_BYTES);
    }
    ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (b.getLong(0) != COMMIT_MAGIC) {
      throw new CorruptIndexException(file, 0, "not a commit file");
    }
    if (b.getInt(28) != crc(b)) {
      throw new CorruptIndexException(file, 28, "wrong checksum");
    }
    if (b.getInt(8) != 1) {
      throw new CorruptIndexException(
          file, 8, "version " + b.getInt(8) + ", but this Petunia reads version 1");
    }
    return b.getLong(16);
  }

  /**
   * Without the file {@code commit} a directory is new, or its first commit was cut short. With
   * later snapshots it is neither: somebody removed the file, and to go on would discard them.
   */
  private void requireNoCommits(Path commit) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      for (Path file : files) {
        Matcher m = SNAPSHOT.matcher(file.getFileName().toString());
        if (m.matches() && Long.parseLong(m.group(1)) > 1) {
          throw new CorruptIndexException(commit, -1, "is missing, but there is " + file);
        }
      }
    } catch (NoSuchFileException e) {
      // no directory yet, so no commits
    }
  }

  private void writeCommit(long g) throws IOException {
    ByteBuffer b = ByteBuffer.allocate(COMMIT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(0, COMMIT_MAGIC).putInt(8, 1).putLong(16, g);
    b.putInt(28, crc(b));
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
    }
    Files.move(temporary, path.resolve(COMMIT), StandardCopyOption.ATOMIC_MOVE);
    force(path);
  }

  private static int crc(ByteBuffer b) {
    CRC32C crc = new CRC32C();
    crc.update(b.duplicate().position(0).limit(28));
    return (int) crc.getValue();
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

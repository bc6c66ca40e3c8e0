package dev.petunia.dedup;

import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.IndexLockedException;
import dev.petunia.core.internal.Checks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The directory of an index.
 *
 * <pre>
 *   write.lock           locked while it is open
 *   log.pd               frames of {@link Records}: i32 length, i32 CRC-32C, the records
 *   sets.pd              the shingles of group 0, 1, ..., 8 bytes each
 *   bands-0000000007.pd  sorted runs ({@link BandRun})
 *   commit               what of these counts: {@link CommitFile}
 * </pre>
 *
 * <p>A commit adds to log and sets beyond what counts, writes the new run, forces all three, then
 * writes {@code commit} under another name, forces and renames it. The rename decides: a crash
 * before it leaves the commit before, and after a failure before it the commit can be tried again.
 * A new directory has a first commit, of nothing, at once: where there are other files and no
 * commit, that was lost. When opened, what lies beyond is cut off and runs that no commit names are
 * removed. Adjacent runs are merged when the newer ones are together at least as large as the one
 * before, so there are about log₂(groups) of them.
 *
 * <p>Who only reads takes no lock: log and sets never change as far as a commit counts them. It
 * leaves the runs alone, which a writer may replace, and cuts nothing off.
 */
final class Store implements AutoCloseable {

  private final Path directory;
  private final @Nullable FileChannel lockChannel;
  private final LshParameters lsh;
  private Arena arena = Arena.ofShared();
  private long logLength;
  private long setsLength;
  private long lastRun;
  private boolean isDoubtful;
  private final List<Long> runNumbers = new ArrayList<>();

  private Store(Path directory, @Nullable FileChannel lockChannel, LshParameters lsh) {
    this.directory = directory;
    this.lockChannel = lockChannel;
    this.lsh = lsh;
  }

  /** Reads what was committed last; a writer may have it open. */
  static Store openReadOnly(Path directory, LshParameters lsh, State state, Sets sets, Lsh index)
      throws IOException {
    if (!CommitFile.exists(directory)) {
      throw Checks.bad("directory", directory, "a directory with a committed dedup index");
    }
    Store store = new Store(directory, null, lsh);
    try {
      store.load(state, sets, index);
      return store;
    } catch (IOException | RuntimeException e) {
      store.close();
      throw e;
    }
  }

  boolean isReadOnly() {
    return lockChannel == null;
  }

  /** Locks the directory, which is made if need be, and reads what is in it. */
  static Store open(Path directory, LshParameters lsh, State state, Sets sets, Lsh index)
      throws IOException {
    Files.createDirectories(directory);
    FileChannel channel =
        FileChannel.open(
            directory.resolve("write.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    @Nullable Store store = null;
    try {
      FileLock lock = channel.tryLock(); // until the channel is closed
      if (lock == null) {
        throw new IndexLockedException(directory);
      }
      store = new Store(directory, channel, lsh);
      store.load(state, sets, index);
      return store;
    } catch (OverlappingFileLockException e) {
      channel.close();
      throw new IndexLockedException(directory);
    } catch (IOException | RuntimeException e) {
      if (store != null) {
        store.close();
      } else {
        channel.close();
      }
      throw e;
    }
  }

  private Path log() {
    return directory.resolve("log.pd");
  }

  Path setsFile() {
    return directory.resolve("sets.pd");
  }

  private Path runFile(long number) {
    return directory.resolve(String.format(Locale.ROOT, "bands-%010d.pd", number));
  }

  private void load(State state, Sets sets, Lsh index) throws IOException {
    Path file = CommitFile.file(directory);
    List<int[]> runs = List.of();
    if (!CommitFile.exists(directory)) {
      begin();
    } else {
      CommitFile commit = CommitFile.read(directory, lsh);
      logLength = commit.logLength();
      setsLength = commit.setsLength();
      state.nextSequence = commit.nextSequence();
      state.mapVersion = commit.mapVersion();
      state.mark = commit.mark();
      runs = commit.runs();
      for (long n : commit.numbers()) {
        runNumbers.add(n);
        lastRun = Math.max(lastRun, n);
      }
    }
    if (isReadOnly()) {
      Files2.requireLength(log(), logLength);
      Files2.requireLength(setsFile(), setsLength);
    } else {
      cut(log(), logLength);
      cut(setsFile(), setsLength);
    }
    long nextSequence = state.nextSequence; // also of chunks that are no more
    Log.read(log(), logLength, state, sets);
    state.nextSequence = nextSequence;
    if (sets.length() != setsLength) {
      throw new CorruptIndexException(
          setsFile(),
          -1,
          "the log tells of " + sets.length() + " bytes, the commit of " + setsLength);
    }
    int next = 0;
    for (int i = 0; i < runs.size(); i++) {
      int[] r = runs.get(i);
      if (r[0] != next) {
        throw new CorruptIndexException(file, -1, "run " + i + " begins at group " + r[0]);
      }
      next += r[1];
    }
    if (next != state.groups()) {
      throw new CorruptIndexException(
          file, -1, "the runs have " + next + " groups, the log has " + state.groups());
    }
    if (isReadOnly()) {
      map(sets, index, List.of());
      return;
    }
    Set<Path> named = new HashSet<>();
    runNumbers.forEach(n -> named.add(runFile(n)));
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory, "{bands-*.pd,*.tmp}")) {
      for (Path p : all) {
        if (!named.contains(p)) {
          Files.delete(p);
        }
      }
    }
    map(sets, index, runs);
  }

  /** Makes the first commit, of nothing: from then on a directory without one is damaged. */
  private void begin() throws IOException {
    for (Path p : List.of(log(), setsFile())) {
      if (Files.exists(p) && Files.size(p) > 0) {
        throw lost(p);
      }
    }
    try (DirectoryStream<Path> runs = Files.newDirectoryStream(directory, "bands-*.pd")) {
      for (Path p : runs) {
        throw lost(p);
      }
    }
    cut(log(), 0);
    cut(setsFile(), 0);
    new CommitFile(0, 0, 0, 0, 0, List.of(), List.of()).write(directory, lsh);
    CommitFile.rename(directory);
  }

  private CorruptIndexException lost(Path found) {
    return new CorruptIndexException(
        CommitFile.file(directory), -1, "is missing, but " + found.getFileName() + " is there");
  }

  private static void cut(Path file, long length) throws IOException {
    if (length > 0) {
      Files2.requireLength(file, length);
    }
    try (FileChannel c =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      if (c.size() > length) {
        c.truncate(length);
        c.force(true);
      }
    }
  }

  @SuppressWarnings("MustBeClosedChecker") // becomes the field, which close() closes
  private void map(Sets sets, Lsh index, List<int[]> runs) throws IOException {
    Arena fresh = Arena.ofShared();
    List<BandRun> opened = new ArrayList<>();
    try {
      for (int i = 0; i < runs.size(); i++) {
        int[] r = runs.get(i);
        opened.add(BandRun.open(runFile(runNumbers.get(i)), lsh, r[0], r[1], fresh));
      }
      Files2.requireLength(setsFile(), setsLength);
      try (FileChannel c = FileChannel.open(setsFile(), StandardOpenOption.READ)) {
        sets.map(c.map(FileChannel.MapMode.READ_ONLY, 0, setsLength, fresh));
      }
    } catch (IOException | RuntimeException e) {
      fresh.close();
      throw e;
    }
    index.runs.clear();
    index.runs.addAll(opened);
    index.table.restart(runs.stream().mapToInt(r -> r[1]).sum());
    Arena before = arena;
    arena = fresh;
    before.close(); // nobody reads: the caller holds the write lock
  }

  /** Makes all durable that came since the last commit, and the mark. Others read meanwhile. */
  void commit(Guard guard, State state, Sets sets, Lsh index, Records records, long mark) {
    Optional<CommitFile> written =
        guard.reading(
            () -> {
              guard.requireWritable();
              return unchecked(
                  () -> {
                    Optional<CommitFile> w =
                        Files2.uninterrupted(() -> write(state, sets, index, records, mark));
                    if (w.isPresent()) {
                      isDoubtful = true; // until it is known which commit is on disk
                      CommitFile.rename(directory);
                    }
                    return w;
                  });
            });
    if (written.isPresent()) {
      guard.alone(
          () ->
              unchecked(
                  () -> {
                    publish(written.get(), state, sets, index, records);
                    return state;
                  }));
    }
  }

  private static <T> T unchecked(Files2.Work<T> work) {
    try {
      return work.run();
    } catch (IOException e) {
      throw new UncheckedIOException("the commit failed: " + e, e);
    }
  }

  /**
   * Writes a commit, up to the rename: until then nothing counts, and it can be written again from
   * the lengths that do.
   *
   * @return for {@link #publish}; empty when there was nothing to do
   */
  private Optional<CommitFile> write(State state, Sets sets, Lsh index, Records records, long mark)
      throws IOException {
    if (isDoubtful) {
      throw new IllegalStateException(
          "an earlier commit of " + directory + " failed; close the index and open it again");
    }
    ByteBuffer frame = records.drain();
    if (!frame.hasRemaining() && mark == state.mark) {
      return Optional.empty();
    }
    long newLog = Log.append(log(), logLength, frame);
    try (FileChannel c = FileChannel.open(setsFile(), StandardOpenOption.WRITE)) {
      c.position(setsLength);
      for (long[] set : sets.recent()) {
        ByteBuffer b = ByteBuffer.allocate(8 * set.length).order(ByteOrder.LITTLE_ENDIAN);
        b.asLongBuffer().put(set);
        Files2.writeFully(c, b);
      }
      c.force(true);
    }
    List<int[]> runs = new ArrayList<>();
    List<Long> numbers = new ArrayList<>(runNumbers);
    index.runs.forEach(r -> runs.add(new int[] {r.first(), r.size()}));
    if (index.table.size() > 0) {
      addRun(index, runs, numbers);
    }
    Files2.forceDirectory(directory);
    CommitFile written =
        new CommitFile(
            newLog, sets.length(), state.nextSequence, state.mapVersion, mark, runs, numbers);
    written.write(directory, lsh);
    return Optional.of(written);
  }

  /** Goes over to a commit that was written; nobody may read meanwhile. */
  private void publish(CommitFile written, State state, Sets sets, Lsh index, Records records)
      throws IOException {
    List<Long> old = new ArrayList<>(runNumbers);
    logLength = written.logLength();
    setsLength = written.setsLength();
    runNumbers.clear();
    runNumbers.addAll(written.numbers());
    runNumbers.forEach(n -> lastRun = Math.max(lastRun, n));
    records.written();
    Files2.uninterrupted(
        () -> {
          map(sets, index, written.runs());
          return directory;
        });
    state.mark = written.mark();
    isDoubtful = false;
    old.removeAll(written.numbers());
    for (long n : old) {
      Files.deleteIfExists(runFile(n));
    }
  }

  private void addRun(Lsh index, List<int[]> runs, List<Long> numbers) throws IOException {
    int from = runs.size();
    int size = index.table.size();
    while (from > 0 && runs.get(from - 1)[1] <= size) {
      size += runs.get(--from)[1];
    }
    List<BandRun> merge = List.copyOf(index.runs.subList(from, index.runs.size()));
    int first = merge.isEmpty() ? index.table.first() : merge.getFirst().first();
    long number = lastRun + 1; // the same again when the commit fails and is tried again
    BandRun.write(
        runFile(number),
        lsh,
        first,
        size,
        band -> BandRun.merged(merge, band, index.table.sorted(band)));
    while (runs.size() > from) {
      runs.removeLast();
      numbers.removeLast();
    }
    runs.add(new int[] {first, size});
    numbers.add(number);
  }

  @Override
  public void close() throws IOException {
    arena.close();
    if (lockChannel != null) {
      lockChannel.close(); // and with it the lock
    }
  }
}

package dev.petunia.dedup;

import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.IndexLockedException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The directory of an index.
 *
 * <pre>
 *   write.lock           locked while it is open
 *   log.pd               frames of {@link Records}: i32 length, i32 CRC-32C, the records
 *   sets.pd              the shingles of group 0, 1, ..., 8 bytes each
 *   bands-0000000007.pd  sorted runs ({@link BandRun})
 *   commit               what of these counts
 * </pre>
 *
 * <p>The file {@code commit}, little-endian:
 *
 * <pre>
 *  0  8  magic "PETUNIAD"
 *  8  4  format version, 1
 * 12  4  normalizer version      16  4  MinHash version
 * 20  4  bands                   24  4  rows
 * 28  8  length of log.pd        36  8  length of sets.pd
 * 44  8  next sequence number    52  8  version of the canonical map
 * 60  4  n, runs of band keys, then n × (i64 number, i32 first group, i32 groups)
 * ..  4  CRC-32C of all before
 * </pre>
 *
 * <p>A commit adds to log and sets beyond what counts, writes the new run, forces all three, then
 * writes {@code commit} under another name, forces and renames it. The rename decides: a crash
 * before it leaves the commit before. When opened, what lies beyond is cut off and runs that no
 * commit names are removed. Adjacent runs are merged when the newer ones are together at least as
 * large as the one before, so there are about log₂(groups) of them.
 */
final class Store implements AutoCloseable {
  private static final long MAGIC = 0x4441_494E_5554_4550L;
  private static final int FORMAT = 1;
  private static final String COMMIT = "commit";

  private final Path directory;
  private final FileChannel lockChannel;
  private final FileLock lock;
  private final LshParameters lsh;
  private Arena arena = Arena.ofShared();
  private long logLength;
  private long setsLength;
  private long lastRun;
  private boolean isDoubtful;
  private final List<Long> runNumbers = new ArrayList<>();

  private Store(Path directory, FileChannel lockChannel, FileLock lock, LshParameters lsh) {
    this.directory = directory;
    this.lockChannel = lockChannel;
    this.lock = lock;
    this.lsh = lsh;
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
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw new IndexLockedException(directory);
      }
      store = new Store(directory, channel, lock, lsh);
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
    Path file = directory.resolve(COMMIT);
    List<int[]> runs = new ArrayList<>();
    if (Files.exists(file)) {
      readCommit(file, state, runs);
    }
    cut(log(), logLength);
    cut(setsFile(), setsLength);
    readLog(state, sets);
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

  private void readCommit(Path file, State state, List<int[]> runs) throws IOException {
    byte[] all = Files.readAllBytes(file);
    if (all.length < 68) {
      throw new CorruptIndexException(file, -1, "has " + all.length + " bytes, at least 68 needed");
    }
    ByteBuffer b = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
    if (b.getLong(0) != MAGIC) {
      throw new CorruptIndexException(file, 0, "is not a commit of a dedup index");
    }
    CRC32C crc = new CRC32C();
    crc.update(all, 0, all.length - 4);
    if (b.getInt(all.length - 4) != (int) crc.getValue()) {
      throw new CorruptIndexException(file, all.length - 4, "fails its checksum");
    }
    b.position(8);
    require(file, "format version", b.getInt(), FORMAT);
    require(file, "normalizer version", b.getInt(), Normalizer.VERSION);
    require(file, "MinHash version", b.getInt(), MinHash.VERSION);
    require(file, "bands", b.getInt(), lsh.bands());
    require(file, "rows", b.getInt(), lsh.rows());
    logLength = b.getLong();
    setsLength = b.getLong();
    state.nextSequence = b.getLong();
    state.mapVersion = b.getLong();
    int n = b.getInt();
    if (n < 0 || all.length != 68 + 16L * n) {
      throw new CorruptIndexException(file, 60, "names " + n + " runs in " + all.length + " bytes");
    }
    for (int i = 0; i < n; i++) {
      runNumbers.add(b.getLong());
      runs.add(new int[] {b.getInt(), b.getInt()});
      lastRun = Math.max(lastRun, runNumbers.getLast());
    }
  }

  private static void require(Path file, String what, int found, int wanted) {
    if (found != wanted) {
      throw new IllegalArgumentException(
          what
              + " of "
              + file
              + " is "
              + found
              + ", allowed: "
              + wanted
              + "; what was made with another can't be compared, so ingest the texts anew");
    }
  }

  private static void cut(Path file, long length) throws IOException {
    try (FileChannel c =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      if (c.size() < length) {
        throw new CorruptIndexException(
            file, c.size(), "ends here, but " + length + " bytes were committed");
      }
      if (c.size() > length) {
        c.truncate(length);
        c.force(true);
      }
    }
  }

  private void readLog(State state, Sets sets) throws IOException {
    long nextSequence = state.nextSequence;
    try (FileChannel c = FileChannel.open(log(), StandardOpenOption.READ)) {
      ByteBuffer head = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      for (long at = 0; at < logLength; ) {
        read(c, head.clear(), at);
        int length = head.getInt(0);
        if (length < 0 || length > logLength - at - 8) {
          throw new CorruptIndexException(log(), at, "a frame of " + length + " bytes");
        }
        ByteBuffer frame = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        read(c, frame, at + 8);
        CRC32C crc = new CRC32C();
        crc.update(frame.array());
        if (head.getInt(4) != (int) crc.getValue()) {
          throw new CorruptIndexException(log(), at, "a frame fails its checksum");
        }
        Records.read(frame.flip(), state, sets, log(), at + 8);
        at += 8 + length;
      }
    }
    state.nextSequence = nextSequence;
  }

  private static void read(FileChannel c, ByteBuffer b, long at) throws IOException {
    while (b.hasRemaining()) {
      if (c.read(b, at + b.position()) < 0) {
        throw new IOException("the file ended while it was read");
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

  /** Makes all durable that came since the last commit. */
  void commit(State state, Sets sets, Lsh index, Records records) throws IOException {
    if (isDoubtful) {
      throw new IllegalStateException(
          "an earlier commit of " + directory + " failed; close the index and open it again");
    }
    ByteBuffer frame = records.drain();
    if (!frame.hasRemaining()) {
      return;
    }
    isDoubtful = true; // until it is known what is on disk
    CRC32C crc = new CRC32C();
    crc.update(frame.duplicate());
    ByteBuffer head = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    head.putInt(frame.remaining()).putInt((int) crc.getValue()).flip();
    long newLog = logLength + 8 + frame.remaining();
    try (FileChannel c = FileChannel.open(log(), StandardOpenOption.WRITE)) {
      c.position(logLength);
      Files2.writeFully(c, head);
      Files2.writeFully(c, frame);
      c.force(true);
    }
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
    write(state, runs, numbers, newLog, sets.length());
    // from here on the new commit is the one that counts
    List<Long> old = new ArrayList<>(runNumbers);
    logLength = newLog;
    setsLength = sets.length();
    runNumbers.clear();
    runNumbers.addAll(numbers);
    records.written();
    map(sets, index, runs);
    isDoubtful = false;
    old.removeAll(numbers);
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
    long number = ++lastRun;
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

  private void write(State state, List<int[]> runs, List<Long> numbers, long log, long setBytes)
      throws IOException {
    ByteBuffer b = ByteBuffer.allocate(68 + 16 * runs.size()).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(MAGIC).putInt(FORMAT).putInt(Normalizer.VERSION).putInt(MinHash.VERSION);
    b.putInt(lsh.bands()).putInt(lsh.rows()).putLong(log).putLong(setBytes);
    b.putLong(state.nextSequence).putLong(state.mapVersion).putInt(runs.size());
    for (int i = 0; i < runs.size(); i++) {
      b.putLong(numbers.get(i)).putInt(runs.get(i)[0]).putInt(runs.get(i)[1]);
    }
    CRC32C crc = new CRC32C();
    crc.update(b.array(), 0, b.position());
    b.putInt((int) crc.getValue()).flip();
    Path tmp = directory.resolve(COMMIT + ".tmp");
    try (FileChannel c =
        FileChannel.open(
            tmp,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      Files2.writeFully(c, b);
      c.force(true);
    }
    Files.move(
        tmp,
        directory.resolve(COMMIT),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    Files2.forceDirectory(directory);
  }

  @Override
  public void close() throws IOException {
    arena.close();
    lock.release();
    lockChannel.close();
  }
}

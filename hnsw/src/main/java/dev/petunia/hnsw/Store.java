package dev.petunia.hnsw;

import dev.petunia.core.ProgressListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings a {@link State} to the files of a {@link CommitDirectory} and back. Knows what is in the
 * files already, so that a commit writes what has changed. Called by one thread at a time.
 */
final class Store {
  /** A graph file is begun anew when its frames have grown beyond its first one and this. */
  private static final long LOG_BYTES = 1 << 20;

  private final CommitDirectory directory;
  private final HnswConfig config;
  private @Nullable SlotFile vectors;
  private @Nullable SlotFile codes;

  /** Whose codes are in the file. */
  private @Nullable Quantizer coded;

  private long graph;
  private long graphLength;
  private long baseLength;
  private volatile long mapped;
  private volatile long unmapped;

  Store(CommitDirectory directory, HnswConfig config) {
    this.directory = directory;
    this.config = config;
  }

  private SlotFile vectorFile(State s, long number) {
    VectorTable table = s.table;
    return new SlotFile(
        directory.file("vectors", number),
        SlotFile.VECTORS,
        number,
        table.form.bytes(),
        table.mask + 1);
  }

  private SlotFile codeFile(State s, Quantizer quantizer, long number) {
    return new SlotFile(
        directory.file("codes", number),
        SlotFile.CODES,
        number,
        quantizer.record,
        s.table.mask + 1);
  }

  /** A new file for the vectors of a compacted state. */
  SlotFile newVectorFile(State like) throws IOException {
    directory.begin();
    return vectorFile(like, directory.newFile());
  }

  /** A new file for its codes. */
  SlotFile newCodeFile(State like, Quantizer quantizer) throws IOException {
    directory.begin();
    return codeFile(like, quantizer, directory.newFile());
  }

  // ---- opening -------------------------------------------------------------------------------

  /**
   * Reads the directory's commit.
   *
   * @param empty makes an empty state: for each attempt a new one, as a writer may move on
   *     meanwhile
   */
  State load(Supplier<State> empty) {
    State[] loaded = new State[1];
    directory.load(
        commit -> {
          State s = empty.get();
          load(commit, s);
          loaded[0] = s;
        });
    return loaded[0] == null ? empty.get() : loaded[0];
  }

  private void load(Commit commit, State s) throws IOException {
    if (commit.isVersion1()) {
      Snapshot.read(directory.file("vectors", commit.vectors()), config, s);
      return;
    }
    VectorTable table = s.table;
    int nodes = commit.nodes();
    SlotFile vectorFile = vectorFile(s, commit.vectors());
    codes = null;
    coded = null;
    baseLength =
        GraphFile.read(
            directory.file("graph", commit.graph()),
            commit,
            config,
            s,
            quantizer -> {
              // the other files before the rest of this one, which may take long: a writer that
              // commits twice meanwhile removes their names
              table.open(nodes, vectorFile.open(nodes, 0));
              if (quantizer != null
                  && commit.codes() != 0
                  && quantizer.kind == config.quantization()) {
                SlotFile codeFile = codeFile(s, quantizer, commit.codes());
                table.codes(quantizer, codeFile.open(nodes, CodeKernels.OVERREAD));
                codes = codeFile;
                coded = quantizer;
              }
            });
    table.committed();
    vectors = vectorFile;
    count(table);
    graph = commit.graph();
    graphLength = commit.graphLength();
  }

  // ---- committing ----------------------------------------------------------------------------

  /**
   * Commits what has changed.
   *
   * @return the generation
   */
  long commit(State s) {
    return commit(s, null, null);
  }

  /** Commits a compacted state, whose vectors and codes are in files already. */
  long commit(Compaction.Result compacted) {
    return commit(compacted.state(), compacted.vectors(), compacted.codes());
  }

  private long commit(State s, @Nullable SlotFile written, @Nullable SlotFile writtenCodes) {
    boolean done = false;
    try {
      long generation = write(s, written, writtenCodes);
      done = true;
      return generation;
    } catch (IOException e) {
      throw new UncheckedIOException("the commit to " + directory.path() + " failed: " + e, e);
    } finally {
      if (!done) {
        giveUp();
      }
    }
  }

  /** Removes what a commit that failed has written to new files: the disk may be full. */
  void giveUp() {
    directory.removeUnnamed();
  }

  private long write(State s, @Nullable SlotFile written, @Nullable SlotFile writtenCodes)
      throws IOException {
    VectorTable table = s.table;
    int nodes = table.nodeLimit();
    int sealed = table.sealed();
    long next = directory.generation() + 1;
    directory.begin();
    SlotFile oldVectors = vectors;
    boolean fresh =
        written != null || oldVectors == null || !directory.mayAddToFiles() || isCut(sealed);
    SlotFile vectorFile;
    if (written != null) {
      vectorFile = written;
    } else if (fresh || oldVectors == null) {
      vectorFile = vectorFile(s, directory.newFile());
      vectorFile.write(table.vectors(), 0, nodes);
    } else {
      vectorFile = oldVectors;
      if (nodes > sealed) {
        vectorFile.write(table.vectors(), sealed, nodes);
      }
    }
    Codes now = table.codes();
    SlotFile codeFile = null;
    boolean newCodes = false;
    if (now != null) {
      SlotFile oldCodes = codes;
      newCodes = fresh || oldCodes == null || coded != now.quantizer;
      if (writtenCodes != null) {
        codeFile = writtenCodes;
      } else if (newCodes || oldCodes == null) {
        codeFile = codeFile(s, now.quantizer, directory.newFile());
        codeFile.write(now.pages(), 0, nodes);
      } else {
        codeFile = oldCodes;
        if (nodes > sealed) {
          codeFile.write(now.pages(), sealed, nodes);
        }
      }
    }
    boolean base =
        fresh
            || newCodes
            || (now == null) != (codes == null)
            || graphLength > 2 * baseLength + LOG_BYTES;
    long graphFile = base ? directory.newFile() : graph;
    long end =
        GraphFile.write(
            directory.file("graph", graphFile),
            base ? 0 : graphLength,
            config,
            s,
            next,
            base ? null : table.changedIds());
    directory.commit(
        new Commit(
            next,
            vectorFile.number(),
            codeFile == null ? 0 : codeFile.number(),
            graphFile,
            end,
            nodes,
            false));
    vectors = vectorFile;
    codes = codeFile;
    coded = now == null ? null : now.quantizer;
    graph = graphFile;
    graphLength = end;
    baseLength = base ? end : baseLength;
    table.committed();
    map(table, vectorFile, codeFile);
    return next;
  }

  /** Counts the bytes of files, and of pages that are mapped. */
  private void count(VectorTable table) {
    int nodes = table.sealed();
    long inFiles = 0;
    long inMemory = 0;
    for (SlotFile file : new @Nullable SlotFile[] {vectors, codes}) {
      if (file != null) {
        inFiles += file.length(nodes);
        inMemory += file.mappedBytes();
      }
    }
    mapped = inMemory;
    unmapped = inFiles - inMemory;
  }

  /** Whether somebody has removed or cut files: adding to them would not mend that. */
  private boolean isCut(int sealed) throws IOException {
    SlotFile v = vectors;
    SlotFile c = codes;
    return v != null
        && (isShort(v.path(), v.length(sealed))
            || (c != null && isShort(c.path(), c.length(sealed)))
            || isShort(directory.file("graph", graph), graphLength));
  }

  private static boolean isShort(Path file, long length) throws IOException {
    try {
      return Files.size(file) < length;
    } catch (NoSuchFileException e) {
      return true;
    }
  }

  /** Lets files take the place of memory for full pages. */
  private void map(VectorTable table, SlotFile vectorFile, @Nullable SlotFile codeFile) {
    int full = table.nodeLimit() / (table.mask + 1);
    try {
      MemorySegment[] pages = table.vectors().clone();
      if (vectorFile.map(pages, full, 0)) {
        table.vectors(pages);
      }
      Codes now = table.codes();
      if (codeFile != null && now != null) {
        MemorySegment[] codePages = now.pages().clone();
        if (codeFile.map(codePages, full, CodeKernels.OVERREAD)) {
          now.pages(codePages);
        }
      }
    } catch (IOException e) {
      // they stay in memory until the next commit tries again; this one is made
      System.getLogger("dev.petunia.hnsw")
          .log(
              System.Logger.Level.WARNING,
              "could not map a file of " + directory.path() + ": " + e);
    }
    count(table);
  }

  // ---- checking ------------------------------------------------------------------------------

  /** Checks the files of the last commit, every byte that it refers to. */
  void verify(State s, ProgressListener progress) {
    directory.check(
        commit -> {
          if (commit.isVersion1()) {
            Snapshot.verify(directory.file("vectors", commit.vectors()));
            return;
          }
          Progress files = new Progress(progress, "files");
          files.at(0, 1);
          GraphFile.verify(directory.file("graph", commit.graph()), commit);
          files.at(1, 1);
          VectorTable table = s.table;
          vectorFile(s, commit.vectors())
              .verify(
                  commit.nodes(),
                  (node, page, at) -> isUnknown(table, node) || isVector(table, node, page, at),
                  new Progress(progress, "vectors"));
          Codes now = table.codes();
          SlotFile codeFile = codes;
          if (codeFile != null && now != null && now.quantizer == coded) {
            verifyCodes(codeFile, commit.nodes(), table, now.quantizer, progress);
          }
        });
  }

  /** A slot whose vector was gone before the graph file began: nobody has its hash. */
  private static boolean isUnknown(VectorTable table, int node) {
    return table.state(node) == Page.FREE && table.hash(node) == 0;
  }

  private static boolean isVector(VectorTable table, int node, MemorySegment page, long at) {
    boolean zeros = true; // the padding takes part in distances
    for (int i = table.form.dimension(); i < table.form.stride(); i++) {
      zeros &= page.get(ValueLayout.JAVA_INT_UNALIGNED, at + 4L * i) == 0;
    }
    return zeros && table.form.hash(page, at) == table.hash(node);
  }

  private static void verifyCodes(
      SlotFile file, int nodes, VectorTable table, Quantizer quantizer, ProgressListener progress)
      throws IOException {
    Quantizer.Work work = new Quantizer.Work(table.form.dimension());
    MemorySegment again = Arena.ofAuto().allocate(quantizer.record, VectorTable.ALIGNMENT);
    file.verify(
        nodes,
        (node, page, at) -> {
          if (table.state(node) == Page.FREE) {
            return true;
          }
          quantizer.encode(table.vectors(node), table.at(node), again, 0, work);
          return MemorySegment.mismatch(page, at, at + quantizer.record, again, 0, quantizer.record)
              == -1;
        },
        new Progress(progress, "codes"));
  }

  /** Bytes of vectors and codes that are mapped. */
  long mappedBytes() {
    return mapped;
  }

  /** Bytes of the last commit's files that are not mapped. */
  long unmappedBytes() {
    return graphLength == 0 ? 0 : unmapped + graphLength + Commit.BYTES;
  }
}

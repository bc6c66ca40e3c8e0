package dev.petunia.examples.conversation.corpus;

import dev.petunia.core.Chunk;
import dev.petunia.core.ProgressListener;
import dev.petunia.examples.conversation.corpus.CorpusReport.Item;
import dev.petunia.examples.conversation.corpus.FolderWalk.Format;
import dev.petunia.examples.conversation.corpus.FolderWalk.Found;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The txt, md and html files of a folder and of all folders in it.
 *
 * <p>Chunks: {@code entryId} is the path relative to the folder, with slashes; {@code id} is {@code
 * guide/start.md#0}. Each chunk's text begins with a line {@code title > section}. Attributes:
 * {@code path}, {@code title}, and {@code section} where headings give one ({@code Install >
 * Linux}).
 *
 * <p>Everything that isn't read stands in the report with its reason: other kinds of files, hidden
 * ones, links, empty ones, binary ones, those above {@link #MAX_FILE_BYTES}, those that can't be
 * read. A file that isn't UTF-8 is read with a guessed charset and noted. All chunks are kept in
 * memory, so the folder's size has a limit, checked before anything is read: a quarter of the heap.
 */
public final class FolderCorpus implements Corpus {
  /** Larger files are skipped: 20 MB. */
  public static final long MAX_FILE_BYTES = 20_000_000;

  private static final int HEAP_PER_BYTE = 4;

  private final Path folder;
  private final long maxFileBytes;
  private final long maxBytes;

  /**
   * A folder.
   *
   * @param folder read when asked, not now
   */
  public FolderCorpus(Path folder) {
    this(folder, MAX_FILE_BYTES, Runtime.getRuntime().maxMemory() / HEAP_PER_BYTE);
  }

  FolderCorpus(Path folder, long maxFileBytes, long maxBytes) {
    this.folder = Arguments.present("folder", folder);
    this.maxFileBytes = maxFileBytes;
    this.maxBytes = maxBytes;
  }

  @Override
  public String name() {
    return "folder " + folder;
  }

  @Override
  public String fingerprint() throws IOException {
    Fingerprint f = new Fingerprint().add("folder").add(Chunker.VERSION);
    for (Found file : walk().found()) {
      f.add(file.path()).add(file.size()).add(file.modified());
    }
    return f.hex();
  }

  @Override
  public Chunks chunks(ProgressListener progress) throws IOException {
    Arguments.present("progress", progress);
    FolderWalk walk = walk();
    long bytes = walk.found().stream().mapToLong(Found::size).sum();
    if (bytes > maxBytes) {
      throw new CorpusUnavailableException(
          folder
              + " has "
              + bytes
              + " bytes of text. This example keeps all passages in memory and takes "
              + maxBytes
              + " bytes with this heap.\nGive Java more memory (-Xmx) or take a smaller folder.");
    }
    List<Chunk> chunks = new ArrayList<>();
    List<Item> skipped = new ArrayList<>(walk.skipped());
    List<Item> notes = new ArrayList<>(walk.notes());
    int files = 0;
    Progress steps = new Progress(progress, "reading files", walk.found().size());
    for (Found file : walk.found()) {
      Document document = read(file, skipped, notes);
      if (document != null) {
        files++;
        add(file.path(), document, chunks);
      }
      steps.step();
    }
    skipped.sort(Comparator.comparing(Item::path));
    notes.sort(Comparator.comparing(Item::path));
    return new Chunks(chunks, new CorpusReport(files, files, skipped, notes));
  }

  private FolderWalk walk() throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new CorpusUnavailableException(
          folder + (Files.exists(folder) ? " is not a folder." : " does not exist."));
    }
    return FolderWalk.of(folder, maxFileBytes);
  }

  private @Nullable Document read(Found file, List<Item> skipped, List<Item> notes) {
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file.file())) {
      bytes = in.readNBytes((int) Math.min(maxFileBytes + 1, Integer.MAX_VALUE - 8));
    } catch (IOException e) {
      skipped.add(new Item(file.path(), "can't be read", FolderWalk.cause(e)));
      return null;
    }
    if (bytes.length > maxFileBytes) {
      skipped.add(new Item(file.path(), "larger than " + maxFileBytes + " bytes", "it has grown"));
      return null;
    }
    Decoded decoded = Decoded.of(bytes, file.format() == Format.HTML);
    if (decoded == null) {
      skipped.add(new Item(file.path(), "binary", ""));
      return null;
    }
    if (!decoded.charset().equals(StandardCharsets.UTF_8)) {
      notes.add(new Item(file.path(), "not UTF-8", "read as " + decoded.charset()));
    }
    Document document = Document.of(decoded.text(), file.format(), file.path());
    if (document.blocks().isEmpty()) {
      skipped.add(new Item(file.path(), "no text in it", ""));
      return null;
    }
    return document;
  }

  private static void add(String path, Document document, List<Chunk> chunks) {
    int ordinal = 0;
    for (Chunker.Piece piece : Chunker.cut(document.blocks())) {
      Map<String, Object> attributes = new TreeMap<>();
      attributes.put("path", path);
      attributes.put("title", document.title());
      String header = document.title();
      if (!piece.section().isEmpty()) {
        String section = String.join(" > ", piece.section());
        attributes.put("section", section);
        header += " > " + section;
      }
      String text = piece.text().isEmpty() ? header : header + "\n" + piece.text();
      chunks.add(new Chunk(path + "#" + ordinal, path, ordinal, text, attributes));
      ordinal++;
    }
  }
}

package dev.petunia.examples.conversation.corpus;

import dev.petunia.examples.conversation.corpus.CorpusReport.Item;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Lists the documents below a folder, and everything else there with the reason why it is none.
 *
 * <p>Symbolic links are not followed: what they lead to inside the folder is read in its own place,
 * and outside it nobody asked for it. So there are no loops.
 */
final class FolderWalk {
  /** How a document is read. */
  enum Format {
    TEXT,
    MARKDOWN,
    HTML
  }

  /**
   * A document.
   *
   * @param file where it is
   * @param path relative to the folder, with slashes; unique
   * @param modified milliseconds since 1970
   */
  record Found(Path file, String path, Format format, long size, long modified) {}

  private static final Map<String, Format> FORMATS =
      Map.of(
          "txt", Format.TEXT,
          "text", Format.TEXT,
          "md", Format.MARKDOWN,
          "markdown", Format.MARKDOWN,
          "html", Format.HTML,
          "htm", Format.HTML,
          "xhtml", Format.HTML);

  private final Path root;
  private final long maxFileBytes;
  private final List<Found> found = new ArrayList<>();
  private final List<Item> skipped = new ArrayList<>();
  private final List<Item> notes = new ArrayList<>();
  private final Set<String> paths = new HashSet<>();
  private final Deque<Path> folders = new ArrayDeque<>();

  private FolderWalk(Path root, long maxFileBytes) {
    this.root = root;
    this.maxFileBytes = maxFileBytes;
  }

  /**
   * Walks.
   *
   * @param root a folder; itself it may be a link
   * @param maxFileBytes larger files are skipped
   * @throws IOException when the folder itself can't be listed
   */
  static FolderWalk of(Path root, long maxFileBytes) throws IOException {
    FolderWalk walk = new FolderWalk(root.toRealPath(), maxFileBytes);
    walk.list(walk.root);
    while (!walk.folders.isEmpty()) {
      Path folder = walk.folders.pop();
      try {
        walk.list(folder);
      } catch (IOException e) {
        walk.skip(walk.relative(folder) + "/", "folder can't be listed", cause(e));
      }
    }
    walk.found.sort(Comparator.comparing(Found::path));
    walk.skipped.sort(Comparator.comparing(Item::path));
    return walk;
  }

  /** Documents, ordered by path. */
  List<Found> found() {
    return found;
  }

  List<Item> skipped() {
    return skipped;
  }

  List<Item> notes() {
    return notes;
  }

  /** The reason of an exception in a few words, without the path that stands beside it. */
  static String cause(IOException e) {
    String reason = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
    return reason == null ? e.getClass().getSimpleName() : reason;
  }

  private void list(Path folder) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      stream.forEach(entries::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    entries.sort(Comparator.comparing(Path::toString));
    for (Path entry : entries) {
      try {
        look(
            entry,
            Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
      } catch (IOException e) {
        skip(relative(entry), "can't be read", cause(e));
      }
    }
  }

  private void look(Path entry, BasicFileAttributes attributes) {
    String path = relative(entry);
    String name = path.substring(path.lastIndexOf('/') + 1);
    if (attributes.isSymbolicLink()) {
      skip(path, "symbolic link, not followed", "");
    } else if (name.startsWith(".")) {
      skip(path + (attributes.isDirectory() ? "/" : ""), "hidden", "");
    } else if (attributes.isDirectory()) {
      folders.add(entry);
    } else if (!attributes.isRegularFile()) {
      skip(path, "not a regular file", "");
    } else {
      file(entry, path, attributes);
    }
  }

  private void file(Path file, String path, BasicFileAttributes attributes) {
    int dot = path.lastIndexOf('.');
    String extension = dot < 0 ? "" : path.substring(dot + 1).toLowerCase(Locale.ROOT);
    Format format = FORMATS.get(extension);
    long size = attributes.size();
    if (format == null) {
      skip(path, "not a txt, md or html file", "");
    } else if (size == 0) {
      skip(path, "empty", "");
    } else if (size > maxFileBytes) {
      skip(path, "larger than " + maxFileBytes + " bytes", size + " bytes");
    } else {
      String unique = unique(path);
      found.add(new Found(file, unique, format, size, attributes.lastModifiedTime().toMillis()));
    }
  }

  /** Two names that this locale can't tell apart get a number: entries must not melt together. */
  private String unique(String path) {
    String unique = path;
    for (int n = 2; !paths.add(unique); n++) {
      unique = path + "~" + n;
    }
    if (!unique.equals(path)) {
      notes.add(new Item(unique, "name can't be told from another in this locale", ""));
    }
    return unique;
  }

  private String relative(Path entry) {
    String path = root.relativize(entry).toString().replace(File.separatorChar, '/');
    // a name need not be valid text, an id must be: half surrogate pairs become question marks
    return new String(path.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  private void skip(String path, String reason, String detail) {
    skipped.add(new Item(path, reason, detail));
  }
}

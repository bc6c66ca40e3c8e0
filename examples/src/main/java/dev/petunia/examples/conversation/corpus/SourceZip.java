package dev.petunia.examples.conversation.corpus;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * A JDK's {@code src.zip}: {@code module/package/Type.java}, with the files of snippets in folders
 * named {@code snippet-files}. Safe for concurrent use.
 */
final class SourceZip implements AutoCloseable {
  private static final String SNIPPETS = "snippet-files";

  private final ZipFile zip;
  private final Map<String, Set<String>> topLevelTypes = new HashMap<>();
  private final List<String> sources = new ArrayList<>();

  /**
   * Opens a zip and lists the sources wanted.
   *
   * @param file a JDK's src.zip
   * @param module whose sources are wanted
   * @param packages wanted with everything below; a module-info always is
   * @throws IOException when the file is no readable zip
   */
  SourceZip(Path file, String module, List<String> packages) throws IOException {
    zip = new ZipFile(file.toFile());
    zip.stream()
        .map(ZipEntry::getName)
        .filter(n -> n.endsWith(".java"))
        .forEach(n -> list(n, module, packages));
    sources.sort(
        Comparator.comparing(SourceZip::packageOf).thenComparing(Comparator.naturalOrder()));
  }

  private void list(String path, String module, List<String> packages) {
    if (path.contains("/" + SNIPPETS + "/")) {
      return;
    }
    String pkg = packageOf(path);
    String file = path.substring(path.lastIndexOf('/') + 1, path.length() - ".java".length());
    topLevelTypes.computeIfAbsent(pkg, p -> new HashSet<>()).add(file);
    boolean wanted = file.equals("module-info") || packages.stream().anyMatch(p -> isBelow(pkg, p));
    if (path.startsWith(module + "/") && wanted) {
      sources.add(path);
    }
  }

  private static boolean isBelow(String pkg, String parent) {
    return pkg.equals(parent) || pkg.startsWith(parent + ".");
  }

  /** {@code java.base/java/util/Map.java} is in java.util. */
  private static String packageOf(String path) {
    int from = path.indexOf('/') + 1;
    int to = path.lastIndexOf('/');
    return to < from ? "" : path.substring(from, to).replace('/', '.');
  }

  /** Paths of the sources wanted, ordered by package. */
  List<String> sources() {
    return sources;
  }

  /**
   * Names of the source files of each package of every module; a type is nearly always in its own.
   */
  Map<String, Set<String>> topLevelTypes() {
    return topLevelTypes;
  }

  /** The text of a file in the zip; null when there is none of that name. */
  @Nullable String read(String path) throws IOException {
    ZipEntry e = zip.getEntry(path);
    if (e == null) {
      return null;
    }
    try (InputStream in = zip.getInputStream(e)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** The text of a snippet file of a source; null when there is none. */
  @Nullable String readSnippet(String source, String file) throws IOException {
    return read(source.substring(0, source.lastIndexOf('/') + 1) + SNIPPETS + "/" + file);
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}

package dev.petunia.examples.conversation.corpus;

import dev.petunia.core.Chunk;
import dev.petunia.core.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipException;

/**
 * The documentation comments of a JDK, from its {@code lib/src.zip}: types, their public and
 * protected members, packages and the module.
 *
 * <p>Chunks: {@code entryId} is the fully qualified name of the type (of the package or module for
 * theirs); ordinals run within it in the order of the source; {@code id} is {@code
 * java.util.HashMap#put(K,V)/0}, without {@code #} for the type itself. Attributes, where they
 * apply:
 *
 * <ul>
 *   <li>{@code package}, {@code class} ({@code Map.Entry})
 *   <li>{@code member}: {@code computeIfAbsent(K, Function)}; a list when a chunk holds several
 *       members with a few words each (a filter's {@code eq} matches any of them)
 *   <li>{@code kind}: class, interface, enum, record, annotation, method, constructor, field, enum
 *       constant, package-info, module
 *   <li>{@code links}: targets of {@code @link}, {@code @linkplain} and {@code @see} as {@code
 *       java.util.Map#put(K,V)}; what can't be resolved as it is written
 *   <li>{@code since}: of the member, else of its type
 * </ul>
 *
 * <p>Documentation that a method inherits is not repeated; a method without words of its own gives
 * no chunk.
 */
public final class JdkDocs implements Corpus {
  /** What {@link #ofRunningJdk} reads, each package with everything below. */
  public static final List<String> PACKAGES =
      List.of("java.lang", "java.util", "java.time", "java.nio", "java.net");

  private static final String MODULE = "java.base";

  private final Path srcZip;
  private final String version;
  private final List<String> packages;

  private JdkDocs(Path srcZip, String version, List<String> packages) {
    this.srcZip = Arguments.present("srcZip", srcZip);
    this.version = Arguments.id("version", version);
    this.packages = List.copyOf(packages);
    this.packages.forEach(p -> Arguments.id("package", p));
  }

  /** The documentation of the JDK that runs this program. */
  public static JdkDocs ofRunningJdk() {
    return ofRunningJdk(PACKAGES);
  }

  /**
   * The documentation of some packages of module java.base of the JDK that runs this program.
   *
   * @param packages names; each stands for everything below it as well
   */
  public static JdkDocs ofRunningJdk(List<String> packages) {
    Path home = Path.of(System.getProperty("java.home"));
    Path zip = home.resolve("lib").resolve("src.zip");
    return new JdkDocs(zip, Runtime.version().toString(), packages);
  }

  /**
   * The documentation in a given zip, laid out as a JDK's: {@code java.base/java/util/Map.java}.
   */
  static JdkDocs of(Path srcZip, String version, List<String> packages) {
    return new JdkDocs(srcZip, version, packages);
  }

  @Override
  public String name() {
    return "documentation of JDK " + version;
  }

  @Override
  public String fingerprint() throws IOException {
    checkAvailable();
    return new Fingerprint()
        .add("jdk")
        .add(Chunker.VERSION)
        .add(version)
        .add(packages)
        .add(Files.size(srcZip))
        .add(Files.getLastModifiedTime(srcZip).toMillis())
        .hex();
  }

  @Override
  public Chunks chunks(ProgressListener progress) throws IOException {
    Arguments.present("progress", progress);
    checkAvailable();
    try (SourceZip zip = open()) {
      if (zip.sources().isEmpty()) {
        throw new CorpusUnavailableException(
            srcZip + " has no sources of " + packages + " in module " + MODULE + ".");
      }
      SourceReader.Result read = SourceReader.read(zip, progress);
      Links links = new Links(zip.topLevelTypes(), read.types());
      List<List<Chunk>> entries =
          read.types().parallelStream()
              .map(t -> JdkChunks.of(t, links))
              .filter(of -> !of.isEmpty())
              .toList();
      return new Chunks(
          entries.stream().flatMap(List::stream).toList(),
          new CorpusReport(read.files(), entries.size(), List.of(), read.notes()));
    }
  }

  private SourceZip open() throws IOException {
    try {
      return new SourceZip(srcZip, MODULE, packages);
    } catch (ZipException e) {
      throw new IOException(srcZip + " is not a readable zip file: " + e.getMessage(), e);
    }
  }

  private void checkAvailable() throws CorpusUnavailableException {
    if (!Files.isRegularFile(srcZip)) {
      throw new CorpusUnavailableException(
          "This Java ("
              + version
              + ") has no sources to read the documentation from: "
              + srcZip
              + " is missing.\nMany distributions package it apart: on Debian and Ubuntu it is "
              + "openjdk-"
              + Runtime.version().feature()
              + "-source, on Fedora java-"
              + Runtime.version().feature()
              + "-openjdk-src; the archives of Temurin, Oracle and Zulu have it.\n"
              + "Or take any folder of txt, md or html files: --corpus DIR");
    }
    if (ModuleLayer.boot().findModule("jdk.compiler").isEmpty()) {
      throw new CorpusUnavailableException(
          "This Java ("
              + version
              + ") is a runtime without the module jdk.compiler, which reads the "
              + "sources' documentation.\nRun with a full JDK "
              + Runtime.version().feature()
              + ", or take any folder of txt, md or html files: --corpus DIR");
    }
  }
}

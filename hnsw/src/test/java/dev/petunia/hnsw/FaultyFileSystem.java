package dev.petunia.hnsw;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardOpenOption;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The default file system, but that each operation that changes something may be made to fail: as a
 * full disk, a read-only mount or a crash would. Wrap a path with {@link #wrap} and use it.
 */
final class FaultyFileSystem extends FileSystem {
  /** Decides whether an operation fails. */
  interface Faults {
    /**
     * Called before each operation: {@code create}, {@code write}, {@code force}, {@code move},
     * {@code delete}, {@code directory}, and, which change nothing, {@code read}, {@code map} and
     * {@code list}.
     *
     * @throws IOException to make it fail
     */
    void before(String operation, Path file) throws IOException;

    /** How many of so many bytes one write writes, or one read reads; at least 1. */
    default int part(String operation, Path file, int bytes) {
      return bytes;
    }

    /** Called after so many bytes were read. */
    default void read(Path file, int bytes) {}

    /** Called after each one that changed something. */
    default void after(Change change) {}
  }

  /**
   * What an operation changed.
   *
   * @param operation {@code create}, {@code truncate}, {@code write}, {@code force}, {@code move}
   *     or {@code delete}
   * @param target of a move; else the file itself
   * @param position of a write
   * @param bytes of a write
   */
  record Change(
      String operation,
      Path file,
      Path target,
      long position,
      @SuppressWarnings("ArrayRecordComponent") byte[] bytes) {
    Change(String operation, Path file) {
      this(operation, file, file, 0, new byte[0]);
    }
  }

  private final FileSystem real = FileSystems.getDefault();
  private final Provider provider = new Provider();
  private volatile Faults faults = (operation, file) -> {};

  /** Whether files can be mapped into memory; not every file system can. */
  volatile boolean maps;

  void set(Faults newFaults) {
    faults = newFaults;
  }

  void check(String operation, Path file) throws IOException {
    faults.before(operation, file);
  }

  int part(String operation, Path file, int bytes) {
    return bytes == 0 ? 0 : faults.part(operation, file, bytes);
  }

  void wasRead(Path file, int bytes) {
    faults.read(file, bytes);
  }

  void changed(Change change) {
    faults.after(change);
  }

  /** The path on this file system. */
  Path wrap(Path path) {
    return (Path)
        Proxy.newProxyInstance(
            FaultyFileSystem.class.getClassLoader(),
            new Class<?>[] {Path.class, Wrapped.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getFileSystem")) {
                return this;
              }
              if (method.getName().equals("unwrapped")) {
                return path;
              }
              Object[] plain = arguments == null ? new Object[0] : arguments.clone();
              for (int i = 0; i < plain.length; i++) {
                plain[i] = plain[i] instanceof Path p ? unwrap(p) : plain[i];
              }
              try {
                Object result = method.invoke(path, plain);
                return result instanceof Path p ? wrap(p) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Of a path of this file system. */
  private interface Wrapped {
    Path unwrapped();
  }

  static Path unwrap(Path path) {
    return path instanceof Wrapped w ? w.unwrapped() : path;
  }

  private final class Provider extends FileSystemProvider {
    private final FileSystemProvider to = real.provider();

    @Override
    public FileChannel newFileChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      Path file = unwrap(path);
      check(options.contains(StandardOpenOption.WRITE) ? "create" : "read", file);
      FileChannel channel = to.newFileChannel(file, options, attributes);
      if (options.contains(StandardOpenOption.WRITE)) {
        changed(new Change("create", file));
        if (options.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
          changed(new Change("truncate", file));
        }
      }
      return new FaultyChannel(FaultyFileSystem.this, file, channel);
    }

    @Override
    public SeekableByteChannel newByteChannel(
        Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
        throws IOException {
      return newFileChannel(path, options, attributes);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(
        Path dir, DirectoryStream.Filter<? super Path> filter) throws IOException {
      check("list", unwrap(dir));
      List<Path> paths = new ArrayList<>();
      try (DirectoryStream<Path> stream = to.newDirectoryStream(unwrap(dir), filter)) {
        stream.forEach(p -> paths.add(wrap(p)));
      }
      return new DirectoryStream<>() {
        @Override
        public Iterator<Path> iterator() {
          return paths.iterator();
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public void createDirectory(Path dir, FileAttribute<?>... attributes) throws IOException {
      check("directory", unwrap(dir));
      to.createDirectory(unwrap(dir), attributes);
    }

    @Override
    public void delete(Path path) throws IOException {
      check("delete", unwrap(path));
      to.delete(unwrap(path));
      changed(new Change("delete", unwrap(path)));
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
      check("move", unwrap(target));
      to.move(unwrap(source), unwrap(target), options);
      changed(new Change("move", unwrap(source), unwrap(target), 0, new byte[0]));
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isSameFile(Path a, Path b) throws IOException {
      return to.isSameFile(unwrap(a), unwrap(b));
    }

    @Override
    public boolean isHidden(Path path) throws IOException {
      return to.isHidden(unwrap(path));
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
      return to.getFileStore(unwrap(path));
    }

    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
      to.checkAccess(unwrap(path), modes);
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
        Path path, Class<V> type, LinkOption... options) {
      return to.getFileAttributeView(unwrap(path), type, options);
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(
        Path path, Class<A> type, LinkOption... options) throws IOException {
      return to.readAttributes(unwrap(path), type, options);
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String names, LinkOption... options)
        throws IOException {
      return to.readAttributes(unwrap(path), names, options);
    }

    @Override
    public void setAttribute(Path path, String name, Object value, LinkOption... options)
        throws IOException {
      to.setAttribute(unwrap(path), name, value, options);
    }

    @Override
    public String getScheme() {
      return "faulty";
    }

    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> environment) {
      throw new UnsupportedOperationException();
    }

    @Override
    public FileSystem getFileSystem(URI uri) {
      return FaultyFileSystem.this;
    }

    @Override
    public Path getPath(URI uri) {
      throw new UnsupportedOperationException();
    }
  }

  @Override
  public FileSystemProvider provider() {
    return provider;
  }

  @Override
  public Path getPath(String first, String... more) {
    return wrap(real.getPath(first, more));
  }

  @Override
  public void close() {}

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public String getSeparator() {
    return real.getSeparator();
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return List.of();
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return real.getFileStores();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return real.supportedFileAttributeViews();
  }

  @Override
  public PathMatcher getPathMatcher(String pattern) {
    return real.getPathMatcher(pattern);
  }

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    return real.getUserPrincipalLookupService();
  }

  @Override
  public WatchService newWatchService() throws IOException {
    return real.newWatchService();
  }
}

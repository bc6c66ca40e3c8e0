package dev.petunia.rerank;

import dev.petunia.core.ProgressListener;
import dev.petunia.core.internal.Checks;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Fetches a model's files over HTTPS into a directory. Only when {@link #fetch} is called; nothing
 * else in this library opens a connection.
 *
 * <p>Files are written to {@code NAME.part} beside the directory {@code NAME}, checked by their
 * SHA-256, and moved there together when all are whole: a directory that exists is complete. What
 * was fetched before a connection broke is kept and continued by {@code Range}, in the same call or
 * in a later one. A file with another hash is removed and refused.
 */
public final class ModelFetcher {
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*");
  private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");
  private static final Duration CONNECT = Duration.ofSeconds(30);
  private static final Duration ANSWER = Duration.ofSeconds(60);

  private final URI base;
  private final Path directory;
  private final Map<String, String> files;
  private final int attempts;
  private final Duration pause;

  private ModelFetcher(Builder b) {
    this.base = b.base;
    this.directory = b.directory.toAbsolutePath().normalize();
    this.files = new LinkedHashMap<>(b.files);
    this.attempts = b.attempts;
    this.pause = b.pause;
    if (files.isEmpty()) {
      throw Checks.badSize("files", "0 entries", "at least 1");
    }
    boolean local =
        b.plainLocalHttp
            && "http".equals(base.getScheme())
            && ("localhost".equals(base.getHost()) || "127.0.0.1".equals(base.getHost()));
    if (!"https".equals(base.getScheme()) && !local) {
      throw Checks.bad("base", base.toString(), "an https address");
    }
    if (!base.toString().endsWith("/")) {
      throw Checks.bad("base", base.toString(), "an address that ends with /");
    }
  }

  /**
   * A builder.
   *
   * @param base what file names are appended to; ends with a slash
   * @param directory where the files go; it must not exist, or hold them already
   */
  public static Builder builder(URI base, Path directory) {
    return new Builder(Checks.present("base", base), Checks.present("directory", directory));
  }

  /** Collects files and options. */
  public static final class Builder {
    private final URI base;
    private final Path directory;
    private final Map<String, String> files = new LinkedHashMap<>();
    private int attempts = 5;
    private Duration pause = Duration.ofSeconds(1);
    private boolean plainLocalHttp;

    private Builder(URI base, Path directory) {
      this.base = base;
      this.directory = directory;
    }

    /**
     * Adds a file.
     *
     * @param name relative, such as {@code onnx/model.onnx}
     * @param sha256 64 hexadecimal digits in lower case
     */
    public Builder file(String name, String sha256) {
      if (!NAME.matcher(Checks.present("name", name)).matches()) {
        throw Checks.bad("name", name, "a relative name of letters, digits, dots, dashes, slashes");
      }
      if (!SHA_256.matcher(Checks.present("sha256", sha256)).matches()) {
        throw Checks.bad("sha256", sha256, "64 hexadecimal digits in lower case");
      }
      files.put(name, sha256);
      return this;
    }

    /** Attempts in a row that may bring nothing, 1 to 100; 5 unless set. */
    public Builder attempts(int value) {
      attempts = Checks.range("attempts", value, 1, 100);
      return this;
    }

    /** Pause before another attempt; 1 s unless set. */
    public Builder pause(Duration value) {
      pause = Checks.present("pause", value);
      return this;
    }

    /** Allows http to this machine (localhost, 127.0.0.1), for tests. */
    public Builder plainLocalHttp(boolean value) {
      plainLocalHttp = value;
      return this;
    }

    /** The fetcher. */
    public ModelFetcher build() {
      return new ModelFetcher(this);
    }
  }

  /**
   * Fetches what isn't there yet.
   *
   * @param progress hears bytes of each file; can cancel, and what was fetched is kept
   * @return the directory
   * @throws IOException when a file can't be had or has another hash, or another process is at it
   * @throws CancellationException when the listener says so
   */
  public Path fetch(ProgressListener progress) throws IOException, InterruptedException {
    Checks.present("progress", progress);
    if (Files.exists(directory)) {
      for (String name : files.keySet()) {
        if (!Files.isRegularFile(directory.resolve(name))) {
          throw new IOException(
              directory + " exists without " + name + "; remove it, or choose another");
        }
      }
      return directory;
    }
    Path part = directory.resolveSibling(directory.getFileName() + ".part");
    Files.createDirectories(part);
    Path lockFile = directory.resolveSibling(directory.getFileName() + ".lock");
    try (FileChannel channel =
            FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = tryLock(channel)) {
      if (lock == null) {
        throw new IOException(directory + " is being fetched by somebody else");
      }
      try (HttpClient client =
          HttpClient.newBuilder()
              .connectTimeout(CONNECT)
              .followRedirects(HttpClient.Redirect.NORMAL)
              .build()) {
        for (Map.Entry<String, String> f : files.entrySet()) {
          fetch(client, f.getKey(), f.getValue(), part, progress);
        }
      }
      publish(part);
    }
    Files.deleteIfExists(lockFile);
    return directory;
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // this process, another thread
    }
  }

  private void publish(Path part) throws IOException {
    try {
      Files.move(part, directory, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(part, directory);
    }
  }

  private void fetch(
      HttpClient client, String name, String sha256, Path part, ProgressListener progress)
      throws IOException, InterruptedException {
    Path file = part.resolve(name);
    Path partial = part.resolve(name + ".partial");
    if (Files.exists(file)) {
      return; // checked before it got this name
    }
    Files.createDirectories(parent(file));
    int failures = 0;
    while (true) {
      long before = size(partial);
      try {
        if (get(client, name, partial, progress)) {
          break;
        }
      } catch (Refused e) {
        throw e;
      } catch (IOException e) {
        failures = size(partial) > before ? 0 : failures + 1;
        if (failures >= attempts) {
          throw new IOException(
              base.resolve(name) + ": " + attempts + " attempts in a row brought nothing: " + e, e);
        }
        Thread.sleep(pause);
      }
    }
    String found = sha256(partial);
    if (!found.equals(sha256)) {
      Files.delete(partial);
      throw new IOException(
          base.resolve(name) + " has SHA-256 " + found + ", expected " + sha256 + "; removed");
    }
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** An answer that another attempt won't change. */
  private static final class Refused extends IOException {
    private static final long serialVersionUID = 1L;

    Refused(String message) {
      super(message);
    }
  }

  /** One request; true when the file is whole. */
  private boolean get(HttpClient client, String name, Path partial, ProgressListener progress)
      throws IOException, InterruptedException {
    long have = size(partial);
    HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(name)).timeout(ANSWER);
    if (have > 0) {
      request.header("Range", "bytes=" + have + "-");
    }
    HttpResponse<InputStream> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream in = answer.body()) {
      boolean continues =
          answer.statusCode() == 206
              && answer
                  .headers()
                  .firstValue("Content-Range")
                  .orElse("")
                  .startsWith("bytes " + have + "-");
      switch (answer.statusCode()) {
        case 200 -> have = 0; // the whole file, whatever was asked for
        case 206 -> {
          if (!continues) {
            Files.delete(partial);
            throw new IOException("another range than asked for; starting anew");
          }
        }
        case 416 -> {
          // Nothing behind what is here: it was whole, or it is not a part of this file.
          return have > 0;
        }
        case 408, 425, 429, 500, 502, 503, 504 ->
            throw new IOException("status " + answer.statusCode());
        default -> throw new Refused(base.resolve(name) + ": status " + answer.statusCode());
      }
      long length = answer.headers().firstValueAsLong("Content-Length").orElse(-1);
      long total = length < 0 ? -1 : have + length;
      return copy(in, partial, have, total, name, progress);
    }
  }

  private static boolean copy(
      InputStream in, Path partial, long from, long total, String name, ProgressListener progress)
      throws IOException {
    long done = from;
    byte[] buffer = new byte[1 << 16];
    try (OutputStream out =
        from > 0
            ? Files.newOutputStream(partial, StandardOpenOption.APPEND)
            : Files.newOutputStream(partial)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        out.write(buffer, 0, n);
        done += n;
        if (!progress.onProgress(name, done, total)) {
          throw new CancellationException("fetching " + name + " was cancelled");
        }
      }
    }
    if (total >= 0 && done < total) {
      throw new IOException("the connection ended after " + done + " of " + total + " bytes");
    }
    return true;
  }

  private static Path parent(Path file) {
    Path parent = file.getParent();
    return parent == null ? Path.of("") : parent;
  }

  private static long size(Path file) throws IOException {
    return Files.exists(file) ? Files.size(file) : 0;
  }

  private static String sha256(Path file) throws IOException {
    try {
      MessageDigest d = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[1 << 16];
      try (InputStream in = Files.newInputStream(file)) {
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          d.update(buffer, 0, n);
        }
      }
      return HexFormat.of().formatHex(d.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  /** Removes what an unfinished fetch has left. */
  public void discardPartial() throws IOException {
    Path part = directory.resolveSibling(directory.getFileName() + ".part");
    if (!Files.exists(part)) {
      return;
    }
    try (Stream<Path> all = Files.walk(part)) {
      for (Path p : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(p);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}

package dev.petunia.retriever;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.petunia.dedup.RescoreConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * An append-only log of questions and floors, a JSON object a line. A line that can't be written
 * does not fail the request: the floor says so in its notes.
 */
final class QueryLog implements AutoCloseable {
  private static final JsonFactory JSON = new JsonFactory();

  private final QueryLogOptions options;
  private @Nullable FileChannel channel;
  private long size;
  private boolean closed;

  private QueryLog(QueryLogOptions options) {
    this.options = options;
  }

  /**
   * Opens or makes the file.
   *
   * @throws UncheckedIOException when it can't be written
   */
  static QueryLog open(QueryLogOptions options) {
    QueryLog log = new QueryLog(options);
    try {
      Path folder = options.file().toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      log.channel();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the query log " + options.file() + " can't be written: " + e.getMessage(), e);
    }
    return log;
  }

  private FileChannel channel() throws IOException {
    if (closed) {
      throw new IOException("the query log is closed");
    }
    FileChannel open = channel;
    if (open != null && open.isOpen() && open.size() == size) {
      return open;
    }
    if (open == null || !open.isOpen()) { // an interrupt closes it
      open = locked();
      channel = open;
    }
    size = open.size(); // somebody may have emptied the file meanwhile, to rotate it his way
    if (size > 0 && !endsALine(open)) {
      write(open, new byte[] {'\n'}); // a crash cut the last line; the next is whole
    }
    return open;
  }

  /** The file for this log alone: two would write over each other's lines. */
  private FileChannel locked() throws IOException {
    FileChannel open =
        FileChannel.open(
            options.file(),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    try {
      if (open.tryLock() == null) {
        throw new IOException("another process writes to it");
      }
      return open;
    } catch (OverlappingFileLockException e) {
      open.close();
      throw new IOException("another retriever of this process writes to it", e);
    } catch (Throwable e) {
      open.close();
      throw e;
    }
  }

  private boolean endsALine(FileChannel open) throws IOException {
    ByteBuffer last = ByteBuffer.allocate(1);
    open.read(last, size - 1);
    return last.get(0) == '\n';
  }

  private void write(FileChannel open, byte[] bytes) throws IOException {
    ByteBuffer b = ByteBuffer.wrap(bytes);
    long at = size;
    try {
      while (b.hasRemaining()) {
        at += open.write(b, at);
      }
    } catch (IOException e) {
      if (open.isOpen()) {
        open.truncate(size); // a full disk took a part of the line
      }
      throw e;
    }
    size = at;
  }

  /** Appends a line; the floor, with a note when that failed. */
  Floor append(FloorRequest request, RetrieverConfig config, Floor floor) {
    try {
      byte[] line = line(request, request.options().orElse(config.floor()), floor);
      synchronized (this) {
        FileChannel open = channel();
        if (size > 0 && size + line.length > options.maxBytes()) {
          rotate(open);
          open = channel();
        }
        write(open, line);
      }
      return floor;
    } catch (IOException e) {
      System.getLogger("dev.petunia.retriever")
          .log(System.Logger.Level.WARNING, "a line of the query log was lost", e);
      List<String> notes = new ArrayList<>(floor.notes());
      notes.add("this request is missing in the query log: " + e);
      return floor.notes(notes);
    }
  }

  private void rotate(FileChannel open) throws IOException {
    open.close();
    // Up to the first gap only: when the last of these moves keeps failing, the next request begins
    // again, and must not push the old files out one by one.
    int last = Math.min(1, options.oldFiles());
    while (last > 0 && last < options.oldFiles() && Files.exists(old(last))) {
      last++;
    }
    for (int i = last; i > 0; i--) {
      Path from = i == 1 ? options.file() : old(i - 1);
      try {
        Files.move(from, old(i), StandardCopyOption.REPLACE_EXISTING);
      } catch (NoSuchFileException e) {
        // not as many yet
      }
    }
    if (options.oldFiles() == 0) {
      Files.deleteIfExists(options.file());
    }
  }

  private Path old(int number) {
    return options.file().resolveSibling(options.file().getFileName() + "." + number);
  }

  private byte[] line(FloorRequest request, FloorOptions used, Floor floor) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(4096);
    try (JsonGenerator g = JSON.createGenerator(out)) {
      g.writeStartObject();
      g.writeStringField("time", Instant.now().toString());
      g.writeStringField("question", shown(request.text()));
      g.writeStringField("mode", request.mode().name());
      g.writeNumberField("turn", request.conversation().turns() + 1);
      if (request.filter().isPresent()) {
        g.writeStringField("filter", shown(request.filter().get().toString()));
      }
      if (request.ef().isPresent()) {
        g.writeNumberField("ef", request.ef().getAsInt());
      }
      g.writeBooleanField("exclude", request.exclude());
      g.writeBooleanField("collapse", request.collapse());
      g.writeObjectFieldStart("options");
      g.writeNumberField("pool", used.pool());
      g.writeNumberField("densePool", used.densePool());
      g.writeNumberField("lexicalPool", used.lexicalPool());
      g.writeNumberField("rareTermPool", used.rareTermPool());
      g.writeNumberField("rareTermWeight", used.rareTermWeight());
      g.writeBooleanField("bothForms", used.bothForms());
      g.writeNumberField("rrfK", used.rrfK());
      g.writeNumberField("size", used.size());
      g.writeNumberField("display", used.display());
      if (used.rescore().isPresent()) {
        RescoreConfig rescore = used.rescore().get();
        g.writeObjectFieldStart("rescore");
        g.writeNumberField("limit", rescore.limit());
        g.writeNumberField("tierPercent", rescore.tierPercent());
        g.writeNumberField("rrfWeight", rescore.rrfWeight());
        g.writeNumberField("tie", rescore.tie());
        g.writeBooleanField("containment", rescore.containment());
        g.writeEndObject();
      }
      g.writeNumberField("lambda", used.lambda());
      g.writeNumberField("reserveMs", used.reserve().toMillis());
      g.writeNumberField("neighbours", used.neighbours());
      g.writeNumberField("expandFrom", used.expandFrom());
      g.writeNumberField("expansionPool", used.expansionPool());
      g.writeNumberField("expansionWeight", used.expansionWeight());
      if (used.linksAttribute().isPresent()) {
        g.writeStringField("linksAttribute", used.linksAttribute().get());
      }
      g.writeEndObject();
      outcome(g, floor);
      g.writeEndObject();
    }
    out.write('\n');
    return out.toByteArray();
  }

  private void outcome(JsonGenerator g, Floor floor) throws IOException {
    g.writeNumberField("total", floor.total());
    g.writeNumberField("scored", floor.scored());
    g.writeBooleanField("partial", floor.partial());
    if (floor.model().isPresent()) {
      g.writeStringField("model", floor.model().get());
    }
    g.writeArrayFieldStart("shortfalls");
    for (Shortfall s : floor.shortfalls()) {
      g.writeStartObject();
      g.writeStringField("stage", s.stage().name());
      g.writeStringField("reason", s.reason().name());
      g.writeEndObject();
    }
    g.writeEndArray();
    g.writeObjectFieldStart("ms");
    g.writeNumberField("embedding", floor.timings().embedding().toMillis());
    g.writeNumberField("searching", floor.timings().searching().toMillis());
    g.writeNumberField("reranking", floor.timings().reranking().toMillis());
    g.writeNumberField("total", floor.timings().total().toMillis());
    g.writeEndObject();
    g.writeArrayFieldStart("floor");
    for (FloorPassage p : floor.passages()) {
      g.writeStartObject();
      g.writeStringField("id", shown(p.chunk().id()));
      g.writeNumberField("poolRank", p.poolRank());
      number(g, "jaccard", p.jaccard());
      number(g, "score", p.score());
      number(g, "logit", p.logit());
      if (!p.duplicates().isEmpty()) {
        g.writeArrayFieldStart("duplicates");
        for (String id : p.duplicates()) {
          g.writeString(shown(id));
        }
        g.writeEndArray();
      }
      g.writeEndObject();
    }
    g.writeEndArray();
  }

  private static void number(JsonGenerator g, String name, OptionalDouble value)
      throws IOException {
    if (value.isPresent()) {
      g.writeNumberField(name, value.getAsDouble());
    }
  }

  private String shown(String text) {
    if (!options.hashesOnly()) {
      return text;
    }
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has SHA-256", e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true; // a request that is still on its way must not open the file again
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        throw new UncheckedIOException("closing the query log " + options.file(), e);
      }
    }
  }
}

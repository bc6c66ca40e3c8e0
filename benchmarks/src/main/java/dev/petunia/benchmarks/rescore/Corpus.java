package dev.petunia.benchmarks.rescore;

import dev.petunia.benchmarks.floor.JsonLines;
import dev.petunia.core.Chunk;
import dev.petunia.dedup.ShingleSet;
import dev.petunia.dedup.Shingler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Chunks of documents as they are at one moment.
 *
 * @param name for tables and folders
 * @param chunks by document and ordinal; the entry is the document's path
 */
record Corpus(String name, List<Chunk> chunks) {
  /** Commit, number of the snapshot, path, ordinal. */
  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}@(\\d+)/(.+)#(\\d+)");

  Corpus {
    chunks = List.copyOf(chunks);
  }

  /**
   * The last of the snapshots in a file. Each snapshot is whole: it lists all chunks of all
   * documents at its commit, changed or not.
   *
   * @throws IllegalArgumentException when an id has another form
   */
  static Corpus lastSnapshot(String name, Path file) throws IOException {
    List<Chunk> last = new ArrayList<>();
    int[] newest = {-1};
    JsonLines.read(
        file,
        o -> {
          String id = String.valueOf(o.get("id"));
          Matcher m = ID.matcher(id);
          if (!m.matches()) {
            throw new IllegalArgumentException(
                "id in " + file + " is " + id + ", allowed: commit@number/path#ordinal");
          }
          int snapshot = Integer.parseInt(m.group(1));
          if (snapshot > newest[0]) {
            last.clear();
            newest[0] = snapshot;
          }
          if (snapshot == newest[0]) {
            last.add(
                new Chunk(
                    m.group(2) + "#" + m.group(3),
                    m.group(2),
                    Integer.parseInt(m.group(3)),
                    String.valueOf(o.get("text"))));
          }
        });
    return new Corpus(name, last);
  }

  /** The shingles of each chunk. */
  List<ShingleSet> shingles() {
    return chunks.stream().map(c -> Shingler.v1().shingles(c.text())).toList();
  }

  /** A name that changes when any text does, so that an index of other texts is not taken up. */
  String digestName() {
    MessageDigest sha;
    try {
      sha = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
    for (Chunk c : chunks) {
      sha.update((c.id() + "\0" + c.text() + "\0").getBytes(StandardCharsets.UTF_8));
    }
    return name + "-" + HexFormat.of().formatHex(sha.digest(), 0, 4);
  }
}

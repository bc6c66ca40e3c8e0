package dev.petunia.dedup;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.IndexLockedException;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.testing.Expect;
import dev.petunia.core.testing.Property;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurabilityTest {
  private static final DedupConfig CONFIG =
      DedupConfig.DEFAULT.withClock(
          InstantSource.fixed(Instant.ofEpochSecond(1_700_000_000L, 123_456_789)));

  @TempDir Path temp;
  private int next;

  private Path fresh() {
    return temp.resolve("i" + next++);
  }

  private static String all(DedupIndex index) {
    StringBuilder out = new StringBuilder();
    EdgeExport.jsonLines(index.edges(), true, out);
    return out.append(index.clusters())
        .append(new TreeMap<>(index.canonicalMap().canonicalOf()))
        .append(index.canonicalMap().version())
        .append(index.runs().stream().map(r -> r.runId() + r.counts() + r.histogram()).toList())
        .toString();
  }

  private Path copy(Path from) throws IOException {
    Path to = fresh();
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path f : files.toList()) {
        Files.copy(f, to.resolve(f.getFileName()));
      }
    }
    return to;
  }

  @Test
  void reopenedItIsAsItWasAndGoesOnAsIfItHadStayedOpen() {
    Property.check(
        "reopened, it is as it was and goes on",
        15,
        Texts.corpus(20, 120),
        documents -> {
          Path directory = fresh();
          try (DedupIndex memory = DedupIndex.inMemory(CONFIG)) {
            for (int at = 0; at < documents.size(); at += 15) {
              List<Document> part = documents.subList(at, Math.min(documents.size(), at + 15));
              try (DedupIndex disk = DedupIndex.open(directory, CONFIG)) {
                memory.ingest(part);
                disk.ingest(part);
                if (at % 2 == 1) {
                  disk.commit();
                }
                memory.remove(documents.get(at / 2).id());
                disk.remove(documents.get(at / 2).id());
                assertEquals(all(memory), all(disk));
                disk.commit();
                assertEquals(all(memory), all(disk), "after the commit");
                disk.verify(ProgressListener.NONE);
              }
            }
            try (DedupIndex disk = DedupIndex.open(directory, CONFIG)) {
              assertEquals(all(memory), all(disk));
              assertEquals(List.of(), disk.wrongLabels());
              disk.verify(ProgressListener.NONE);
              for (Document d : documents) {
                assertEquals(memory.shingles(d.id()), disk.shingles(d.id()));
              }
            }
          }
        });
  }

  @Test
  void runsOfBandKeysStayFewAndTakeEightBytesABandAndSet() throws IOException {
    Path directory = fresh();
    SplittableRandom random = new SplittableRandom(3);
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      for (int i = 0; i < 64; i++) {
        List<Document> part = new ArrayList<>();
        for (int k = 0; k < 10; k++) {
          part.add(new Document(i + "-" + k, String.join(" ", Texts.words(random, 30, 5000))));
        }
        index.ingest(part);
        index.commit();
      }
      DedupStats s = index.stats();
      assertTrue(s.bandRuns() <= 8, s::toString);
      assertEquals(640 * 144 + 44L * s.bandRuns(), s.bandBytes());
      try (Stream<Path> files = Files.list(directory)) {
        assertEquals(4 + s.bandRuns(), files.count(), "files that nobody needs");
      }
      index.verify(ProgressListener.NONE);
    }
  }

  @Test
  void whatWasNotCommittedIsGoneAndNothingIsTwice() throws IOException {
    Path directory = fresh();
    String text = String.join(" ", Texts.words(new SplittableRandom(1), 60, 1000));
    String before;
    Path killed;
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      index.ingest(List.of(new Document("a", text), new Document("b", text)));
      index.commit();
      before = all(index);
      index.ingest(List.of(new Document("c", text)));
      killed = copy(directory);
    }
    // as a crash in the middle of the next commit may leave it
    Files.write(killed.resolve("log.pd"), new byte[100], StandardOpenOption.APPEND);
    Files.write(killed.resolve("sets.pd"), new byte[60], StandardOpenOption.APPEND);
    Files.write(killed.resolve("bands-0000000009.pd"), new byte[60]);
    Files.write(killed.resolve("commit.tmp"), new byte[10]);
    for (Path d : List.of(directory, killed)) {
      try (DedupIndex index = DedupIndex.open(d, CONFIG)) {
        assertEquals(before, all(index));
        index.ingest(List.of(new Document("c", text)));
        index.commit();
      }
      try (DedupIndex index = DedupIndex.open(d, CONFIG)) {
        assertEquals(2, index.canonicalMap().canonicalOf().size());
        index.verify(ProgressListener.NONE);
      }
      try (Stream<Path> files = Files.list(d)) {
        assertEquals(5, files.count(), "log, sets, commit, lock and one run");
      }
    }
  }

  @Test
  void damageAtAnyByteIsFoundByOpeningOrVerifying() throws IOException {
    Path directory = fresh();
    SplittableRandom random = new SplittableRandom(5);
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      List<Document> part = new ArrayList<>();
      for (int k = 0; k < 12; k++) {
        part.add(new Document("k" + k, String.join(" ", Texts.words(random, 20, 40))));
      }
      index.ingest(part);
      index.judge("k1", "k2", false, "note");
      index.commit();
    }
    int found = 0;
    for (String name : List.of("commit", "log.pd", "sets.pd", "bands-0000000001.pd")) {
      int size = (int) Files.size(directory.resolve(name));
      int step = Math.max(1, size / 60);
      for (int at = random.nextInt(step); at < size; at += step) {
        Path damaged = copy(directory);
        byte[] bytes = Files.readAllBytes(damaged.resolve(name));
        bytes[at] ^= (byte) (1 << random.nextInt(8));
        Files.write(damaged.resolve(name), bytes);
        String where = name + " at " + at;
        assertThrows(
            CorruptIndexException.class,
            () -> {
              try (DedupIndex index = DedupIndex.open(damaged, CONFIG)) {
                index.verify(ProgressListener.NONE);
              }
            },
            where);
        found++;
      }
      Path cut = copy(directory);
      byte[] bytes = Files.readAllBytes(cut.resolve(name));
      Files.write(cut.resolve(name), Arrays.copyOf(bytes, bytes.length - 1));
      assertThrows(CorruptIndexException.class, () -> DedupIndex.open(cut, CONFIG), name);
    }
    assertTrue(found > 200, "tried " + found);
  }

  @Test
  void otherBandsOrASecondWriterAreRefused() {
    Path directory = fresh();
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      index.ingest(List.of(new Document("a", "a b c d e f")));
      index.commit();
      assertThrows(IndexLockedException.class, () -> DedupIndex.open(directory, CONFIG));
    }
    DedupConfig other = CONFIG.withLsh(new LshParameters(15, 7));
    Expect.refused(
        "bands of " + directory.resolve("commit"),
        "18",
        "15; what was made with another can't be compared",
        () -> DedupIndex.open(directory, other));
    // a refused opening leaves no lock behind
    DedupIndex.open(directory, CONFIG).close();
    Path file = directory.resolve("log.pd");
    assertThrows(UncheckedIOException.class, () -> DedupIndex.open(file, CONFIG));
  }

  @Test
  void anotherVersionOrParameterInTheHeaderIsRefusedByName() throws IOException {
    Path directory = fresh();
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      index.ingest(List.of(new Document("a", "a b c d e f")));
      index.commit();
    }
    List<String> fields =
        List.of("format version", "normalizer version", "MinHash version", "bands", "rows");
    for (int i = 0; i < fields.size(); i++) {
      Path other = copy(directory);
      Path file = other.resolve("commit");
      byte[] bytes = Files.readAllBytes(file);
      ByteBuffer b = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      int at = 8 + 4 * i;
      int found = b.getInt(at) + 1;
      b.putInt(at, found);
      CRC32C crc = new CRC32C(); // so that it is no damage, but what another version wrote
      crc.update(bytes, 0, bytes.length - 4);
      b.putInt(bytes.length - 4, (int) crc.getValue());
      Files.write(file, bytes);
      String field = fields.get(i) + " of " + file;
      String allowed = (found - 1) + "; what was made with another can't be compared";
      Expect.refused(field, "" + found, allowed, () -> DedupIndex.open(other, CONFIG));
      Expect.refused(field, "" + found, allowed, () -> DedupIndex.openReadOnly(other, CONFIG));
      // nothing was thrown away: what has that version still reads it
      assertArrayEquals(bytes, Files.readAllBytes(file));
      assertEquals(
          Files.size(directory.resolve("log.pd")), Files.size(other.resolve("log.pd")), field);
    }
  }

  @Test
  void whatAPersonSaidHoldsWhenTheSameTextsComeAgain() {
    Path directory = fresh();
    List<Document> documents = List.of(new Document("a", "one two"), new Document("b", "one, two"));
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      index.ingest(documents);
      index.judge("a", "b", false, "read both");
      index.remove("a");
      index.ingest(List.of(new Document("b", "three four")));
      index.commit();
    }
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      index.ingest(List.of(documents.get(0)));
      assertEquals(List.of(), index.clusters());
      index.ingest(documents);
      SuppressionView view = index.view(PromotionPolicy.DEFAULT, id -> "x");
      assertEquals(List.of("judged different"), List.copyOf(view.kept().values()));
      assertEquals(Map.of(), view.canonicalOf());
    }
  }

  @Test
  void whatAPersonSaidIsKept() {
    Path directory = fresh();
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      index.ingest(List.of(new Document("a", "one two"), new Document("b", "one, two")));
      index.judge("b", "a", false, "not the same");
      index.commit();
    }
    try (DedupIndex index = DedupIndex.open(directory, CONFIG)) {
      assertEquals(
          "judged different", index.view(PromotionPolicy.DEFAULT, id -> "x").kept().get("b"));
      assertEquals(
          Instant.ofEpochSecond(1_700_000_000L, 123_000_000), index.runs().getFirst().createdAt());
    }
  }
}

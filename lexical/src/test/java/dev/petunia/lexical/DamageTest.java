package dev.petunia.lexical;

import static dev.petunia.lexical.LifeTest.chunks;
import static dev.petunia.lexical.LifeTest.copy;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.CorruptIndexException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamageTest {
  private static final LexicalConfig CONFIG = LexicalConfig.defaults();

  @TempDir Path temp;

  private Path dir() {
    return temp.resolve("index");
  }

  private LexicalIndex open() {
    return LexicalIndex.open(dir(), CONFIG);
  }

  @Test
  void aLuceneIndexOfSomeoneElseIsNotTouched() throws IOException {
    try (FSDirectory d = FSDirectory.open(dir());
        IndexWriter foreign = new IndexWriter(d, new IndexWriterConfig())) {
      foreign.commit();
    }
    String message = assertThrows(CorruptIndexException.class, this::open).getMessage();
    assertTrue(message.contains("not a lexical index"), message);
    assertThrows(CorruptIndexException.class, () -> LexicalIndex.openReadOnly(dir()));
  }

  @Test
  void everyFlippedByteAndEveryCutIsNoticedAndTheFileNamed() throws IOException {
    try (LexicalIndex index = open()) {
      index.upsert(chunks(200));
      index.size();
      index.upsert(chunks(20));
      index.commit(Map.of("g", "1"));
    }
    List<Path> files;
    try (Stream<Path> list = Files.list(dir())) {
      files = list.filter(f -> !f.toString().endsWith(".lock")).sorted().toList();
    }
    assertTrue(files.size() >= 3, files::toString);
    int n = 0;
    for (Path file : files) {
      byte[] good = Files.readAllBytes(file);
      List<byte[]> bad = new ArrayList<>();
      for (int at = 0; at < good.length; at += 1 + good.length / 11) {
        byte[] flipped = good.clone();
        flipped[at] ^= 0x10;
        bad.add(flipped);
      }
      bad.add(Arrays.copyOf(good, good.length / 2));
      bad.add(Arrays.copyOf(good, good.length - 1));
      bad.add(new byte[0]);
      for (byte[] damaged : bad) {
        Path copy = temp.resolve("damaged" + n++);
        copy(dir(), copy);
        Files.write(copy.resolve(file.getFileName().toString()), damaged);
        CorruptIndexException e =
            assertThrows(
                CorruptIndexException.class,
                () -> {
                  try (LexicalIndex index = LexicalIndex.open(copy, CONFIG)) {
                    index.verify();
                  }
                },
                () -> file + ", " + damaged.length + " of " + good.length + " bytes");
        assertTrue(e.getMessage().contains(copy.toString()), e.getMessage());
        assertTrue(
            e.getMessage().contains(file.getFileName().toString()),
            () -> file.getFileName() + " expected in: " + e.getMessage());
      }
    }
  }

  @Test
  void aMissingFileIsNamed() throws IOException {
    try (LexicalIndex index = open()) {
      index.upsert(chunks(20));
      index.commit(Map.of());
    }
    Path missing;
    try (Stream<Path> list = Files.list(dir())) {
      missing = list.filter(f -> f.toString().endsWith(".cfs")).findAny().orElseThrow();
    }
    Files.delete(missing);
    CorruptIndexException e = assertThrows(CorruptIndexException.class, this::open);
    assertTrue(e.getMessage().contains(missing.getFileName().toString()), e.getMessage());
    assertThrows(CorruptIndexException.class, () -> LexicalIndex.openReadOnly(dir()));
  }
}

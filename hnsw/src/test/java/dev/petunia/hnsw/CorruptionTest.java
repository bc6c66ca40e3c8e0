package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.SearchResult;
import dev.petunia.core.VectorQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A damaged file is refused by name, whatever the damage: never a wrong answer. */
class CorruptionTest {
  @TempDir Path folder;
  private boolean writing;

  private CorruptIndexException refusedBecauseOf(SmallIndex index, String name, String what) {
    writing ^= true; // for reading and for writing by turns
    return index.refused(index.file(name), what, writing);
  }

  @ParameterizedTest
  @CsvSource({
    "NONE, commit",
    "NONE, graph",
    "NONE, vectors",
    "BITS2, commit",
    "BITS2, graph",
    "BITS2, vectors",
    "BITS2, codes"
  })
  void aFileCutAtAnyLengthIsRefused(Quantization kind, String name) throws IOException {
    SmallIndex index = SmallIndex.make(folder, kind);
    Path file = index.file(name);
    byte[] whole = Files.readAllBytes(file);
    for (int length = 0; length < index.committed(name); length++) {
      Files.write(file, Arrays.copyOf(whole, length));
      refusedBecauseOf(index, name, name + " cut to " + length + " bytes");
    }
    Files.write(file, whole);
    try (HnswIndex again = index.open()) {
      index.check(again); // nothing was removed on the way
    }
  }

  @ParameterizedTest
  @CsvSource({
    "NONE, commit",
    "NONE, graph",
    "NONE, vectors",
    "BITS2, commit",
    "BITS2, graph",
    "BITS2, vectors",
    "BITS2, codes",
    "INT8, codes",
    "BIT1, codes"
  })
  void aFlippedBitOfWhatIsCommittedIsRefusedAndOneOfTheRestDoesNotMatter(
      Quantization kind, String name) throws IOException {
    SmallIndex index = SmallIndex.make(folder, kind);
    Path file = index.file(name);
    byte[] whole = Files.readAllBytes(file);
    SplittableRandom random = Given.random(1);
    int harmless = 0;
    for (int at = 0; at < whole.length; at++) {
      byte[] bad = whole.clone();
      bad[at] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, bad);
      if (index.isReferredTo(name, at)) {
        refusedBecauseOf(index, name, "a flipped bit of byte " + at + " of " + name);
      } else {
        harmless++;
        try (HnswIndex again = index.reader()) {
          index.check(again);
        }
      }
    }
    // the slot or code of a node that is gone, and what lies after the end
    assertEquals(name.equals("vectors") || name.equals("codes"), harmless > 128);
  }

  @ParameterizedTest
  @CsvSource({"NONE, graph", "NONE, vectors", "BITS2, graph", "BITS2, vectors", "BITS2, codes"})
  void damageAfterTheOpeningIsFoundByVerifyAndNoAnswerChanges(Quantization kind, String name)
      throws IOException {
    SmallIndex index = SmallIndex.make(folder, kind);
    Path file = index.file(name);
    byte[] whole = Files.readAllBytes(file);
    try (HnswIndex open = index.open()) {
      index.check(open);
      for (int at = 0; at < index.committed(name); at += 7) {
        if (index.isReferredTo(name, at)) {
          byte[] bad = whole.clone();
          bad[at] ^= 4;
          Files.write(file, bad);
          assertThrows(CorruptIndexException.class, open::verify);
          assertEquals("id-7", Given.top(open, SmallIndex.vector(7)));
        }
      }
      Files.write(file, whole);
      open.verify();
      Files.delete(file);
      assertThrows(CorruptIndexException.class, open::verify);
      open.commit(); // and a new commit mends it
      index.check(open);
    }
    try (HnswIndex again = index.open()) {
      index.check(again);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "BITS2"})
  void aCompactionDoesNotCopyADamagedVector(Quantization kind) throws IOException {
    SmallIndex index = SmallIndex.make(folder, kind);
    Path file = index.file("vectors");
    byte[] whole = Files.readAllBytes(file);
    byte[] bad = whole.clone();
    bad[SlotFile.HEADER_BYTES + 1] ^= 4;
    Files.write(file, bad);
    try (HnswIndex open = index.open()) {
      IllegalStateException e = assertThrows(IllegalStateException.class, open::compact);
      assertEquals("the vector of node 0 is damaged", e.getMessage());
      assertEquals(2, open.generation());
      assertThrows(CorruptIndexException.class, open::verify);
    }
    Files.write(file, whole); // nothing else was changed
    try (HnswIndex open = index.open()) {
      index.check(open);
      open.compact();
      index.check(open);
    }
  }

  // ---- what no commit refers to --------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "BITS2"})
  void whatNoCommitRefersToDoesNotMatterAndIsWrittenOver(Quantization kind) throws IOException {
    SmallIndex index = SmallIndex.make(folder, kind);
    SplittableRandom random = Given.random(3);
    for (String name : index.slotFiles()) {
      byte[] bytes = Files.readAllBytes(index.file(name));
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] = index.isReferredTo(name, at) ? bytes[at] : (byte) random.nextInt();
      }
      Files.write(index.file(name), bytes);
      byte[] more = new byte[3_000];
      random.nextBytes(more);
      Files.write(index.file(name), more, StandardOpenOption.APPEND);
    }
    Files.write(index.file("graph"), new byte[] {1, 2, 3, 4, 5}, StandardOpenOption.APPEND);
    try (HnswIndex open = index.open()) {
      index.check(open);
      open.add("new", Given.v(4, 4, 4));
      open.commit();
      open.verify();
    }
    try (HnswIndex open = index.open()) {
      open.verify();
      assertEquals("new", Given.top(open, Given.v(4, 4, 4)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "BITS2"})
  void aCommitWithoutItsLastStepIsIgnoredAndWrittenOver(Quantization kind) throws IOException {
    SmallIndex index = SmallIndex.make(folder, kind);
    byte[] commit = Files.readAllBytes(index.file("commit"));
    try (HnswIndex open = index.open()) {
      for (int i = 0; i < 5; i++) {
        open.add("lost-" + i, Given.v(9, 9, i));
      }
      open.delete("id-7");
      open.commit();
    }
    Files.write(index.file("commit"), commit); // as if the power went before the rename
    byte[] log = Files.readAllBytes(index.file("graph"));
    assertTrue(log.length > index.committed("graph"));
    for (int length = log.length; length >= index.committed("graph"); length--) { // torn anywhere
      Files.write(index.file("graph"), Arrays.copyOf(log, length));
      try (HnswIndex open = index.reader()) {
        index.check(open);
      }
    }
    Files.write(index.file("graph"), log);
    try (HnswIndex open = index.open()) {
      index.check(open);
      open.add("new", Given.v(4, 4, 4));
      assertEquals(3, open.commit());
      open.verify();
    }
    try (HnswIndex open = index.open()) {
      open.verify();
      assertEquals(SmallIndex.SIZE + 1, open.size());
      assertEquals("new", Given.top(open, Given.v(4, 4, 4)));
    }
  }

  // ---- other files ---------------------------------------------------------------------------

  @Test
  void bytesAfterTheEndOfTheCommitFileAreRefused() throws IOException {
    SmallIndex index = SmallIndex.make(folder, Quantization.NONE);
    Files.write(index.file("commit"), new byte[] {0}, StandardOpenOption.APPEND);
    refusedBecauseOf(index, "commit", "a byte after the end");
  }

  @ParameterizedTest
  @ValueSource(strings = {"graph", "vectors", "codes"})
  void aMissingFileIsNamed(String name) throws IOException {
    SmallIndex index = SmallIndex.make(folder, Quantization.BITS2);
    Files.delete(index.file(name));
    refusedBecauseOf(index, name, "a missing file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"graph", "vectors", "codes"})
  void anotherFileInPlaceOfOneIsNamed(String name) throws IOException {
    SmallIndex index = SmallIndex.make(folder, Quantization.BITS2);
    Files.writeString(index.file(name), "x".repeat(5000));
    CorruptIndexException e = refusedBecauseOf(index, name, "another file");
    assertTrue(String.valueOf(e.getMessage()).contains("not "), e::toString);
    assertEquals(0, e.offset());
  }

  @Test
  void codesOfAnotherKindThanAskedForAreMadeAnewFromTheVectors() throws IOException {
    SmallIndex index = SmallIndex.make(folder, Quantization.BITS2);
    Files.write(index.file("codes"), new byte[100]); // not even read
    for (Quantization kind : new Quantization[] {Quantization.NONE, Quantization.INT8}) {
      try (HnswIndex open = HnswIndex.open(index.directory(), SmallIndex.config(kind))) {
        SearchResult found =
            open.search(VectorQuery.builder(SmallIndex.vector(7)).limit(3).build());
        assertEquals("id-7", found.hits().getFirst().id());
        open.add("new " + kind, Given.v(4, 4, kind.ordinal()));
        open.commit();
        open.verify();
      }
    }
    try (HnswIndex open = index.open()) {
      assertEquals(SmallIndex.SIZE + 2, open.size());
      open.verify();
    }
  }
}

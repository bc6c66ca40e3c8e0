package dev.petunia.hnsw;

import static dev.petunia.core.Similarity.DOT_PRODUCT;
import static dev.petunia.core.Similarity.EUCLIDEAN;
import static dev.petunia.hnsw.Given.id;
import static dev.petunia.hnsw.Given.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.VectorEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Openings that are refused, and what they leave alone. */
class RefusedOpeningTest {
  @TempDir Path folder;

  private Path directory() {
    return folder.resolve("index");
  }

  @Test
  void otherOptionsThanThoseOfTheIndexAreRefusedByNameAndNothingIsDiscarded() throws IOException {
    List<Long> prints = Contents.commits(directory(), 5);
    List<String> before = Contents.files(directory());
    HnswConfig dimension = Given.config(9, EUCLIDEAN).m(6).build();
    HnswConfig similarity = Given.config(8, DOT_PRODUCT).m(6).build();
    HnswConfig m = Given.config(8, EUCLIDEAN).m(7).build();
    for (long g : new long[] {4, 5}) { // 4 would discard 5, had it been read
      refused(() -> HnswIndex.open(directory(), dimension, g), "dimension", "9", "8, as the index");
      refused(
          () -> HnswIndex.open(directory(), similarity, g),
          "similarity",
          "DOT_PRODUCT",
          "EUCLIDEAN, as the index");
      refused(() -> HnswIndex.open(directory(), m, g), "M", "7", "6, as the index");
      refused(() -> HnswIndex.openReadOnly(directory(), m, g), "M", "7", "6");
    }
    refused(() -> HnswIndex.open(directory(), VectorIndexContract.nothing()), "config", "null");
    assertEquals(before, Contents.files(directory()));
    try (HnswIndex index = HnswIndex.open(directory(), Contents.config())) {
      assertEquals(prints.get(5), Contents.fingerprint(index));
      refused(() -> index.add("x", new float[9]), "9 components", "8 components");
    }
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsRefusedByName() throws IOException {
    Files.writeString(directory(), "not an index");
    refused(() -> HnswIndex.open(directory(), Contents.config()), "directory", "a directory");
    refused(() -> HnswIndex.openReadOnly(directory(), Contents.config()), "directory");
    assertEquals("not an index", Files.readString(directory()));
  }

  @Test
  void readingWhereThereIsNoIndexIsRefusedAndMakesNothing() {
    refused(
        () -> HnswIndex.openReadOnly(directory(), Contents.config()),
        "directory",
        "a committed index");
    assertFalse(Files.exists(directory()));
  }

  @Test
  void aReaderRefusesChangesAndLeavesTheFilesAlone() throws IOException {
    Contents.commits(directory(), 2);
    List<String> before = Contents.files(directory());
    try (HnswIndex index = HnswIndex.openReadOnly(directory(), Contents.config())) {
      List<VectorEntry> one = List.of(new VectorEntry("x", new float[8]));
      for (org.junit.jupiter.api.function.Executable call :
          List.<org.junit.jupiter.api.function.Executable>of(
              () -> index.add("x", new float[8]),
              () -> index.upsert("x", new float[8]),
              () -> index.upsertAll(one, ProgressListener.NONE),
              () -> index.delete(id(1)),
              index::commit)) {
        IllegalStateException e = assertThrows(IllegalStateException.class, call);
        assertTrue(String.valueOf(e.getMessage()).contains("reading only"), e::toString);
      }
      index.verify();
    }
    assertEquals(before, Contents.files(directory()));
  }

  @Test
  void strayFilesOfACrashAreRemovedAndOthersLeftAlone() throws IOException {
    Contents.commits(directory(), 3);
    List<String> before = Contents.files(directory());
    for (String stray :
        List.of(
            "vectors-0000000004.pv.tmp",
            "vectors-0000000099.pv",
            "codes-0000000098.pv",
            "graph-0000000097.pv",
            "commit.tmp")) {
      Files.writeString(directory().resolve(stray), "half written");
    }
    Files.writeString(directory().resolve("notes.txt"), "the user's own");
    try (HnswIndex index = HnswIndex.openReadOnly(directory(), Contents.config())) {
      index.verify();
      assertEquals(10, Contents.files(directory()).size()); // a reader removes nothing
    }
    try (HnswIndex index = HnswIndex.open(directory(), Contents.config())) {
      index.verify();
      List<String> left = Contents.files(directory());
      assertTrue(left.remove("notes.txt"));
      assertEquals(before, left);
      assertEquals(4, index.commit());
    }
  }

  @Test
  void aMissingCommitFileBesideSnapshotsIsDamageAndNotAnEmptyIndex() throws IOException {
    Contents.commits(directory(), 3);
    Files.delete(directory().resolve("commit"));
    List<String> before = Contents.files(directory());
    for (int i = 0; i < 2; i++) {
      CorruptIndexException e =
          assertThrows(
              CorruptIndexException.class, () -> HnswIndex.open(directory(), Contents.config()));
      assertTrue(String.valueOf(e.getMessage()).contains("is missing"), e::toString);
      assertEquals("commit", e.file().getFileName().toString());
    }
    assertEquals(before, Contents.files(directory()));
  }
}

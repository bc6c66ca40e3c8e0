package dev.petunia.examples.conversation.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.petunia.core.Chunk;
import dev.petunia.core.ProgressListener;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderCorpusTest {
  @TempDir Path dir;

  private void write(String path, String text) throws IOException {
    write(path, text.getBytes(StandardCharsets.UTF_8));
  }

  private void write(String path, byte[] bytes) throws IOException {
    Path file = dir.resolve(path);
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
  }

  private Chunks read() throws IOException {
    return new FolderCorpus(dir).chunks(ProgressListener.NONE);
  }

  private static List<String> strings(List<CorpusReport.Item> items) {
    return items.stream().map(CorpusReport.Item::toString).toList();
  }

  @Test
  void markdownSectionsBecomeAttributesAndHeaders() throws IOException {
    write(
        "guide/start.md",
        "---\ntitle: Ignored\n---\nIntro text.\n\n# Getting *started*\n\nHello `x`.\n\n## Install\n\n"
            + "It is a very long text. ".repeat(20)
            + "\n\n### On Linux\n\n"
            + "Do it like this here. ".repeat(25));
    List<Chunk> chunks = read().list();
    assertEquals(2, chunks.size());
    Chunk last = chunks.get(1);
    assertEquals("guide/start.md#1", last.id());
    assertEquals("guide/start.md", last.entryId());
    assertEquals(1, last.ordinal());
    assertEquals(
        Map.of(
            "path", "guide/start.md", "title", "Getting started", "section", "Install > On Linux"),
        last.attributes());
    assertTrue(
        last.text().startsWith("Getting started > Install > On Linux\nDo it like"), last.text());
    assertTrue(
        chunks.get(0).text().startsWith("Getting started\nIntro text.\nHello x.\nInstall\nIt is"),
        chunks.get(0).text());
  }

  @Test
  void titlesComeFromHeadingFrontMatterTitleElementOrFileName() throws IOException {
    write("a.md", "---\ntitle: \"From the front\"\nx: y\n---\ntext");
    write("b.md", "text only");
    write(
        "c.html",
        "<html><head><title> The\n page </title></head><body><nav>menu</nav><p>text<script>x()</script></body></html>");
    write("d.htm", "<title>no</title><h2>sub</h2><p>a</p><h1>The heading</h1><p>text");
    write("e.txt", "text");
    write("f.md", "# \uD83D\uDE00 标题\n\ntext");
    write("g.html", "<title>" + "many words ".repeat(20) + "</title>text");
    assertEquals(
        List.of("From the front", "b", "The page", "The heading", "e", "😀 标题", "g"),
        read().list().stream().map(c -> c.attributes().get("title")).toList());
    assertEquals("The page\ntext", read().list().get(2).text());
  }

  @Test
  void plainTextHasParagraphsItemsAndVerse() throws IOException {
    write(
        "a.txt",
        "This is a paragraph that goes on over more than one\r\nline of the file.\r\n\r\n"
            + "Things that are needed for it, in a list of them:\n- one thing\n- another thing that takes\n  two lines\n"
            + "2) second\n\fRoses are red\nViolets are blue\n");
    assertEquals(
        """
        a
        This is a paragraph that goes on over more than one line of the file.
        Things that are needed for it, in a list of them:
        - one thing
        - another thing that takes two lines
        2) second
        Roses are red
        Violets are blue""",
        read().list().getFirst().text());
  }

  @Test
  void everythingThatIsNotReadIsNamedWithItsReason() throws IOException {
    write("good.txt", "Good.");
    write("empty.md", "");
    write("blank.txt", " \n\n ");
    write("only.html", "<script>x</script>");
    write("picture.png", "x");
    write("noending", "x");
    write("binary.txt", new byte[] {'a', 0, 'b', 1, 2, 3});
    write("controls.txt", "a\u0001\u0002\u0003b");
    write("big.txt", "x".repeat(2_000));
    write(".hidden.txt", "x");
    write(".git/config.txt", "x");
    Chunks chunks = new FolderCorpus(dir, 1_000, 1_000_000).chunks(ProgressListener.NONE);
    assertEquals(List.of("good.txt#0"), chunks.list().stream().map(Chunk::id).toList());
    assertEquals(
        List.of(
            ".git/: hidden",
            ".hidden.txt: hidden",
            "big.txt: larger than 1000 bytes (2000 bytes)",
            "binary.txt: binary",
            "blank.txt: no text in it",
            "controls.txt: binary",
            "empty.md: empty",
            "noending: not a txt, md or html file",
            "only.html: no text in it",
            "picture.png: not a txt, md or html file"),
        strings(chunks.report().skipped()));
    List<String> lines = chunks.report().lines(1);
    assertEquals("1 files read, 1 entries, 10 skipped, 0 noted", lines.getFirst());
    assertTrue(
        lines.containsAll(List.of("skipped, binary: 2", "  binary.txt", "  and 1 more")),
        lines.toString());
  }

  @Test
  void unreadableFilesAndFoldersAreNamed() throws IOException {
    write("secret.txt", "x");
    write("closed/a.txt", "x");
    write("open.txt", "x");
    Path file = dir.resolve("secret.txt");
    Path folder = dir.resolve("closed");
    assumeTrue(
        Files.getFileStore(dir).supportsFileAttributeView("posix"), "needs file permissions");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("---------"));
    try {
      assumeTrue(!Files.isReadable(file), "root may read everything");
      Chunks chunks = read();
      assertEquals(1, chunks.total());
      assertEquals(
          List.of("closed/: folder can't be listed", "secret.txt: can't be read"),
          chunks.report().skipped().stream().map(i -> i.path() + ": " + i.reason()).toList());
    } finally {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void linksAreNotFollowedSoThereAreNoLoops() throws IOException {
    write("sub/a.txt", "Text.");
    try {
      Files.createSymbolicLink(dir.resolve("sub/loop"), dir);
      Files.createSymbolicLink(dir.resolve("b.txt"), dir.resolve("sub/a.txt"));
      Files.createSymbolicLink(dir.resolve("broken.txt"), dir.resolve("none"));
    } catch (UnsupportedOperationException | IOException e) {
      assumeTrue(false, "no symbolic links here: " + e);
    }
    Chunks chunks = read();
    assertEquals(List.of("sub/a.txt#0"), chunks.list().stream().map(Chunk::id).toList());
    assertEquals(
        List.of(
            "b.txt: symbolic link, not followed",
            "broken.txt: symbolic link, not followed",
            "sub/loop: symbolic link, not followed"),
        strings(chunks.report().skipped()));
    Path link = dir.resolve("sub/loop");
    assertEquals(
        chunks.list(),
        new FolderCorpus(link).chunks(ProgressListener.NONE).list(),
        "the folder itself may be a link");
  }

  @Test
  void otherCharsetsAreReadAndNoted() throws IOException {
    String text = "Größe und “Zeichen” – naïve café.";
    write("a-utf8.txt", text);
    write("b-bom.txt", "\uFEFF" + text);
    write("c-utf16le.txt", ("\uFEFF" + text).getBytes(StandardCharsets.UTF_16LE));
    write("d-utf16be.txt", ("\uFEFF" + text).getBytes(StandardCharsets.UTF_16BE));
    write("e-windows.txt", text.getBytes(Charset.forName("windows-1252")));
    write(
        "f-koi8.html",
        ("<meta charset=\"koi8-r\"><p>Привет, мир.").getBytes(Charset.forName("koi8-r")));
    write(
        "g-latin.html",
        ("<meta charset=nonsense><p>é \u0081.").getBytes(StandardCharsets.ISO_8859_1));
    Chunks chunks = read();
    for (Chunk c : chunks.list().subList(0, 5)) {
      assertEquals(text, c.text().substring(c.text().indexOf('\n') + 1), c.id());
    }
    assertTrue(chunks.list().get(5).text().endsWith("Привет, мир."), chunks.list().get(5).text());
    assertTrue(chunks.list().get(6).text().endsWith("é ."), chunks.list().get(6).text());
    assertEquals(
        List.of(
            "c-utf16le.txt: not UTF-8 (read as UTF-16LE)",
            "d-utf16be.txt: not UTF-8 (read as UTF-16BE)",
            "e-windows.txt: not UTF-8 (read as windows-1252)",
            "f-koi8.html: not UTF-8 (read as KOI8-R)",
            "g-latin.html: not UTF-8 (read as ISO-8859-1)"),
        strings(chunks.report().notes()));
  }

  @Test
  void otherScriptsAreCutBySize() throws IOException {
    write("zh.txt", "集合框架提供了许多有用的数据结构和算法。".repeat(60));
    write("ar.txt", "هذه جملة عربية من ست كلمات فقط. ".repeat(60));
    write("ja.md", "# 題名\n\n" + "これは日本語の文章です。\n".repeat(80));
    List<Chunk> chunks = read().list();
    for (String path : List.of("zh.txt", "ar.txt", "ja.md")) {
      List<Chunk> of = chunks.stream().filter(c -> c.entryId().equals(path)).toList();
      assertTrue(of.size() >= 2, path + " " + of.size());
      for (Chunk c : of) {
        int words = Scripts.words(c.text());
        assertTrue(words >= 100 && words <= 226, c.id() + " has " + words);
        assertTrue(c.text().endsWith("。") || c.text().endsWith("."), c.text());
      }
    }
  }

  @Test
  void namesOfFilesMayHaveSpacesAndOtherScripts() throws IOException {
    String name = "mein Ordner/日本 #1%.txt";
    try {
      write(name, "Text.");
    } catch (java.nio.file.InvalidPathException e) {
      assumeTrue(false, "this locale has no such names");
    }
    assertEquals(name + "#0", read().list().getFirst().id());
  }

  @Test
  void hostileMarkupIsReadWithoutOverflowOrLoss() throws IOException {
    write("a.md", ">".repeat(50_000) + " end");
    write("b.md", "*a **b ".repeat(20_000));
    write("c.md", "[".repeat(20_000) + "a" + "]".repeat(20_000));
    write("d.html", "<div>".repeat(50_000) + "end");
    write("e.md", "---\n" + "a: b\n".repeat(100_000));
    write("f.txt", "\n".repeat(200_000) + "end");
    write("g.html", "<table><tr><td>".repeat(500) + "end");
    Chunks chunks = read();
    assertEquals(7, chunks.report().entries(), chunks.report().lines(9).toString());
    for (Chunk c : chunks) {
      assertTrue(Scripts.words(c.text()) <= 2 * Chunker.LONGEST, c.id());
    }
  }

  @Test
  void aHugeLineIsCutCompletely() throws IOException {
    String text = "word ".repeat(300_000).strip();
    write("a.txt", text);
    StringBuilder all = new StringBuilder();
    for (Chunk c : read()) {
      all.append(all.isEmpty() ? "" : " ")
          .append(c.text(), c.text().indexOf('\n') + 1, c.text().length());
    }
    assertEquals(text.length(), all.length());
    assertEquals(text, all.toString());
  }

  @Test
  void anEmptyFolderGivesNoChunks() throws IOException {
    Chunks chunks = read();
    assertEquals(0, chunks.total());
    assertEquals(List.of("0 files read, 0 entries, 0 skipped, 0 noted"), chunks.report().lines(5));
  }

  @Test
  void aFolderThatIsMissingOrNoneOrTooLargeIsRefused() throws IOException {
    write("a.txt", "x".repeat(100));
    IOException missing =
        assertThrows(
            CorpusUnavailableException.class,
            () -> new FolderCorpus(dir.resolve("no")).fingerprint());
    assertTrue(missing.getMessage().endsWith("no does not exist."), missing.getMessage());
    IOException file =
        assertThrows(
            CorpusUnavailableException.class,
            () -> new FolderCorpus(dir.resolve("a.txt")).chunks(ProgressListener.NONE));
    assertTrue(file.getMessage().endsWith("is not a folder."), file.getMessage());
    IOException large =
        assertThrows(
            CorpusUnavailableException.class,
            () -> new FolderCorpus(dir, 1_000, 99).chunks(ProgressListener.NONE));
    assertTrue(large.getMessage().contains("has 100 bytes of text"), large.getMessage());
    assertTrue(large.getMessage().contains("-Xmx"), large.getMessage());
  }

  @Test
  void theFingerprintChangesWithNamesSizesAndTimes() throws IOException {
    write("a.txt", "x");
    FolderCorpus corpus = new FolderCorpus(dir);
    String first = corpus.fingerprint();
    assertEquals(first, corpus.fingerprint());
    write("ignored.png", "x");
    assertEquals(first, corpus.fingerprint());
    Files.setLastModifiedTime(dir.resolve("a.txt"), FileTime.fromMillis(1_000));
    String second = corpus.fingerprint();
    assertNotEquals(first, second);
    write("b.txt", "x");
    String third = corpus.fingerprint();
    assertNotEquals(second, third);
    Files.move(dir.resolve("b.txt"), dir.resolve("c.txt"));
    assertNotEquals(third, corpus.fingerprint());
  }

  @Test
  void progressCountsFilesAndCancelStops() throws IOException {
    for (int i = 0; i < 10; i++) {
      write("f" + i + ".txt", "Text.");
    }
    List<Long> seen = new ArrayList<>();
    new FolderCorpus(dir)
        .chunks(
            (stage, done, total) -> {
              assertEquals(10, total);
              seen.add(done);
              return true;
            });
    assertEquals(10, seen.getLast());
    assertThrows(
        CancellationException.class, () -> new FolderCorpus(dir).chunks((s, d, t) -> false));
  }
}

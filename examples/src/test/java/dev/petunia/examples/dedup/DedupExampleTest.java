package dev.petunia.examples.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DedupExampleTest {
  @TempDir Path folder;

  @BeforeEach
  void texts() throws IOException {
    String words =
        IntStream.range(0, 60)
            .mapToObj(i -> "word" + (i * 7) % 60)
            .collect(Collectors.joining(" "));
    write("a/page.txt", words + " <script>alert('x')</script>");
    write("b/page.txt", words + " <script>alert('x')</script>");
    write("c/page.txt", words + " <script>alert('x')</script> 1507");
    write("other.txt", "something else altogether, of its own");
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve("corpus").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private String run(String... more) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    String[] args = new String[more.length + 2];
    args[0] = "--corpus";
    args[1] = folder.resolve("corpus").toString();
    System.arraycopy(more, 0, args, 2, more.length);
    Main.run(Arguments.parse(args), new PrintStream(bytes, true, StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void reportNamesClusterCanonicalDifferingTokensAndWhatIsLeftOut() throws IOException {
    String out = run();
    assertTrue(out.contains("clusters    1 of 3 passages"), out);
    assertTrue(out.contains("a/page.txt#0  (canonical)"), out);
    assertTrue(out.contains("b/page.txt#0  J 1.000, left out"), out);
    assertTrue(out.contains("stays: differs in a number: 1507"), out);
    assertTrue(out.contains("only here: 1507"), out);
  }

  @Test
  void pageShowsEachClusterAndRunsNothingOfTheTexts() throws IOException {
    Path page = folder.resolve("page.html");
    run("--html", page.toString());
    Document html = Jsoup.parse(Files.readString(page));
    assertEquals(1, html.select("details").size());
    assertEquals(2, html.select("section.pair").size());
    assertEquals(1, html.select("script").size(), "the page's own");
    assertEquals("1507", html.select("mark").text());
    assertTrue(html.select(".text").first().wholeText().contains("<script>alert('x')</script>"));
    assertFalse(Files.readString(page).contains("http"), "needs no network");
  }

  @Test
  void pageMarksAJoinedNameAndALetterButNotTheirLikes() throws IOException {
    String same =
        IntStream.range(0, 60)
            .mapToObj(i -> "class 読 word" + i)
            .collect(Collectors.joining(" ", " ", " "));
    write("joined/a/page.txt", "Class.getReader" + same + "書");
    write("joined/b/page.txt", "Class.getStream" + same + "話");
    Path page = folder.resolve("page.html");
    run("--html", page.toString());
    assertEquals(
        List.of("Class.getReader", "書", "Class.getStream", "話"),
        Jsoup.parse(Files.readString(page)).select("mark").eachText().stream()
            .filter(t -> !t.equals("1507"))
            .toList());
  }

  @Test
  void aCopyUnderAnotherNameIsACopy() throws IOException {
    String text = "Some lines that were written once, and copied to another file later.";
    write("v1.txt", text);
    write("v2.txt", text);
    assertTrue(run().contains("v2.txt#0  J 1.000, left out"));
  }

  @Test
  void wrongOptionsAndFilesAreNamed() {
    assertEquals(
        "--nope is no option; --help lists them",
        assertThrows(IllegalArgumentException.class, () -> run("--nope")).getMessage());
    Path nowhere = folder.resolve("none").resolve("page.html");
    assertThrows(NoSuchFileException.class, () -> run("--html", nowhere.toString()));
  }

  @Test
  void secondRunChecksOnlyWhatIsNewAndForgetsWhatIsGone() throws IOException {
    String index = folder.resolve("index").toString();
    run("--index", index);
    Files.delete(folder.resolve("corpus/b/page.txt"));
    write("new.txt", "one more text, which is new");
    String out = run("--index", index);
    assertTrue(out.contains("3 as before, 0 replaced, 1 gone"), out);
    assertTrue(out.contains("clusters    1 of 2 passages"), out);
  }

  @Test
  void spotCheckAwaitsAReaderAndCountsWhatOneSaid() throws IOException {
    Path sheet = folder.resolve("sheet.csv");
    String out = run("--spot-check", sheet.toString());
    assertTrue(out.contains("of 1 pairs among 1: awaiting a reader"), out);
    String filled = Files.readString(sheet).replaceFirst(",,\r\n$", ",template,a number\r\n");
    Files.writeString(sheet, filled);
    out = run("--verdicts", sheet.toString());
    assertTrue(out.contains("1 judged, 0 same, 1 template"), out);
  }

  @Test
  void edgesAreExportedByTheNameOfTheFile() throws IOException {
    Path csv = folder.resolve("edges.csv");
    run("--edges", csv.toString());
    assertEquals(3, Files.readAllLines(csv).size(), "a head and two edges");
    Path lines = folder.resolve("edges.jsonl");
    run("--edges", lines.toString());
    assertEquals(2, Files.readAllLines(lines).size());
    assertThrows(
        IllegalArgumentException.class, () -> Arguments.parse(new String[] {"--edges", "x"}));
    assertThrows(
        IllegalArgumentException.class, () -> Arguments.parse(new String[] {"--clusters", "x"}));
    assertThrows(IllegalArgumentException.class, () -> Arguments.parse(new String[] {"--html"}));
    assertThrows(
        IllegalArgumentException.class, () -> Arguments.parse(new String[] {"folder", "x"}));
  }
}

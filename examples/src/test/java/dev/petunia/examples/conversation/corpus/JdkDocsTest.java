package dev.petunia.examples.conversation.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Chunk;
import dev.petunia.core.ProgressListener;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdkDocsTest {
  @TempDir Path dir;

  private final Map<String, String> files = new LinkedHashMap<>();

  private Path zip() throws IOException {
    Path zip = dir.resolve("src.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
      for (Map.Entry<String, String> e : files.entrySet()) {
        out.putNextEntry(new ZipEntry(e.getKey()));
        out.write(e.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }
    return zip;
  }

  private Chunks read() throws IOException {
    return JdkDocs.of(zip(), "99", List.of("java.lang", "java.util")).chunks(ProgressListener.NONE);
  }

  private static Chunk chunk(Chunks chunks, String id) {
    return chunks.list().stream()
        .filter(c -> c.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new AssertionError(id + " is none of " + ids(chunks)));
  }

  private static List<String> ids(Chunks chunks) {
    return chunks.list().stream().map(Chunk::id).toList();
  }

  private void type(String name, String body) {
    files.put("java.base/java/util/" + name + ".java", "package java.util;\n" + body);
  }

  @Test
  void typesAndPublicAndProtectedMembersBecomeChunksInSourceOrder() throws IOException {
    type(
        "Box",
        """
        import java.util.function.Function;
        /** A box that holds one value of some type, and nothing else.
         * @since 1 */
        public class Box<T> {
          /** The largest size that a box can have, in bytes, and this is a long enough text about it, so that it stands alone, with ten words more than that. */
          protected static final int MAX = 7;
          /** Not seen by anyone. */ private int hidden;
          /** Not seen outside of the package. */ int alsoHidden;
          /** Makes a box of the given value, which may be null if you wish. */
          public Box(T value) {}
          /** Puts something into this box unless there is something in it already.
           * @since 9 */
          public T putIfAbsent(T value, Function<? super T, ? extends int[]>... more) { return value; }
          /** A lid that closes the box, nested here for no reason at all. */
          public interface Lid {
            /** Opens this lid as far as it goes, slowly and without noise. */
            void open(java.util.List<String> how, Map.Entry<String, int[]> e, int[] x);
          }
          /** Nobody can see this. */ static class Secret { /** Nor this. */ public void x() {} }
        }
        """);
    Chunks chunks = read();
    assertEquals(
        List.of(
            "java.util.Box/0",
            "java.util.Box#MAX/0",
            "java.util.Box#Box(T)/0",
            "java.util.Box#putIfAbsent(T,Function...)/0",
            "java.util.Box.Lid/0",
            "java.util.Box.Lid#open(List,Map.Entry,int[])/0"),
        ids(chunks));
    assertEquals(List.of(0, 1, 2, 3, 0, 1), chunks.list().stream().map(Chunk::ordinal).toList());
    Chunk c = chunk(chunks, "java.util.Box#putIfAbsent(T,Function...)/0");
    assertEquals("java.util.Box", c.entryId());
    assertEquals(
        Map.of(
            "package", "java.util",
            "class", "Box",
            "member", "putIfAbsent(T, Function...)",
            "kind", "method",
            "since", "9"),
        c.attributes());
    assertEquals(
        "Box.putIfAbsent(T, Function...)\n"
            + "Puts something into this box unless there is something in it already.",
        c.text());
    assertEquals(
        "1", chunk(chunks, "java.util.Box#MAX/0").attributes().get("since"), "that of the class");
    assertEquals(
        "new Box(T)",
        chunk(chunks, "java.util.Box#Box(T)/0").text().lines().findFirst().orElseThrow());
    assertEquals(
        "Box.Lid (interface in java.util)",
        chunk(chunks, "java.util.Box.Lid/0").text().lines().findFirst().orElseThrow());
    assertEquals(2, chunks.report().entries());
    assertEquals(1, chunks.report().files());
  }

  @Test
  void everyKindIsNamed() throws IOException {
    type(
        "A",
        "/** An annotation for tests only. */ public @interface A { /** How many times it is to be done, at least one time. */ int times(); }");
    type(
        "E",
        "/** An enum for tests only. */ public enum E { /** The one and only constant that this enum has, so it is a long text, longer than the twenty-five words that make a constant short. */ ONE; /** Not a constant of the enum, although it has its type, which is a difference that only a parser and no simple search will ever see at all. */ public static final E TWO = ONE; }");
    type(
        "R",
        "/** A record for tests only. */ public record R(int x) { /** Makes a record of two numbers, the second of which is ignored. */ public R(int x, int y) { this(x); } }");
    files.put(
        "java.base/java/util/package-info.java",
        "/** Utilities of all kinds. @since 1.0 */ package java.util;");
    files.put(
        "java.base/module-info.java",
        "/** The base of it all. */ module java.base { exports java.util; }");
    Map<String, Object> kinds =
        read().list().stream()
            .collect(Collectors.toMap(Chunk::id, c -> c.attributes().get("kind")));
    assertEquals(
        Map.of(
            "java.base/0", "module",
            "java.util/0", "package-info",
            "java.util.A/0", "annotation",
            "java.util.A#times()/0", "method",
            "java.util.E/0", "enum",
            "java.util.E#ONE/0", "enum constant",
            "java.util.E#TWO/0", "field",
            "java.util.R/0", "record",
            "java.util.R#R(int,int)/0", "constructor"),
        kinds);
  }

  @Test
  void onlyThePackagesAskedForAndThoseBelowAreRead() throws IOException {
    String doc = "/** Something worth to be read. */ public class X {}";
    for (String pkg :
        List.of(
            "java.util", "java.util.zip", "java.utility", "jdk.internal", "sun.util", "java.io")) {
      files.put("java.base/" + pkg.replace('.', '/') + "/X.java", "package " + pkg + ";" + doc);
    }
    files.put("java.sql/java/util/Y.java", "package java.util;" + doc);
    files.put("java.base/java/util/snippet-files/X.java", doc);
    assertEquals(List.of("java.util.X/0", "java.util.zip.X/0"), ids(read()));
  }

  @Test
  void blockTagsBecomeSentences() throws IOException {
    type(
        "Tags",
        """
        /** Tags. */ public class Tags {
          /**
           * Returns the {@code value}, or {@literal <none>} &mdash; see <i>below</i>.
           * <p>More on {@systemProperty a.b} and {@index "big word"} and 2<sup>31</sup> and {@value} and {@value #N}.
           *
           * @apiNote Use it rarely.
           * @implSpec It does {@inheritDoc} nothing.
           * @implNote It is slow
           * @param <K> the type of keys
           * @param key the key (may be null.)
           * @param gone {@inheritDoc}
           * @return The value
           * @throws java.io.IOException if it can't be read
           * @throws NullPointerException If key is null
           * @throws IllegalStateException The state is wrong.
           * @throws ArithmeticException
           * @deprecated use another
           * @author Nobody
           * @jls 4.2 Types
           * @serialData none
           * @since 1.5
           */
          public static final int N = -5;
        }
        """);
    assertEquals(
        """
        Tags.N
        Returns the value, or <none> — see below.
        More on a.b and big word and 2^31 and -5 and -5.
        API note: Use it rarely.
        Implementation requirements: It does nothing.
        Implementation note: It is slow
        Type parameter K: the type of keys.
        Parameter key: the key (may be null.)
        Returns the value.
        Throws IOException if it can't be read.
        Throws NullPointerException if key is null.
        Throws IllegalStateException: The state is wrong.
        Throws ArithmeticException.
        Deprecated: use another.""",
        chunk(read(), "java.util.Tags#N/0").text());
  }

  @Test
  void aReturnTagThatRepeatsTheFirstSentenceIsLeftOut() throws IOException {
    type(
        "A",
        "/** A. */ public class A { /** {@return the size of this thing} It may be zero in the beginning of all. \n * @return the size of this thing */ public int size() { return 0; } }");
    assertEquals(
        "A.size()\nReturns the size of this thing. It may be zero in the beginning of all.",
        chunk(read(), "java.util.A#size()/0").text());
  }

  @Test
  void samplesListsAndTablesBecomeLines() throws IOException {
    type(
        "A",
        """
        /**
         * Like this:
         * <pre>{@code
         *   List<String> l = f();
         *     l.add("@x");
         * }</pre>
         * or {@snippet :
         * int x = 1; // @highlight substring="x"
         * // @start region="r"
         * foo();
         * // @end
         * }
         * {@snippet class="Demo" region="part"}
         * <ul><li>one {@code a}<li>two</ul>
         * <table><tr><th>K<th>V<tr><td>1<td>2</table>
         */
        public class A {}
        """);
    files.put(
        "java.base/java/util/snippet-files/Demo.java",
        "class Demo {\n  // @start region=part\n    bar(); // @replace regex='b' replacement='c'\n  // @start region=in\n    in();\n  // @end\n  // @end\n  baz();\n}");
    assertEquals(
        """
        A (class in java.util)
        Like this:
        List<String> l = f();
          l.add("@x");
        or
        int x = 1;
        foo();
        bar();
        in();
        - one a
        - two
        K | V
        1 | 2""",
        read().list().getFirst().text());
  }

  @Test
  void aMissingSnippetIsReported() throws IOException {
    type("A", "/** Look: {@snippet file=\"None.java\" region=\"r\"} */ public class A {}");
    CorpusReport report = read().report();
    assertEquals(1, report.notes().size());
    assertEquals(
        "java.base/java/util/A.java: snippet not found (None.java region r)",
        report.notes().getFirst().toString());
  }

  @Test
  void markdownCommentsAreReadAsMarkdown() throws IOException {
    type(
        "M",
        """
        /// A *very* new `List<K>` of [Map#get(Object)] and [the map][Map].
        ///
        /// ## Use
        ///
        /// - one {@code a*b*c}
        /// - two
        ///
        /// ```java
        /// int x = 1;
        /// ```
        ///
        /// | a | b |
        /// |---|---|
        /// | 1 | 2 |
        ///
        /// @see Map
        public class M {
          /// Does `it` as well as it can be done by anyone.
          /// @param x the _new_ x
          /// @return `true` if so
          public boolean it(int x) { return true; }
        }
        """);
    type("Map", "public interface Map<K, V> { V get(Object o); }");
    Chunks chunks = read();
    Chunk c = chunk(chunks, "java.util.M/0");
    assertEquals(
        """
        M (class in java.util)
        A very new List<K> of Map.get(Object) and the map.
        Use
        - one a*b*c
        - two
        int x = 1;
        a | b
        1 | 2""",
        c.text());
    assertEquals(
        List.of("java.util.Map#get(Object)", "java.util.Map"), c.attributes().get("links"));
    assertEquals(
        "M.it(int)\nDoes it as well as it can be done by anyone.\nParameter x: the new x.\nReturns true if so.",
        chunk(chunks, "java.util.M#it(int)/0").text());
  }

  @Test
  void linksAreResolvedByTheNamesThatAreVisible() throws IOException {
    type(
        "Map",
        "/** A map. */ public interface Map<K, V> { V put(K k, V v); V put(K k); /** An entry. */ interface Entry<K, V> { K getKey(); } }");
    files.put("java.base/java/lang/String.java", "package java.lang; public class String {}");
    files.put("java.sql/java/sql/Date.java", "package java.sql; public class Date {}");
    files.put("java.base/java/io/File.java", "package java.io; public class File {}");
    type(
        "A",
        """
        import java.sql.Date;
        import java.io.*;
        /**
         * {@link Map} {@link Map#put(Object, Object)} {@linkplain Map#put one} {@link Map.Entry#getKey()}
         * {@link #run(java.util.Map)} {@link Inner} {@link A.Inner} {@link String} {@link Date#now}
         * {@link File} {@link java.io.File#list()} {@link java.base/java.util.Map} {@link java.io}
         * {@link Unknown#foo(int)} {@link #inherited(int, String)} {@link Map##anchor words} {@link Map<String, Integer>}
         * @see #run
         * @see "a book"
         * @see <a href="x">a page</a>
         */
        public class A {
          public void run(int x) {}
          public void run(Map<String, Integer> m) {}
          /** An inner thing: {@link #run(int)}, {@link #own}. */
          public class Inner { public void own() {} }
        }
        """);
    Chunks chunks = read();
    assertEquals(
        List.of(
            "java.util.Map",
            "java.util.Map#put(K,V)",
            "java.util.Map.Entry#getKey()",
            "java.util.A#run(Map)",
            "java.util.A.Inner",
            "java.lang.String",
            "java.sql.Date#now",
            "java.io.File",
            "java.io.File#list()",
            "java.io",
            "Unknown#foo(int)",
            "java.util.A#inherited(int,String)",
            "java.util.A#run(int)"),
        chunk(chunks, "java.util.A/0").attributes().get("links"));
    assertEquals(
        List.of("java.util.A#run(int)", "java.util.A.Inner#own()"),
        chunk(chunks, "java.util.A.Inner/0").attributes().get("links"));
  }

  @Test
  void shortCommentsOfNeighboursShareAChunkAndAreFoundByEachMember() throws IOException {
    type(
        "A",
        """
        /** A. */ public class A {
          /** Gets the name. */ public String getName() { return ""; }
          /** Gets the age. */ protected static <T extends Object> int getAge(T of, int... more) { return 0; }
          /** Does something that takes more than a few words to say. */ public void act() {}
          /** Gets the end. */ public int getEnd() { return 0; }
          /** Red. */ public static final int RED = 1;
          /** Green. */ public static final int GREEN = 2;
        }
        """);
    Chunks chunks = read();
    Chunk getters = chunk(chunks, "java.util.A#getName()/0");
    assertEquals(
        "A.getName() to getAge(T, int...)\nString getName(): Gets the name.\n"
            + "protected static <T extends Object> int getAge(T of, int... more): Gets the age.",
        getters.text());
    assertEquals(List.of("getName()", "getAge(T, int...)"), getters.attributes().get("member"));
    assertEquals(
        "A.getEnd()\nint getEnd(): Gets the end.", chunk(chunks, "java.util.A#getEnd()/0").text());
    assertEquals(
        "A.RED to GREEN\nstatic final int RED: Red.\nstatic final int GREEN: Green.",
        chunk(chunks, "java.util.A#RED/0").text());
  }

  @Test
  void membersThatErasureCannotTellApartGetDifferentIds() throws IOException {
    String words =
        " does the same thing for another type of argument than that one. */ public <T extends ";
    type(
        "A",
        "/** A. */ public class A { /** This one"
            + words
            + "Number> void f(T t) {} /** That one"
            + words
            + "String> void f(T t) {} }");
    assertEquals(List.of("java.util.A/0", "java.util.A#f(T)/0", "java.util.A#f(T)/1"), ids(read()));
  }

  @Test
  void inheritedAndHiddenAndMissingCommentsGiveNoChunk() throws IOException {
    type(
        "A",
        "public class A { /** {@inheritDoc} */ public void a() {} public void b() {} /** @hidden */ public void c() {} /** */ public void d() {} /** Long enough to be seen by all. \n * @hidden */ public void e() {} }");
    Chunks chunks = read();
    assertEquals(List.of(), ids(chunks));
    assertEquals(0, chunks.report().entries());
  }

  @Test
  void longCommentsAreCutAndLinksStayWithTheirPlace() throws IOException {
    String filler = "This is a sentence of exactly ten words for you. ".repeat(20);
    type(
        "A",
        "/** First {@link B}. "
            + filler
            + "<h2>Part two</h2><p>Second {@link C}. "
            + filler
            + "\n * @see D */ public class A {}");
    for (String t : List.of("B", "C", "D")) {
      type(t, "public class " + t + " {}");
    }
    List<Chunk> chunks = read().list();
    assertEquals(2, chunks.size());
    assertEquals(List.of("java.util.B", "java.util.D"), chunks.get(0).attributes().get("links"));
    assertEquals(List.of("java.util.C"), chunks.get(1).attributes().get("links"));
    assertTrue(
        chunks.get(1).text().startsWith("A (class in java.util) > Part two\nSecond C. This"),
        chunks.get(1).text());
    assertEquals("java.util.A/1", chunks.get(1).id());
  }

  @Test
  void otherScriptsSurvive() throws IOException {
    type("A", "/** 这是一个测试。第二句。 &#x1F600; مرحبا é e\u0301 */ public class A {}");
    assertEquals(
        "A (class in java.util)\n这是一个测试。第二句。 😀 مرحبا é e\u0301", read().list().getFirst().text());
  }

  @Test
  void aFileThatDoesNotParseIsReportedAndTheRestIsRead() throws IOException {
    type("Bad", "/** Before the error there is this. */ public class Bad { int x = ; }} nonsense");
    type("Good", "/** Fine and good as it is. */ public class Good {}");
    Chunks chunks = read();
    assertEquals(List.of("java.util.Bad/0", "java.util.Good/0"), ids(chunks));
    assertEquals(1, chunks.report().notes().size());
    assertTrue(
        chunks
            .report()
            .notes()
            .getFirst()
            .toString()
            .startsWith("java.base/java/util/Bad.java: read up to what"),
        chunks.report().notes().toString());
  }

  @Test
  void anyNumberOfThreadsGivesTheSameChunks() throws Exception {
    for (int i = 0; i < 100; i++) {
      type(
          "T" + i,
          "/** Type number "
              + i
              + " of them all. */ public class T"
              + i
              + " { /** Does what number "
              + i
              + " does, as long as it does it. */ public void f() {} }");
    }
    List<Chunk> first = read().list();
    assertEquals(200, first.size());
    assertEquals(first, read().list());
    JdkDocs docs = JdkDocs.of(dir.resolve("src.zip"), "99", List.of("java.util"));
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Chunks>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.add(pool.submit(() -> docs.chunks(ProgressListener.NONE)));
      }
      for (Future<Chunks> f : all) {
        assertEquals(first, f.get().list());
      }
    }
  }

  @Test
  void progressCountsFilesAndCancelStops() throws IOException {
    for (int i = 0; i < 40; i++) {
      type("T" + i, "/** Type. */ public class T" + i + " {}");
    }
    JdkDocs docs = JdkDocs.of(zip(), "99", List.of("java.util"));
    List<Long> seen = new ArrayList<>();
    docs.chunks(
        (stage, done, total) -> {
          assertEquals(40, total);
          seen.add(done);
          return true;
        });
    assertEquals(40, seen.getLast());
    assertThrows(CancellationException.class, () -> docs.chunks((stage, done, total) -> false));
  }

  @Test
  void theFingerprintChangesWithTheZipThePackagesAndTheVersion() throws IOException {
    type("A", "/** A. */ public class A {}");
    Path zip = zip();
    String print = JdkDocs.of(zip, "99", List.of("java.util")).fingerprint();
    assertTrue(print.matches("[0-9a-f]{32}"), print);
    assertEquals(print, JdkDocs.of(zip, "99", List.of("java.util")).fingerprint());
    assertNotEquals(print, JdkDocs.of(zip, "98", List.of("java.util")).fingerprint());
    assertNotEquals(print, JdkDocs.of(zip, "99", List.of("java.lang")).fingerprint());
    Files.setLastModifiedTime(zip, FileTime.fromMillis(1_000));
    assertNotEquals(print, JdkDocs.of(zip, "99", List.of("java.util")).fingerprint());
  }

  @Test
  void aJdkWithoutSourcesSaysWhatIsMissingAndTheOtherWay() {
    JdkDocs docs = JdkDocs.of(dir.resolve("none.zip"), "99", List.of("java.util"));
    for (IOException e :
        List.of(
            assertThrows(CorpusUnavailableException.class, docs::fingerprint),
            assertThrows(
                CorpusUnavailableException.class, () -> docs.chunks(ProgressListener.NONE)))) {
      assertTrue(e.getMessage().contains("none.zip is missing"), e.getMessage());
      assertTrue(e.getMessage().contains("-source"), e.getMessage());
      assertTrue(e.getMessage().contains("--corpus DIR"), e.getMessage());
    }
  }

  @Test
  void aZipWithoutThePackagesOrThatIsNoneSaysSo() throws IOException {
    Path zip = zip();
    IOException none =
        assertThrows(
            CorpusUnavailableException.class,
            () -> JdkDocs.of(zip, "99", List.of("java.util")).chunks(ProgressListener.NONE));
    assertTrue(none.getMessage().contains("has no sources of [java.util]"), none.getMessage());
    Files.writeString(zip, "this is no zip");
    IOException bad =
        assertThrows(
            IOException.class,
            () -> JdkDocs.of(zip, "99", List.of("java.util")).chunks(ProgressListener.NONE));
    assertTrue(bad.getMessage().contains("is not a readable zip file"), bad.getMessage());
  }

  @Test
  void wrongArgumentsAreNamed() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> JdkDocs.ofRunningJdk(List.of("java.util", "")))
            .getMessage();
    assertEquals("package is , allowed: a non-empty String", message);
    message =
        assertThrows(
                IllegalArgumentException.class, () -> new CorpusReport(-1, 0, List.of(), List.of()))
            .getMessage();
    assertEquals("files is -1, allowed: 0 to 2147483647", message);
  }

  @Test
  void aRuntimeWithoutTheCompilerSaysSo() throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path out = dir.resolve("out.txt");
    Process p =
        new ProcessBuilder(
                java.toString(),
                "--limit-modules",
                "java.base,java.logging,java.xml,java.desktop",
                "-cp",
                System.getProperty("java.class.path"),
                CorpusStats.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertEquals(1, p.waitFor());
    String said = Files.readString(out);
    boolean sources =
        Files.isRegularFile(Path.of(System.getProperty("java.home"), "lib", "src.zip"));
    assertTrue(said.contains(sources ? "module jdk.compiler" : "src.zip is missing"), said);
    assertTrue(said.contains("--corpus DIR"), said);
    assertFalse(said.contains("Exception"), said);
  }
}

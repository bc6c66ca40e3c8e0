package dev.petunia.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.Chunk;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs what the README shows. */
class ReadmeTest {
  private static final Path README = Path.of("..", "README.md").toAbsolutePath().normalize();

  @TempDir Path directory;

  @Test
  void theReadmeIsShortAndItsCodeBeginsEarly() throws IOException {
    List<String> lines = Files.readAllLines(README);
    assertTrue(lines.size() <= 150, lines.size() + " lines");
    int code = lines.indexOf("```java") + 1;
    assertTrue(code >= 1 && code <= 25, "the code begins at line " + code);
  }

  @Test
  void theReadmesCodeCompilesAndAnswers() throws Exception {
    String source =
        """
        import dev.petunia.core.*;
        import dev.petunia.onnx.*;
        import dev.petunia.retriever.*;
        import java.nio.file.Path;
        import java.util.*;
        public class Shown {
          public static void run(Path directory, List<Chunk> chunks) {
        %s
          }
        }
        """
            .formatted(javaBlocks().getFirst());
    compile(source);
    List<Chunk> chunks =
        List.of(
            new Chunk("files", "files", 0, "Files.readAllLines reads a file line by line."),
            new Chunk("charset", "files", 1, "The charset of a file's bytes is UTF-8 by default."),
            new Chunk("queue", "queue", 0, "A queue holds elements before they are processed."));
    PrintStream out = System.out;
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    System.setOut(new PrintStream(shown, true, StandardCharsets.UTF_8));
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {directory.toUri().toURL()}, ReadmeTest.class.getClassLoader())) {
      loader
          .loadClass("Shown")
          .getMethod("run", Path.class, List.class)
          .invoke(null, directory.resolve("index"), chunks);
    } finally {
      System.setOut(out);
    }
    List<String> lines = shown.toString(StandardCharsets.UTF_8).lines().toList();
    assertEquals(3, lines.size(), lines.toString());
    assertEquals("files  Files.readAllLines reads a file line by line.", lines.getFirst());
  }

  private static List<String> javaBlocks() throws IOException {
    List<String> blocks = new ArrayList<>();
    Matcher m =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(README));
    while (m.find()) {
      blocks.add(m.group(1));
    }
    return blocks;
  }

  private void compile(String source) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
    JavaFileObject file =
        new SimpleJavaFileObject(URI.create("string:///Shown.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    boolean ok =
        compiler
            .getTask(
                null,
                null,
                problems,
                List.of(
                    "-proc:none",
                    "-cp",
                    System.getProperty("java.class.path"),
                    "-d",
                    directory.toString()),
                null,
                List.of(file))
            .call();
    assertTrue(ok, () -> problems.getDiagnostics() + "\n" + source);
  }
}

package dev.petunia.examples.conversation.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.petunia.core.Chunk;
import dev.petunia.core.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The JDK that runs the tests, where it has its sources. */
class RunningJdkTest {
  private static final Path ZIP = Path.of(System.getProperty("java.home"), "lib", "src.zip");

  @BeforeEach
  void needsSources() {
    assumeTrue(Files.isRegularFile(ZIP), "this JDK has no lib/src.zip");
  }

  @Test
  void aPackageIsReadWhole() throws IOException {
    Chunks chunks =
        JdkDocs.ofRunningJdk(List.of("java.util.concurrent")).chunks(ProgressListener.NONE);
    Map<String, Chunk> byId = new HashMap<>();
    chunks.forEach(c -> assertFalse(byId.put(c.id(), c) != null, c.id() + " twice"));
    Map<String, Integer> next = new HashMap<>();
    for (Chunk c : chunks) {
      assertEquals(next.merge(c.entryId(), 1, Integer::sum) - 1, c.ordinal(), c.id());
      assertTrue(Scripts.words(c.text()) <= Chunker.LONGEST + 30, c.id());
    }
    assertEquals(List.of(), chunks.report().notes());
    assertTrue(chunks.report().entries() > 80, chunks.report().lines(0).toString());
    Chunk put = byId.get("java.util.concurrent.ConcurrentHashMap#computeIfAbsent(K,Function)/0");
    assertTrue(
        put.text()
            .startsWith("ConcurrentHashMap.computeIfAbsent(K, Function)\nIf the specified key"),
        put.text());
    assertTrue(
        put.text().contains("\nThrows NullPointerException if the specified key"), put.text());
    assertEquals("package-info", byId.get("java.util.concurrent/0").attributes().get("kind"));
  }

  @Test
  void noMarkupIsLeftOutsideOfCode() throws IOException {
    Pattern markup =
        Pattern.compile(
            "\\{@|</?(?:p|code|ul|li|em|b|i|tt|pre|a|sup)>|&(?:lt|gt|amp|nbsp|#\\d+);|\uFFFD");
    List<String> left = new ArrayList<>();
    for (Chunk c :
        JdkDocs.ofRunningJdk(List.of("java.util.concurrent", "java.time"))
            .chunks(ProgressListener.NONE)) {
      if (markup.matcher(c.text()).find()) {
        left.add(c.id());
      }
    }
    assertEquals(List.of(), left);
  }

  @Test
  void theScriptsAskAboutClassesThatAreThere() throws IOException {
    Set<String> names;
    try (ZipFile zip = new ZipFile(ZIP.toFile())) {
      names =
          zip.stream()
              .map(ZipEntry::getName)
              .filter(n -> n.startsWith("java.base/"))
              .map(n -> n.substring("java.base/".length()).replace('/', '.'))
              .filter(n -> JdkDocs.PACKAGES.stream().anyMatch(p -> n.startsWith(p + ".")))
              .collect(Collectors.toSet());
    }
    for (String script : List.of("smoke.txt", "followups.txt")) {
      List<String> lines = Files.readAllLines(Path.of("scripts", script));
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        if (line.startsWith("expect: ")) {
          String prefix = line.substring("expect: ".length());
          assertTrue(
              names.stream().anyMatch(n -> n.startsWith(prefix + ".")),
              script + " expects " + prefix + ", which is not in the corpus");
        } else if (!line.isBlank() && !line.startsWith("#")) {
          assertTrue(
              i + 1 < lines.size() && lines.get(i + 1).startsWith("expect: "),
              script + " expects nothing of: " + line);
        }
      }
    }
  }
}

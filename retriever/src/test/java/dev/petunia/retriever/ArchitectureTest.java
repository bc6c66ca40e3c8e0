package dev.petunia.retriever;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The import directions between modules. It lives here because this module sees all the others but
 * the examples and benchmarks, whose sources it reads instead.
 */
class ArchitectureTest {
  /** Which modules a module may import; each may import itself. A new module is added here. */
  private static final Map<String, Set<String>> MAY_IMPORT =
      new TreeMap<>(
          Map.of(
              "core", Set.of(),
              "hnsw", Set.of("core"),
              "lexical", Set.of("core"),
              "onnx", Set.of("core"),
              "rerank", Set.of("core", "onnx"),
              "dedup", Set.of("core"),
              "serendipity", Set.of("core"),
              "retriever",
                  Set.of("core", "hnsw", "lexical", "onnx", "rerank", "dedup", "serendipity")));

  /** Modules that must be on the class path; without this a rule could hold for no class at all. */
  private static final Set<String> BUILT =
      Set.of("core", "hnsw", "lexical", "onnx", "rerank", "dedup", "retriever");

  private static JavaClasses all;

  @BeforeAll
  static void importAllModules() {
    ImportOption noTests =
        location -> !location.contains("/test-classes/") && !location.contains("-tests.jar");
    all = new ClassFileImporter().withImportOption(noTests).importPackages("dev.petunia");
  }

  static Set<String> modules() {
    return MAY_IMPORT.keySet();
  }

  /** Core's internal package is shared on purpose; its descriptor says with whom. */
  static List<String> modulesButCore() {
    return MAY_IMPORT.keySet().stream().filter(m -> !m.equals("core")).toList();
  }

  @Test
  void everyModuleWasRead() {
    Map<String, Long> classes =
        all.stream()
            .collect(Collectors.groupingBy(ArchitectureTest::module, Collectors.counting()));
    for (String module : BUILT) {
      assertTrue(classes.getOrDefault(module, 0L) > 0, () -> module + " is missing: " + classes);
    }
    assertTrue(classes.getOrDefault("core", 0L) > 40, () -> "core is cut short: " + classes);
    assertTrue(all.contain("dev.petunia.core.internal.Checks"));
    assertTrue(
        all.get("dev.petunia.core.VectorEntry").getDirectDependenciesFromSelf().stream()
            .anyMatch(d -> d.getTargetClass().getName().equals("dev.petunia.core.internal.Checks")),
        "dependencies are read from the byte code");
  }

  @Test
  void everyClassBelongsToAModuleOfTheTable() {
    Set<String> unknown = new TreeSet<>();
    all.forEach(c -> unknown.add(module(c)));
    unknown.removeAll(MAY_IMPORT.keySet());
    assertEquals(Set.of(), unknown, "modules without a row in MAY_IMPORT");
  }

  @ParameterizedTest
  @MethodSource("modules")
  void aModuleImportsOnlyTheModulesBelowIt(String module) {
    Set<String> allowed = new TreeSet<>(MAY_IMPORT.get(module));
    allowed.add(module);
    String[] packages = allowed.stream().map(m -> "dev.petunia." + m + "..").toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage("dev.petunia." + module + "..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.petunia..")
                .and(DescribedPredicate.not(resideInAnyPackage(packages))))
        .as(module + " imports no Petunia module but " + MAY_IMPORT.get(module))
        .allowEmptyShould(!BUILT.contains(module))
        .check(all);
  }

  @Test
  void coreNeedsNothingButTheJdkAndJspecify() {
    onlyOn("core", "java..", "org.jspecify..", "dev.petunia.core..");
  }

  @Test
  void hnswNeedsNothingButCoreAndTheJdk() {
    onlyOn(
        "hnsw",
        "java..",
        "jdk.incubator.vector..",
        "org.jspecify..",
        "dev.petunia.core..",
        "dev.petunia.hnsw..");
  }

  @Test
  void dedupNeedsNothingButCoreAndTheJdk() {
    onlyOn("dedup", "java..", "org.jspecify..", "dev.petunia.core..", "dev.petunia.dedup..");
  }

  private static void onlyOn(String module, String... packages) {
    classes()
        .that()
        .resideInAPackage("dev.petunia." + module + "..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(packages)
        .check(all);
  }

  @ParameterizedTest
  @MethodSource("modulesButCore")
  void internalPackagesAreForTheirOwnModule(String module) {
    // Sessions and tokenizers are shared with the other module that runs models.
    String friend = module.equals("onnx") ? "rerank" : module;
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.petunia." + module + "..", "dev.petunia." + friend + "..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.petunia." + module + "..internal..")
        .check(all);
  }

  @Test
  void nothingImportsExamplesOrBenchmarks() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.petunia.examples..", "dev.petunia.benchmarks..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.petunia.examples..", "dev.petunia.benchmarks..")
        .check(all);
  }

  /** The examples show what users can do; users have no internal packages. */
  @Test
  void examplesUseNoInternalPackage() throws IOException {
    Pattern internal = Pattern.compile("dev\\.petunia\\.\\w+(\\.\\w+)*\\.internal\\b");
    Path sources = Path.of("..", "examples", "src", "main", "java");
    try (Stream<Path> files = Files.walk(sources)) {
      List<Path> java = files.filter(f -> f.toString().endsWith(".java")).toList();
      assertTrue(!java.isEmpty(), () -> "no sources in " + sources.toAbsolutePath());
      for (Path f : java) {
        assertTrue(
            !internal.matcher(Files.readString(f)).find(), () -> f + " uses an internal package");
      }
    }
  }

  private static String module(JavaClass c) {
    String[] parts = c.getPackageName().split("\\.", -1);
    return parts.length > 2 ? parts[2] : c.getName();
  }
}

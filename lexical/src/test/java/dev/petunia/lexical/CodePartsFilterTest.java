package dev.petunia.lexical;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CodePartsFilterTest {
  @Test
  void namesAreCutWhereTheirWordsBegin() {
    Map<String, List<String>> expected =
        Map.ofEntries(
            Map.entry("ConcurrentHashMap", List.of("Concurrent", "Hash", "Map")),
            Map.entry(
                "Files.readAllLines", List.of("Files", "readAllLines", "read", "All", "Lines")),
            Map.entry("MAX_VALUE", List.of("MAX", "VALUE")),
            Map.entry("snake_case_name", List.of("snake", "case", "name")),
            Map.entry("parseHTTPRequest", List.of("parse", "HTTP", "Request")),
            Map.entry("getURLs", List.of("get", "URLs")),
            Map.entry("Utf8Decoder", List.of("Utf8", "Decoder")),
            Map.entry("iPhone", List.of("Phone")),
            Map.entry("example.com", List.of("example", "com")),
            Map.entry("end.Next", List.of("end", "Next")),
            Map.entry("A.B.readAll", List.of("readAll", "read", "All")),
            Map.entry("ns:LocalName", List.of("ns", "LocalName", "Local", "Name")),
            Map.entry("ЧитатьВсё", List.of("Читать", "Всё")));
    expected.forEach(
        (name, parts) -> assertEquals(parts, List.copyOf(CodePartsFilter.parts(name)), name));
  }

  @Test
  void ordinaryWordsNumbersAndAcronymsStayWhole() {
    for (String word :
        List.of(
            "", "a", "word", "Word", "WORD", "DNAs", "URLs", "p53", "H2O", "IL2", "10.6.0", "3.14",
            "U.S.A", "中文", "__", ".", "I", "don't", "é", "1_000")) {
      assertEquals(List.of(), List.copyOf(CodePartsFilter.parts(word)), word);
    }
  }

  @Test
  void encodedDataIsNotCutByCase() {
    String data = "aB".repeat(40);
    assertEquals(List.of(), List.copyOf(CodePartsFilter.parts(data)));
    assertEquals(List.of("x", data).subList(1, 2), List.copyOf(CodePartsFilter.parts("x." + data)));
  }
}

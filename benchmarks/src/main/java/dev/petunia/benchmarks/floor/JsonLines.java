package dev.petunia.benchmarks.floor;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Reads gzipped files of a JSON object a line. */
public final class JsonLines {
  private static final JsonFactory JSON = new JsonFactory();

  private JsonLines() {}

  /** Hands over each line's object; fields that are null are left out. */
  public static void read(Path file, Consumer<Map<String, Object>> each) throws IOException {
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      for (String line; (line = in.readLine()) != null; ) {
        try (JsonParser p = JSON.createParser(line)) {
          p.nextToken();
          each.accept(object(p));
        }
      }
    }
  }

  private static Map<String, Object> object(JsonParser p) throws IOException {
    Map<String, Object> map = new LinkedHashMap<>();
    while (p.nextToken() != JsonToken.END_OBJECT) {
      String name = p.currentName();
      p.nextToken();
      Object value = value(p);
      if (value != null) {
        map.put(name, value);
      }
    }
    return map;
  }

  private static @Nullable Object value(JsonParser p) throws IOException {
    return switch (p.currentToken()) {
      case START_OBJECT -> object(p);
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>();
        while (p.nextToken() != JsonToken.END_ARRAY) {
          Object element = value(p);
          if (element != null) {
            list.add(element);
          }
        }
        yield list;
      }
      case VALUE_STRING -> p.getText();
      case VALUE_NUMBER_INT -> p.getLongValue();
      case VALUE_NUMBER_FLOAT -> p.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw new IOException("unexpected " + p.currentToken());
    };
  }
}

package dev.petunia.lexical;

import dev.petunia.core.CorruptIndexException;
import dev.petunia.core.internal.Checks;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a commit says of itself, kept as Lucene's user data.
 *
 * <pre>{@code
 * lexical.format     ChunkFormat.VERSION
 * lexical.analysis   name of the TextAnalysis
 * user.NAME          the caller's entry NAME
 * }</pre>
 *
 * @param analysis name of the analysis
 * @param user the caller's entries
 */
record CommitData(String analysis, Map<String, String> user) {
  private static final String VERSION_KEY = "lexical.format";
  private static final String ANALYSIS_KEY = "lexical.analysis";
  private static final String USER_PREFIX = "user.";

  CommitData {
    user = Map.copyOf(user);
  }

  /** Checks and copies what a caller wants to store. */
  static CommitData of(TextAnalysis analysis, Map<String, String> user) {
    Checks.present("userData", user)
        .forEach(
            (name, value) -> {
              Checks.id("userData name", name);
              Checks.wellFormed("userData." + name, value);
            });
    return new CommitData(analysis.name(), user);
  }

  Map<String, String> toLucene() {
    Map<String, String> all = new TreeMap<>();
    all.put(VERSION_KEY, ChunkFormat.VERSION);
    all.put(ANALYSIS_KEY, analysis);
    user.forEach((name, value) -> all.put(USER_PREFIX + name, value));
    return all;
  }

  static CommitData fromLucene(Place place, Map<String, String> committed) {
    String version = committed.get(VERSION_KEY);
    String analysis = committed.get(ANALYSIS_KEY);
    if (!ChunkFormat.VERSION.equals(version) || analysis == null) {
      throw new CorruptIndexException(
          place.path(),
          -1,
          version == null
              ? "a Lucene index, but not a lexical index of Petunia"
              : "the lexical index has format " + version + ", known: " + ChunkFormat.VERSION);
    }
    Map<String, String> user = new TreeMap<>();
    committed.forEach(
        (name, value) -> {
          if (name.startsWith(USER_PREFIX)) {
            user.put(name.substring(USER_PREFIX.length()), value);
          }
        });
    return new CommitData(analysis, user);
  }

  /** Refuses to go on with another analysis than the stored one. */
  CommitData require(TextAnalysis opened, Place place) {
    if (!opened.name().equals(analysis)) {
      throw Checks.bad(
          "analysis",
          opened.name(),
          "\"" + analysis + "\", with which the index in " + place.path() + " was written");
    }
    return this;
  }
}

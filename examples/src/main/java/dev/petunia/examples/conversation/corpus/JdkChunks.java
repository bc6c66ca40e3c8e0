package dev.petunia.examples.conversation.corpus;

import dev.petunia.core.Chunk;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the comments of one type into chunks.
 *
 * <p>Each comment gives its own chunks, each under a header that says what it is about: {@code
 * ConcurrentHashMap.computeIfAbsent(K, Function)}. The header is a part of the text, so that both
 * words and vectors see it. Comments of a few words would be all header; neighbours of the same
 * kind are put into one chunk, a line for each with its declaration.
 */
final class JdkChunks {
  /** Methods and constructors with fewer words than this are put together with such neighbours. */
  private static final int SHORT_METHOD = 8;

  /** Constants are read like a table, so they are put together up to a longer text. */
  private static final int SHORT_FIELD = 25;

  private final JdkType type;
  private final Links links;
  private final List<Chunk> chunks = new ArrayList<>();
  private final Map<String, Integer> used = new HashMap<>();

  private JdkChunks(JdkType type, Links links) {
    this.type = type;
    this.links = links;
  }

  /** The chunks of a type in the order of its source; none when nothing is documented. */
  static List<Chunk> of(JdkType type, Links links) {
    JdkChunks c = new JdkChunks(type, links);
    List<JdkType.Doc> group = new ArrayList<>();
    int groupWords = 0;
    for (JdkType.Doc doc : type.docs()) {
      int words = words(doc);
      int line = words + Scripts.words(doc.signature());
      boolean joins =
          isShort(doc, words) && !group.isEmpty() && group.getLast().kind().equals(doc.kind());
      if (!joins || groupWords + line > Chunker.TARGET) {
        c.add(group);
        groupWords = 0;
      }
      if (isShort(doc, words)) {
        group.add(doc);
        groupWords += line;
      } else if (words > 0) {
        c.add(doc);
      }
    }
    c.add(group);
    return c.chunks;
  }

  private static boolean isShort(JdkType.Doc doc, int words) {
    return switch (doc.kind()) {
      case "method", "constructor" -> words > 0 && words < SHORT_METHOD;
      case "field", "enum constant" -> words > 0 && words < SHORT_FIELD;
      default -> false;
    };
  }

  private static int words(JdkType.Doc doc) {
    return doc.blocks().stream().mapToInt(b -> Scripts.words(b.text())).sum();
  }

  /** A comment of its own. */
  private void add(JdkType.Doc doc) {
    boolean first = true;
    for (Chunker.Piece piece : Chunker.cut(doc.blocks())) {
      Set<String> refs = new LinkedHashSet<>(piece.links());
      if (first) {
        refs.addAll(doc.see());
      }
      first = false;
      StringBuilder text = new StringBuilder(header(doc));
      piece.section().forEach(h -> text.append(" > ").append(h));
      text.append(piece.text().isEmpty() ? "" : "\n").append(piece.text());
      add(doc.key(), List.of(doc.member()), doc.kind(), doc.since(), text.toString(), refs);
    }
  }

  /** Comments of a few words each: one chunk. Clears the list. */
  private void add(List<JdkType.Doc> group) {
    if (group.isEmpty()) {
      return;
    }
    JdkType.Doc first = group.getFirst();
    String last = group.getLast().member();
    StringBuilder text = new StringBuilder(header(first));
    text.append(group.size() > 1 ? " to " + last : "");
    Set<String> refs = new LinkedHashSet<>();
    String since = first.since();
    for (JdkType.Doc doc : group) {
      text.append('\n');
      if (group.size() > 1 || !doc.kind().equals("constructor")) {
        text.append(doc.signature()).append(": ");
      }
      StringBuilder line = new StringBuilder();
      for (Chunker.Piece piece : Chunker.cut(doc.blocks())) {
        line.append(line.isEmpty() ? "" : " ").append(piece.text().replace('\n', ' '));
        refs.addAll(piece.links());
      }
      refs.addAll(doc.see());
      text.append(line);
      since = since != null && since.equals(doc.since()) ? since : null;
    }
    List<String> members = group.stream().map(JdkType.Doc::member).toList();
    add(first.key(), members, first.kind(), since, text.toString(), refs);
    group.clear();
  }

  private String header(JdkType.Doc doc) {
    if (!doc.member().isEmpty()) {
      String in =
          doc.kind().equals("constructor") ? "new " + parent(type.name()) : type.name() + ".";
      return in + doc.member();
    }
    return switch (type.kind()) {
      case "module" -> "Module " + type.name();
      case "package-info" -> "Package " + type.packageName();
      default -> type.name() + " (" + type.kind() + " in " + type.packageName() + ")";
    };
  }

  /** {@code Map.} of {@code Map.Entry}; nothing of {@code Map}. */
  private static String parent(String name) {
    return name.substring(0, name.lastIndexOf('.') + 1);
  }

  private void add(
      String key,
      List<String> members,
      String kind,
      @Nullable String since,
      String text,
      Set<String> refs) {
    Map<String, Object> attributes = new TreeMap<>();
    put(attributes, "package", type.packageName());
    put(attributes, "class", type.name());
    put(attributes, "kind", kind);
    put(attributes, "since", since != null ? since : type.since());
    if (members.size() > 1) {
      attributes.put("member", members);
    } else {
      put(attributes, "member", members.getFirst());
    }
    Set<String> targets = new LinkedHashSet<>();
    refs.forEach(r -> targets.add(links.resolve(r, type)));
    if (!targets.isEmpty()) {
      attributes.put("links", List.copyOf(targets));
    }
    String base = type.entryId() + (key.isEmpty() ? "" : "#" + key) + "/";
    int number = used.merge(base, 1, Integer::sum) - 1;
    chunks.add(new Chunk(base + number, type.entryId(), chunks.size(), text, attributes));
  }

  private static void put(Map<String, Object> attributes, String name, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      attributes.put(name, value);
    }
  }
}

package dev.petunia.examples.conversation.corpus;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A public type, package or module with the comments found in it.
 *
 * @param packageName empty for a module
 * @param name as nested types are written, {@code Map.Entry}; empty for a package
 * @param kind class, interface, enum, record, annotation, package-info or module
 * @param since of the type itself; null when its comment doesn't say
 * @param imports qualified names, on-demand ones with their star; no static ones
 * @param docs in the order of the source; the type's own comment first, if it has one
 * @param members every public or protected member, documented or not, as {@code name(K,Function)}
 */
record JdkType(
    String packageName,
    String name,
    String kind,
    @Nullable String since,
    List<String> imports,
    List<Doc> docs,
    List<String> members) {

  /**
   * One comment.
   *
   * @param member empty for the type itself; {@code put(K, V)}, {@code MAX_VALUE}
   * @param kind of the type or member: method, constructor, field, enum constant
   * @param signature the declaration in one line, without annotations and body
   * @param since null when the comment doesn't say
   * @param blocks the text; may be empty
   * @param see targets of {@code @see}, as written
   */
  record Doc(
      String member,
      String kind,
      String signature,
      @Nullable String since,
      List<TextBlock> blocks,
      List<String> see) {
    Doc {
      blocks = List.copyOf(blocks);
      see = List.copyOf(see);
    }

    /** The member as ids and links write it: no spaces. */
    String key() {
      return member.replace(" ", "");
    }
  }

  JdkType {
    imports = List.copyOf(imports);
    docs = List.copyOf(docs);
    members = List.copyOf(members);
  }

  /** The fully qualified name; of a package or module its own name. */
  String entryId() {
    return name.isEmpty() ? packageName : packageName.isEmpty() ? name : packageName + "." + name;
  }

  /** Without the types around it. */
  String simpleName() {
    return name.substring(name.lastIndexOf('.') + 1);
  }
}

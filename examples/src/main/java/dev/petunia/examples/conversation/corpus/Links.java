package dev.petunia.examples.conversation.corpus;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Resolves references of documentation comments to {@code package.Outer.Inner#member(A,B)}, by the
 * names that are visible where they stand. Nothing is inherited: a member that the class doesn't
 * declare itself keeps the words of the reference, and a nested type that is only visible through a
 * supertype can't be resolved and keeps them as well.
 */
final class Links {
  private static final Pattern TYPE_ARGUMENTS = Pattern.compile("<[^<>]*>");

  private static final Pattern TYPE_VARIABLE = Pattern.compile("\\p{Lu}\\w?(?:\\[]|\\.\\.\\.)*");

  private final Map<String, Set<String>> topLevelTypes;
  private final Map<String, JdkType> types = new HashMap<>();

  /**
   * An index of names.
   *
   * @param topLevelTypes by package, of everything that may be referred to
   * @param types those whose nested types and members are known
   */
  Links(Map<String, Set<String>> topLevelTypes, List<JdkType> types) {
    this.topLevelTypes = topLevelTypes;
    types.forEach(t -> this.types.put(t.entryId(), t));
  }

  /** The target of a reference that stands in a comment of a type; the reference if unknown. */
  String resolve(String reference, JdkType from) {
    String ref = reference.substring(reference.indexOf('/') + 1).strip();
    int hash = ref.indexOf('#');
    if (hash < 0 && ref.indexOf('(') > 0) {
      return resolve("#" + ref, from);
    }
    String typeName = erase(hash < 0 ? ref : ref.substring(0, hash));
    String member = hash < 0 ? "" : ref.substring(hash + 1);
    if (typeName.isEmpty() && !member.startsWith("#")) {
      return here(member, from);
    }
    String type = typeName.isEmpty() ? from.entryId() : type(typeName, from);
    if (type == null) {
      return ref.isEmpty() ? reference : ref;
    }
    // Type##anchor is a place in the type's own comment
    boolean whole = member.isEmpty() || member.startsWith("#");
    return whole ? type : type + "#" + member(member, types.get(type));
  }

  /** A member of the type or, when only that has it, of a type around it. */
  private String here(String member, JdkType from) {
    String prefix = from.packageName().isEmpty() ? "" : from.packageName() + ".";
    for (String outer = from.name(); !outer.isEmpty(); outer = parent(outer)) {
      JdkType type = types.get(prefix + outer);
      String declared = member(member, type);
      if (type != null && type.members().contains(declared)) {
        return type.entryId() + "#" + declared;
      }
    }
    return from.entryId() + "#" + member(member, from);
  }

  private @Nullable String type(String name, JdkType from) {
    String prefix = from.packageName().isEmpty() ? "" : from.packageName() + ".";
    for (String outer = from.name(); !outer.isEmpty(); outer = parent(outer)) {
      if (types.containsKey(prefix + outer + "." + name)) {
        return prefix + outer + "." + name;
      }
      if (outer.equals(name) || outer.endsWith("." + name)) {
        return prefix + outer;
      }
    }
    int dot = name.indexOf('.');
    String first = dot < 0 ? name : name.substring(0, dot);
    String rest = dot < 0 ? "" : name.substring(dot);
    for (String i : from.imports()) {
      if (i.endsWith("." + first)) {
        return i + rest;
      }
    }
    if (isTopLevel(from.packageName(), first)) {
      return from.packageName() + "." + name;
    }
    for (String i : from.imports()) {
      String pkg = i.endsWith(".*") ? i.substring(0, i.length() - 2) : "";
      if (!pkg.isEmpty() && isTopLevel(pkg, first)) {
        return pkg + "." + name;
      }
    }
    if (isTopLevel("java.lang", first)) {
      return "java.lang." + name;
    }
    return isQualified(name) ? name : null;
  }

  private static String parent(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('.')));
  }

  private boolean isTopLevel(String pkg, String name) {
    return topLevelTypes.getOrDefault(pkg, Set.of()).contains(name);
  }

  /** A package, or a type with its package in front, known by its longest part that is one. */
  private boolean isQualified(String name) {
    if (topLevelTypes.containsKey(name)) {
      return true;
    }
    for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      int end = name.indexOf('.', dot + 1);
      String type = name.substring(dot + 1, end < 0 ? name.length() : end);
      if (isTopLevel(name.substring(0, dot), type)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The member as the class declares it. {@code put(Object, Object)} and {@code put} both mean
   * {@code put(K,V)}: references give erased types or, for the first of that name, none.
   */
  private static String member(String reference, @Nullable JdkType type) {
    int paren = reference.indexOf('(');
    String name = (paren < 0 ? reference : reference.substring(0, paren)).strip();
    List<String> params = paren < 0 ? null : params(reference.substring(paren));
    String written = params == null ? name : name + "(" + String.join(",", params) + ")";
    if (type == null) {
      return written;
    }
    if (type.members().contains(written)) {
      return written;
    }
    String simpleType = type.simpleName();
    String best = written;
    int bestScore = -1;
    for (String m : type.members()) {
      int open = m.indexOf('(');
      String declared = open < 0 ? m : m.substring(0, open);
      if (!declared.equals(name) && !(name.equals("<init>") && declared.equals(simpleType))) {
        continue;
      }
      int score =
          params == null ? 0 : score(params, open < 0 ? List.of() : params(m.substring(open)));
      if (score > bestScore) {
        best = m;
        bestScore = score;
      }
    }
    return best;
  }

  /** Parameters of equal type; −1 when the number or a type differs, but for type variables. */
  private static int score(List<String> wanted, List<String> declared) {
    if (wanted.size() != declared.size()) {
      return -1;
    }
    int equal = 0;
    for (int i = 0; i < wanted.size(); i++) {
      if (wanted.get(i).equals(declared.get(i))) {
        equal++;
      } else if (!TYPE_VARIABLE.matcher(declared.get(i)).matches()) {
        return -1;
      }
    }
    return equal;
  }

  /** {@code (java.util.Map<K, V> m, int...)} is Map and int... */
  private static List<String> params(String list) {
    String inside = erase(list).replaceAll("^\\(|\\).*$", "");
    List<String> params = new ArrayList<>();
    for (String p : inside.isBlank() ? new String[0] : inside.split(",", -1)) {
      String type = p.strip().replaceAll("\\s+(?=\\.\\.\\.|\\[)", "").replaceAll("\\s.*$", "");
      params.add(DocHtml.simple(type));
    }
    return params;
  }

  private static String erase(String type) {
    String s = type;
    for (String before = ""; !before.equals(s); ) {
      before = s;
      s = TYPE_ARGUMENTS.matcher(s).replaceAll("");
    }
    return s.strip();
  }
}

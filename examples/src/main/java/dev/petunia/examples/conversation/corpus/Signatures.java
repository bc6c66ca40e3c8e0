package dev.petunia.examples.conversation.corpus;

import com.sun.source.tree.AnnotatedTypeTree;
import com.sun.source.tree.ArrayTypeTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TypeParameterTree;
import com.sun.source.tree.VariableTree;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;

/** Names and declarations of members, from their syntax trees. */
final class Signatures {
  private Signatures() {}

  /** {@code computeIfAbsent(K, Function)}: parameter types without type arguments and packages. */
  static String name(MethodTree m, String typeName) {
    StringJoiner params = new StringJoiner(", ", "(", ")");
    for (VariableTree p : m.getParameters()) {
      String type = erased(p.getType());
      params.add(isVarArgs(p) ? type.substring(0, type.length() - 2) + "..." : type);
    }
    return simpleName(m, typeName) + params;
  }

  /** {@code static <T> List<T> of(T first, T... more)}. */
  static String declaration(MethodTree m, String typeName) {
    StringBuilder s = new StringBuilder(modifiers(m.getModifiers().getFlags()));
    List<? extends TypeParameterTree> types = m.getTypeParameters();
    if (!types.isEmpty()) {
      s.append(types.stream().map(Tree::toString).collect(Collectors.joining(", ", "<", "> ")));
    }
    if (m.getReturnType() != null) {
      s.append(plain(m.getReturnType())).append(' ');
    }
    StringJoiner params = new StringJoiner(", ", "(", ")");
    for (VariableTree p : m.getParameters()) {
      String type = plain(p.getType());
      String shown = isVarArgs(p) ? type.substring(0, type.length() - 2) + "..." : type;
      params.add(shown + " " + p.getName());
    }
    return s.append(simpleName(m, typeName)).append(params).toString();
  }

  /** {@code static final int MAX_VALUE}. */
  static String declaration(VariableTree v) {
    return modifiers(v.getModifiers().getFlags()) + plain(v.getType()) + " " + v.getName();
  }

  private static String simpleName(MethodTree m, String typeName) {
    return m.getName().contentEquals("<init>") ? typeName : m.getName().toString();
  }

  /** The syntax tree of {@code T...} is an array; only its text shows the difference. */
  private static boolean isVarArgs(VariableTree p) {
    return p.getType() instanceof ArrayTypeTree && p.toString().contains("...");
  }

  /** Those that a reader of a short description needs; public goes without saying. */
  private static String modifiers(Iterable<Modifier> flags) {
    StringBuilder s = new StringBuilder();
    for (Modifier f : flags) {
      switch (f) {
        case PROTECTED, STATIC, ABSTRACT, FINAL -> s.append(f).append(' ');
        default -> {}
      }
    }
    return s.toString();
  }

  private static String plain(Tree type) {
    return type instanceof AnnotatedTypeTree a
        ? plain(a.getUnderlyingType())
        : type.toString()
            .replaceAll("@\\w+(\\([^)]*\\))? ", "")
            .replace(",", ", ")
            .replace(",  ", ", ");
  }

  private static String erased(Tree type) {
    return switch (type) {
      case ParameterizedTypeTree p -> erased(p.getType());
      case ArrayTypeTree a -> erased(a.getType()) + "[]";
      case AnnotatedTypeTree a -> erased(a.getUnderlyingType());
      default -> DocHtml.simple(type.toString());
    };
  }
}

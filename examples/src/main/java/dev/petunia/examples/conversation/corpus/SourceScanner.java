package dev.petunia.examples.conversation.corpus;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.SnippetTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.TreePath;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javax.lang.model.element.Modifier;
import org.jspecify.annotations.Nullable;

/** Collects the documented API of one source file: public and protected types and members. */
final class SourceScanner {
  private final DocTrees trees;
  private final Function<SnippetTree, String> snippets;
  private final String packageName;
  private final List<String> imports = new ArrayList<>();
  private final List<JdkType> types = new ArrayList<>();

  private SourceScanner(
      CompilationUnitTree unit, DocTrees trees, Function<SnippetTree, String> snippets) {
    this.trees = trees;
    this.snippets = snippets;
    this.packageName = unit.getPackageName() == null ? "" : unit.getPackageName().toString();
    for (ImportTree i : unit.getImports()) {
      if (!i.isStatic() && !i.isModule()) {
        imports.add(i.getQualifiedIdentifier().toString());
      }
    }
  }

  /**
   * The types of a file in the order of the source, a nested type behind the one around it.
   *
   * @param unit a parsed file
   * @param trees of the same compiler task
   * @param snippets gives the lines of a snippet
   */
  static List<JdkType> scan(
      CompilationUnitTree unit, DocTrees trees, Function<SnippetTree, String> snippets) {
    SourceScanner s = new SourceScanner(unit, trees, snippets);
    TreePath root = new TreePath(unit);
    if (unit.getModule() != null) {
      s.single(
          new TreePath(root, unit.getModule()),
          "",
          unit.getModule().getName().toString(),
          "module");
    } else if (unit.getPackage() != null && isPackageInfo(unit)) {
      s.single(new TreePath(root, unit.getPackage()), s.packageName, "", "package-info");
    }
    for (Tree t : unit.getTypeDecls()) {
      if (t instanceof ClassTree c && s.isApi(c.getModifiers(), null)) {
        s.type(new TreePath(root, c), c, "");
      }
    }
    return s.types;
  }

  private static boolean isPackageInfo(CompilationUnitTree unit) {
    return unit.getSourceFile().getName().endsWith("package-info.java");
  }

  private void single(TreePath path, String pkg, String name, String kind) {
    JdkType.Doc doc = doc(path, "", kind, "", c -> null);
    if (doc != null) {
      types.add(new JdkType(pkg, name, kind, doc.since(), imports, List.of(doc), List.of()));
    }
  }

  private void type(TreePath path, ClassTree c, String outer) {
    String name = outer + c.getSimpleName();
    String kind = kind(c);
    Function<String, @Nullable String> constants = ref -> constant(c, ref);
    List<JdkType.Doc> docs = new ArrayList<>();
    JdkType.Doc own = doc(path, "", kind, kind + " " + name, constants);
    if (own != null) {
      docs.add(own);
    }
    List<String> members = new ArrayList<>();
    for (Tree t : c.getMembers()) {
      member(new TreePath(path, t), t, c, members, docs, constants);
    }
    types.add(
        new JdkType(
            packageName, name, kind, own == null ? null : own.since(), imports, docs, members));
    for (Tree t : c.getMembers()) {
      if (t instanceof ClassTree nested && isApi(nested.getModifiers(), c)) {
        type(new TreePath(path, nested), nested, name + ".");
      }
    }
  }

  private void member(
      TreePath path,
      Tree t,
      ClassTree c,
      List<String> members,
      List<JdkType.Doc> docs,
      Function<String, @Nullable String> constants) {
    String name;
    String kind;
    String signature;
    switch (t) {
      case MethodTree m when isApi(m.getModifiers(), c) -> {
        String typeName = c.getSimpleName().toString();
        name = Signatures.name(m, typeName);
        kind = m.getReturnType() == null ? "constructor" : "method";
        signature = Signatures.declaration(m, typeName);
      }
      case VariableTree v when isEnumConstant(v, c) -> {
        name = v.getName().toString();
        kind = "enum constant";
        signature = name;
      }
      case VariableTree v when isApi(v.getModifiers(), c) -> {
        name = v.getName().toString();
        kind = "field";
        signature = Signatures.declaration(v);
      }
      default -> {
        return;
      }
    }
    members.add(name.replace(" ", ""));
    Function<String, @Nullable String> here =
        ref -> constants.apply(ref.isEmpty() ? "#" + name : ref);
    JdkType.Doc doc = doc(path, name, kind, signature, here);
    if (doc != null) {
      docs.add(doc);
    }
  }

  private JdkType.@Nullable Doc doc(
      TreePath path,
      String member,
      String kind,
      String signature,
      Function<String, @Nullable String> constants) {
    DocCommentTree comment = trees.getDocCommentTree(path);
    if (comment == null) {
      return null;
    }
    DocHtml.Doc d = DocHtml.render(comment, snippets, constants);
    List<TextBlock> blocks = withoutEcho(HtmlBlocks.of(d.html()));
    return d.hidden() ? null : new JdkType.Doc(member, kind, signature, d.since(), blocks, d.see());
  }

  /** Many comments begin "Returns the name." and have "Returns the name." again for the tag. */
  private static List<TextBlock> withoutEcho(List<TextBlock> blocks) {
    if (blocks.isEmpty()) {
      return blocks;
    }
    TextBlock first = blocks.getFirst();
    String said = first.text().substring(0, Sentences.borders(first).get(1)).strip();
    List<TextBlock> rest = new ArrayList<>(blocks.subList(1, blocks.size()));
    rest.removeIf(b -> b.text().equals(said));
    rest.addFirst(first);
    return rest;
  }

  /** Public or protected; members of an interface are public when they don't say otherwise. */
  private boolean isApi(ModifiersTree modifiers, @Nullable ClassTree in) {
    var flags = modifiers.getFlags();
    if (flags.contains(Modifier.PUBLIC) || flags.contains(Modifier.PROTECTED)) {
      return true;
    }
    boolean ofInterface =
        in != null
            && (in.getKind() == Tree.Kind.INTERFACE || in.getKind() == Tree.Kind.ANNOTATION_TYPE);
    return ofInterface && !flags.contains(Modifier.PRIVATE);
  }

  /** Only an enum's own constants can have an initializer that makes an instance of it. */
  private static boolean isEnumConstant(VariableTree v, ClassTree c) {
    return c.getKind() == Tree.Kind.ENUM
        && v.getInitializer() instanceof NewClassTree n
        && n.getIdentifier() instanceof IdentifierTree type
        && type.getName().equals(c.getSimpleName());
  }

  private static String kind(ClassTree c) {
    return switch (c.getKind()) {
      case INTERFACE -> "interface";
      case ENUM -> "enum";
      case RECORD -> "record";
      case ANNOTATION_TYPE -> "annotation";
      default -> "class";
    };
  }

  /** The value of a constant of this class when its initializer is a literal. */
  private static @Nullable String constant(ClassTree c, String ref) {
    String name = ref.substring(ref.indexOf('#') + 1);
    boolean here =
        ref.startsWith("#") || ref.startsWith(c.getSimpleName() + "#") || ref.equals(name);
    for (Tree t : here ? c.getMembers() : List.<Tree>of()) {
      if (t instanceof VariableTree v && v.getName().contentEquals(name)) {
        return literal(v.getInitializer());
      }
    }
    return null;
  }

  private static @Nullable String literal(@Nullable ExpressionTree e) {
    return switch (e) {
      case LiteralTree l -> l.toString();
      case UnaryTree u when u.getExpression() instanceof LiteralTree -> u.toString();
      case null, default -> null;
    };
  }
}

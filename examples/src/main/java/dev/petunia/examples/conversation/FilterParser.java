package dev.petunia.examples.conversation;

import dev.petunia.core.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Reads a filter as a person types it.
 *
 * <pre>
 *   or    := and ("or" and)*
 *   and   := not ("and" not)*
 *   not   := "not" not | "(" or ")" | test
 *   test  := NAME OP value | NAME "in" "(" value ("," value)* ")"
 *          | NAME "contains" value | NAME "exists"
 *   OP    := == | = | != | &lt; | &lt;= | &gt; | &gt;=
 *   value := a word, a number, true, false, or 'text' or "text"
 * </pre>
 */
final class FilterParser {
  private final List<String> tokens;
  private final String text;
  private int at;

  private FilterParser(String text) {
    this.text = text;
    this.tokens = tokens(text);
  }

  /**
   * The filter that a text means.
   *
   * @throws IllegalArgumentException that says where it could not go on
   */
  static Filter parse(String text) {
    FilterParser p = new FilterParser(text);
    Filter f = p.or();
    if (p.at < p.tokens.size()) {
      throw p.error("the end, and, or");
    }
    return f;
  }

  private static List<String> tokens(String text) {
    List<String> tokens = new ArrayList<>();
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      int end = i + 1;
      if (Character.isWhitespace(c)) {
        i++;
        continue;
      } else if (c == '"' || c == '\'') {
        end = text.indexOf(c, i + 1) + 1;
        if (end == 0) {
          throw new IllegalArgumentException("the filter has a quote that is not closed: " + text);
        }
      } else if ("=!<>".indexOf(c) >= 0) {
        end = i + 1 < text.length() && text.charAt(i + 1) == '=' ? i + 2 : i + 1;
      } else if ("(),".indexOf(c) < 0) {
        while (end < text.length()
            && !Character.isWhitespace(text.charAt(end))
            && "=!<>(),\"'".indexOf(text.charAt(end)) < 0) {
          end++;
        }
      }
      tokens.add(text.substring(i, end));
      i = end;
    }
    return tokens;
  }

  private IllegalArgumentException error(String wanted) {
    String found = at < tokens.size() ? "\"" + tokens.get(at) + "\"" : "the end";
    return new IllegalArgumentException(
        "the filter \"" + text + "\" has " + found + " where " + wanted + " should be");
  }

  private boolean is(String word) {
    return at < tokens.size() && tokens.get(at).toLowerCase(Locale.ROOT).equals(word);
  }

  private boolean take(String word) {
    if (is(word)) {
      at++;
      return true;
    }
    return false;
  }

  private Filter or() {
    List<Filter> of = new ArrayList<>(List.of(and()));
    while (take("or")) {
      of.add(and());
    }
    return of.size() == 1 ? of.getFirst() : new Filter.Or(of);
  }

  private Filter and() {
    List<Filter> of = new ArrayList<>(List.of(not()));
    while (take("and")) {
      of.add(not());
    }
    return of.size() == 1 ? of.getFirst() : new Filter.And(of);
  }

  private Filter not() {
    if (take("not")) {
      return Filter.not(not());
    }
    if (take("(")) {
      Filter f = or();
      if (!take(")")) {
        throw error(")");
      }
      return f;
    }
    return test();
  }

  private Filter test() {
    if (at >= tokens.size() || !Character.isJavaIdentifierStart(tokens.get(at).charAt(0))) {
      throw error("the name of an attribute");
    }
    String name = tokens.get(at++);
    if (take("exists")) {
      return Filter.exists(name);
    }
    if (take("contains")) {
      return Filter.contains(name, String.valueOf(value()));
    }
    if (take("in")) {
      if (!take("(")) {
        throw error("(");
      }
      List<Object> values = new ArrayList<>(List.of(value()));
      while (take(",")) {
        values.add(value());
      }
      if (!take(")")) {
        throw error(", or )");
      }
      return Filter.in(name, values);
    }
    String op = at < tokens.size() ? tokens.get(at++) : "";
    return switch (op) {
      case "==", "=" -> Filter.eq(name, value());
      case "!=" -> Filter.ne(name, value());
      case "<" -> Filter.lt(name, value());
      case "<=" -> Filter.lte(name, value());
      case ">" -> Filter.gt(name, value());
      case ">=" -> Filter.gte(name, value());
      default -> {
        at--;
        throw error("==, !=, <, <=, >, >=, in, contains or exists");
      }
    };
  }

  private Object value() {
    if (at >= tokens.size() || "(),=!<>".indexOf(tokens.get(at).charAt(0)) >= 0) {
      throw error("a value");
    }
    String token = tokens.get(at++);
    if (token.charAt(0) == '"' || token.charAt(0) == '\'') {
      return token.substring(1, token.length() - 1);
    }
    if (token.equals("true") || token.equals("false")) {
      return Boolean.valueOf(token);
    }
    try {
      return Long.valueOf(token);
    } catch (NumberFormatException notWhole) {
      try {
        double d = Double.parseDouble(token);
        return Double.isFinite(d) ? (Object) d : token;
      } catch (NumberFormatException word) {
        return token;
      }
    }
  }
}

package dev.petunia.benchmarks.ann;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Recall against QPS of all systems as a drawing (SVG 1.1): up and to the right is better. One
 * measurement always gives one text.
 *
 * <p>Across, the share of the neighbours that was missed, on a logarithmic scale, labelled with the
 * recall: from 0.90 to 0.99 is as far as from 0.99 to 0.999. Without it, all that matters would lie
 * in the last tenth. The right edge stands for {@value #BEST} and more. Upwards QPS, logarithmic.
 * The background is drawn too, so that the text can be read on a page of any colour.
 */
final class CurvePlot {
  private static final double BEST = 0.9999;
  private static final double[] RECALLS = {
    0, 0.2, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, BEST
  };

  private static final int WIDTH = 900;
  private static final int HEIGHT = 540;
  private static final int LEFT = 80;
  private static final int RIGHT = 690;
  private static final int TOP = 50;
  private static final int BOTTOM = 480;

  private static final String TEXT = "#222222";
  private static final String GRID = "#dddddd";
  private static final String COMPARED = "#999999";

  /** A line's colour, its dashes, and the shape of its points. */
  private record Style(String colour, String dashes, char shape) {}

  /** One hue for each project; the more bits its codes have, the longer the dashes. */
  private static final Map<String, Style> STYLES =
      Map.ofEntries(
          Map.entry(Systems.PETUNIA, new Style("#b5179e", "", 'o')),
          Map.entry(Systems.INT8, new Style("#b5179e", "9 4", 's')),
          Map.entry(Systems.BITS2, new Style("#b5179e", "5 4", 'd')),
          Map.entry(Systems.BIT1, new Style("#b5179e", "2 3", 't')),
          Map.entry(Systems.SCALAR, new Style("#d98cc9", "", 'o')),
          Map.entry(Systems.HNSWLIB, new Style("#222222", "", 'o')),
          Map.entry(Systems.LUCENE, new Style("#1f6fb5", "", 'o')),
          Map.entry(Systems.LUCENE_INT8, new Style("#1f6fb5", "9 4", 's')),
          Map.entry(Systems.LUCENE_1BIT, new Style("#1f6fb5", "2 3", 't')),
          Map.entry(Systems.JVECTOR, new Style("#c8661a", "", 'o')),
          Map.entry(Systems.JVECTOR_PQ, new Style("#c8661a", "5 4", 'd')),
          Map.entry(Systems.JVECTOR_BQ, new Style("#c8661a", "2 3", 't')));

  private static final Style OTHER = new Style("#666666", "", 'o');

  private final List<SetResult.Row> rows;
  private final String title;
  private final StringBuilder out = new StringBuilder();
  private double leastX;
  private double mostX;
  private double leastY;
  private double mostY;

  private CurvePlot(SetResult result, String title) {
    this.rows = result.rows().stream().filter(r -> !r.cells().isEmpty()).toList();
    this.title = title;
  }

  /**
   * The text of the drawing.
   *
   * @param title above the drawing
   */
  static String svg(SetResult result, String title) {
    return new CurvePlot(result, title).draw();
  }

  private String draw() {
    range();
    out.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d"
                + " %d\" font-family=\"sans-serif\" font-size=\"13\">\n",
            WIDTH,
            HEIGHT,
            WIDTH,
            HEIGHT));
    line("<title>%s</title>", escape(title));
    line("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, HEIGHT);
    text(LEFT, 28, "start", title);
    axes();
    for (int i = 0; i < rows.size(); i++) {
      curve(rows.get(i));
      legend(rows.get(i), TOP + 8 + 24 * i);
    }
    return out.append("</svg>\n").toString();
  }

  /** The least range of labelled recalls, and of whole factors of QPS, that holds all points. */
  private void range() {
    double recall =
        rows.stream()
            .flatMap(r -> r.cells().stream())
            .mapToDouble(SetResult.Cell::recall)
            .min()
            .orElse(0);
    double from = 0;
    for (double label : RECALLS) {
      from = label <= recall && label < BEST ? label : from;
    }
    leastX = missed(from);
    mostX = missed(BEST);
    double[] qps =
        rows.stream()
            .flatMap(r -> r.cells().stream())
            .mapToDouble(SetResult.Cell::best)
            .sorted()
            .toArray();
    leastY = Math.log10(qps.length == 0 ? 1 : below(qps[0]));
    mostY = Math.log10(qps.length == 0 ? 10 : above(qps[qps.length - 1]));
  }

  private static double missed(double recall) {
    return -Math.log10(1 - Math.min(recall, BEST));
  }

  private double x(double recall) {
    return LEFT + (RIGHT - LEFT) * (missed(recall) - leastX) / (mostX - leastX);
  }

  private double y(double qps) {
    return BOTTOM - (BOTTOM - TOP) * (Math.log10(qps) - leastY) / (mostY - leastY);
  }

  private static double below(double value) {
    return steps(value).stream().filter(s -> s <= value).reduce((a, b) -> b).orElse(value);
  }

  private static double above(double value) {
    return steps(value).stream().filter(s -> s > value).findFirst().orElse(value * 2);
  }

  /** 1, 2, 5 and so on around a value. */
  private static List<Double> steps(double value) {
    double decade = Math.pow(10, Math.floor(Math.log10(value)));
    return List.of(decade, 2 * decade, 5 * decade, 10 * decade);
  }

  private void axes() {
    for (double recall : RECALLS) {
      if (missed(recall) >= leastX) {
        boolean compared = Arrays.stream(AnnMetrics.RECALLS).anyMatch(r -> r == recall);
        grid(x(recall), TOP, x(recall), BOTTOM, compared ? COMPARED : GRID);
        String label = String.valueOf(recall).replaceAll("\\.0$", "");
        text(x(recall), BOTTOM + 20, "middle", recall == BEST ? label + "+" : label);
      }
    }
    for (double decade = 1; Math.log10(decade) <= mostY; decade *= 10) {
      for (double step : new double[] {decade, 2 * decade, 5 * decade}) {
        if (Math.log10(step) >= leastY - 1e-9 && Math.log10(step) <= mostY + 1e-9) {
          grid(LEFT, y(step), RIGHT, y(step), GRID);
          text(LEFT - 8, y(step) + 4, "end", String.format(Locale.ROOT, "%,.0f", step));
        }
      }
    }
    text((LEFT + RIGHT) / 2.0, BOTTOM + 44, "middle", "recall@10");
    line(
        "<text x=\"20\" y=\"%d\" text-anchor=\"middle\" fill=\"%s\" transform=\"rotate(-90 20"
            + " %d)\">queries per second, one thread</text>",
        (TOP + BOTTOM) / 2, TEXT, (TOP + BOTTOM) / 2);
  }

  private void curve(SetResult.Row row) {
    List<SetResult.Cell> cells = new ArrayList<>(row.cells());
    cells.sort(Comparator.comparingInt(SetResult.Cell::ef));
    StringBuilder points = new StringBuilder();
    for (SetResult.Cell c : cells) {
      points.append(
          String.format(
              Locale.ROOT, "%s%.1f,%.1f", points.isEmpty() ? "" : " ", x(c.recall()), y(c.best())));
    }
    stroke(row, points.toString());
    for (SetResult.Cell c : cells) {
      point(row, x(c.recall()), y(c.best()));
    }
  }

  private void legend(SetResult.Row row, double y) {
    stroke(row, String.format(Locale.ROOT, "%d,%.1f %d,%.1f", RIGHT + 25, y, RIGHT + 75, y));
    point(row, RIGHT + 50.0, y);
    text(RIGHT + 85.0, y + 4, "start", row.system());
  }

  private static Style style(SetResult.Row row) {
    return STYLES.getOrDefault(row.system(), OTHER);
  }

  private void stroke(SetResult.Row row, String points) {
    Style style = style(row);
    line(
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>",
        points,
        style.colour,
        style.dashes.isEmpty() ? "" : " stroke-dasharray=\"" + style.dashes + "\"");
  }

  private void point(SetResult.Row row, double x, double y) {
    Style style = style(row);
    switch (style.shape) {
      case 's' ->
          line(
              "<rect x=\"%.1f\" y=\"%.1f\" width=\"7\" height=\"7\" fill=\"%s\"/>",
              x - 3.5, y - 3.5, style.colour);
      case 'd' ->
          line("<path d=\"M%.1f %.1f l5 5 l-5 5 l-5 -5 z\" fill=\"%s\"/>", x, y - 5, style.colour);
      case 't' -> line("<path d=\"M%.1f %.1f l5 9 h-10 z\" fill=\"%s\"/>", x, y - 5, style.colour);
      default -> line("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>", x, y, style.colour);
    }
  }

  private void grid(double x1, double y1, double x2, double y2, String colour) {
    line(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>",
        x1, y1, x2, y2, colour);
  }

  private void text(double x, double y, String anchor, String text) {
    line(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>",
        x, y, anchor, TEXT, escape(text));
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency
  private void line(String format, Object... arguments) {
    out.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}

package dev.petunia.benchmarks.ann;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class CurvePlotTest {
  private static SetResult result() {
    List<String> systems = new ArrayList<>(Systems.VARIANTS.values());
    systems.add(Systems.SCALAR);
    systems.addAll(Systems.PEERS);
    systems.add("another");
    List<SetResult.Row> rows = new ArrayList<>();
    for (int i = 0; i < systems.size(); i++) {
      SetResult.Row row = new SetResult.Row(systems.get(i), "made up");
      row.add(new SetResult.Cell(100, 0.95, List.of(900.0 + i)));
      row.add(new SetResult.Cell(10, 0.62 + 0.02 * i, List.of(9000.0 + i)));
      row.add(new SetResult.Cell(800, 1.0, List.of(73.0 + i)));
      rows.add(row);
    }
    return new SetResult("s", rows);
  }

  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<Element> elements(String svg, String tag) throws Exception {
    NodeList nodes = parsed(svg).getElementsByTagName(tag);
    List<Element> out = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      out.add((Element) nodes.item(i));
    }
    return out;
  }

  @Test
  void itIsWellFormedAndNamesEachSystemAndBothAxes() throws Exception {
    String svg = CurvePlot.svg(result(), "a <set> & more");
    List<String> texts = elements(svg, "text").stream().map(Element::getTextContent).toList();
    for (SetResult.Row row : result().rows()) {
      assertTrue(texts.contains(row.system()), row.system());
    }
    assertTrue(texts.contains("recall@10"));
    assertTrue(texts.contains("queries per second, one thread"));
    assertTrue(texts.contains("a <set> & more"));
  }

  @Test
  void oneMeasurementGivesOneDrawing() {
    assertEquals(CurvePlot.svg(result(), "t"), CurvePlot.svg(result(), "t"));
  }

  @Test
  void allPointsLieWithinTheAxesAndBetterIsUpAndRight() throws Exception {
    List<Element> lines = elements(CurvePlot.svg(result(), "t"), "polyline");
    assertEquals(2 * result().rows().size(), lines.size()); // each line and its legend
    for (int i = 0; i < lines.size(); i += 2) {
      double x = 0;
      double y = 0;
      for (String point : lines.get(i).getAttribute("points").split(" ", -1)) {
        double newX = Double.parseDouble(point.split(",", -1)[0]);
        double newY = Double.parseDouble(point.split(",", -1)[1]);
        assertTrue(newX > x && newY > y, "by rising ef the recall rises and the QPS falls");
        assertTrue(newX >= 80 && newX <= 690 && newY >= 50 && newY <= 480, point);
        x = newX;
        y = newY;
      }
      assertEquals(690, x, 0.05, "full recall is at the right edge");
    }
  }

  @Test
  void withoutAnyPointItIsStillADrawing() throws Exception {
    assertTrue(elements(CurvePlot.svg(new SetResult("s", List.of()), "t"), "line").size() > 1);
  }
}

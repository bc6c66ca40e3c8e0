package dev.petunia.rerank.internal.graph;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The projection of hidden states to logits, found by walking back from the output.
 *
 * <pre>{@code
 * hidden ─► [DynamicQuantizeLinear | Reshape] ─► node ─► [Cast, Mul, Add ...] ─► end ─► [Reshape, Identity] ─► output
 *   ▲        entry (the node itself when there is none)     between
 *   slice here
 * }</pre>
 *
 * @param node the projection
 * @param entry the node whose input {@code hidden} is sliced
 * @param hidden {@code [B, S, H]}
 * @param end the tensor that holds all logits
 * @param onlyCasts nothing but casts between {@code node} and {@code end}
 */
record Head(GraphNode node, GraphNode entry, String hidden, String end, boolean onlyCasts) {
  private static final Set<String> PROJECTIONS =
      Set.of(
          "MatMul",
          "Gemm",
          "MatMulNBits",
          "MatMulInteger",
          "MatMulIntegerToFloat",
          "DynamicQuantizeMatMul");

  /** How many nodes may follow a head. */
  private static final int REACH = 12;

  static Head find(OnnxFile file, String output) throws NotRewritable, IOException {
    String end = output;
    boolean reshaped = false;
    GraphNode last = file.producer(end);
    while (last != null && Set.of("Identity", "Reshape").contains(last.op())) {
      reshaped |= last.op().equals("Reshape");
      end = last.inputs().getFirst();
      last = file.producer(end);
    }
    List<GraphNode> between = new ArrayList<>();
    GraphNode head = search(file, end, REACH, between);
    if (head == null) {
      throw new NotRewritable(
          output
              + " comes from "
              + (last == null ? "no node" : "a " + last.op())
              + ", behind which there is none of "
              + PROJECTIONS);
    }
    if (!isWeight(file, head.inputs().get(1))) {
      throw new NotRewritable("the head's second input is no weight");
    }
    GraphNode entry = head;
    GraphNode before = file.producer(head.inputs().getFirst());
    boolean flattened = false;
    if (before != null && before.op().equals("DynamicQuantizeLinear")) {
      entry = before;
      before = file.producer(entry.inputs().getFirst());
    }
    if (before != null && before.op().equals("Reshape") && (reshaped || isGemm(head))) {
      if (!file.initializers.containsKey(before.inputs().get(1))) {
        throw new NotRewritable("the hidden states are reshaped by a computed shape");
      }
      entry = before;
      flattened = true;
    }
    if (reshaped != flattened || (isGemm(head) && !flattened)) {
      throw new NotRewritable("the head's input may have another shape than [batch, tokens, size]");
    }
    String hidden = entry.inputs().getFirst();
    if (file.initializers.containsKey(hidden)) {
      throw new NotRewritable("the head's first input is a weight");
    }
    Head found =
        new Head(
            head,
            entry,
            hidden,
            end,
            between.stream().allMatch(n -> n.op().equals("Cast") || n.op().equals("Identity")));
    found.checkNothingElseReads(file, output);
    return found;
  }

  private static boolean isGemm(GraphNode n) {
    return n.op().equals("Gemm");
  }

  /** Walks back through what works on each logit alone; {@code path} gets the nodes passed. */
  private static @Nullable GraphNode search(
      OnnxFile file, String tensor, int reach, List<GraphNode> path) {
    GraphNode n = file.producer(tensor);
    if (n == null || reach == 0) {
      return null;
    }
    if (PROJECTIONS.contains(n.op())) {
      return n;
    }
    int follow =
        switch (n.op()) {
          case "Cast", "Identity", "Div" -> 1;
          case "Mul", "Add" -> 2;
          default -> 0;
        };
    for (int i = 0; i < follow; i++) {
      List<GraphNode> further = new ArrayList<>(path);
      further.add(n);
      GraphNode head = search(file, n.inputs().get(i), reach - 1, further);
      if (head != null) {
        path.clear();
        path.addAll(further);
        return head;
      }
    }
    return null;
  }

  /** An initializer, or made of initializers only. */
  private static boolean isWeight(OnnxFile file, String tensor) {
    if (tensor.isEmpty() || file.initializers.containsKey(tensor)) {
      return true;
    }
    GraphNode n = file.producer(tensor);
    return n != null
        && !n.inputs().isEmpty()
        && Set.of("Transpose", "DequantizeLinear", "Cast", "Identity").contains(n.op())
        && n.inputs().stream().allMatch(i -> isWeight(file, i));
  }

  /** What is sliced for the head must not change any other output. */
  private void checkNothingElseReads(OnnxFile file, String output)
      throws NotRewritable, IOException {
    Map<String, List<GraphNode>> readers = new HashMap<>();
    for (GraphNode n : file.nodes) {
      n.inputs().forEach(i -> readers.computeIfAbsent(i, k -> new ArrayList<>()).add(n));
      n.outer().forEach(i -> readers.computeIfAbsent(i, k -> new ArrayList<>()).add(n));
    }
    Set<String> reached = new HashSet<>(entry.outputs());
    Deque<String> next = new ArrayDeque<>(entry.outputs());
    while (!next.isEmpty()) {
      for (GraphNode n : readers.getOrDefault(next.pop(), List.of())) {
        for (String o : n.outputs()) {
          if (reached.add(o)) {
            next.add(o);
          }
        }
      }
    }
    for (var declared : file.outputs) {
      String name = Wire.text(declared, 1);
      if (!name.equals(output) && reached.contains(name)) {
        throw new NotRewritable("output " + name + " is computed from the head's input too");
      }
    }
  }
}

package dev.petunia.hnsw;

import dev.petunia.core.Combine;
import dev.petunia.core.Diversify;
import dev.petunia.core.Similarity;
import dev.petunia.core.VectorQuery;
import dev.petunia.core.internal.Utf8Order;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The exact answer to a query, written down as plainly as the options are meant: in double
 * precision, with lists and sorts, one option after the other. It shares no code with the index but
 * {@link Similarity#score}, which defines the score.
 */
final class Oracle {
  /** Of the index under test; the oracle has no ef of its own. */
  static final int DEFAULT_EF = 100;

  private final Similarity similarity;
  private final Map<String, double[]> vectors = new LinkedHashMap<>();

  Oracle(Similarity similarity) {
    this.similarity = similarity;
  }

  /** An id with its combined distance. */
  record Found(String id, double distance, List<Double> targetDistances) {}

  void put(String id, float[] vector) {
    vectors.put(id, prepared(vector));
  }

  void delete(String id) {
    vectors.remove(id);
  }

  int size() {
    return vectors.size();
  }

  private double[] prepared(float[] v) {
    double length = 0;
    for (float x : v) {
      length += (double) x * x;
    }
    length = similarity == Similarity.COSINE ? Math.sqrt(length) : 1;
    double[] out = new double[v.length];
    for (int i = 0; i < v.length; i++) {
      out[i] = v[i] / length;
    }
    return out;
  }

  double distance(double[] a, double[] b) {
    double dot = 0;
    double squared = 0;
    for (int i = 0; i < a.length; i++) {
      dot += a[i] * b[i];
      squared += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return switch (similarity) {
      case COSINE -> 1 - dot;
      case DOT_PRODUCT -> 0 - dot; // not −0.0
      case EUCLIDEAN -> squared;
    };
  }

  double score(double distance) {
    return similarity.score((float) distance);
  }

  /** The similarity of two stored ids, as MMR sees it. */
  double alike(String a, String b) {
    return score(distance(vector(a), vector(b)));
  }

  private double[] vector(String id) {
    double[] v = vectors.get(id);
    if (v == null) {
      throw new AssertionError("no vector of " + id);
    }
    return v;
  }

  /** The whole page. */
  List<Found> search(VectorQuery query, Predicate<String> filter) {
    List<Found> order = ranked(query, filter);
    if (query.diversify().isPresent() && query.diversify().get().lambda() < 1) {
      order = diversified(query, order);
    }
    int from = Math.min(order.size(), query.offset());
    return order.subList(from, (int) Math.min(order.size(), (long) from + query.limit()));
  }

  /** All that may be served, nearest first. */
  List<Found> ranked(VectorQuery query, Predicate<String> filter) {
    Set<String> excluded = new HashSet<>();
    if (query.diversify().isPresent() && query.diversify().get().exclude()) {
      excluded.addAll(query.diversify().get().against());
    }
    List<Found> out = new ArrayList<>();
    for (String id : vectors.keySet()) {
      if (!excluded.contains(id) && filter.test(id)) {
        Found found = found(query, id);
        if (score(found.distance) >= query.minScore()) {
          out.add(found);
        }
      }
    }
    out.sort(
        Comparator.comparingDouble(Found::distance).thenComparing(Found::id, Utf8Order.COMPARATOR));
    return out;
  }

  private Found found(VectorQuery query, String id) {
    List<Double> each = new ArrayList<>();
    double sum = 0;
    double min = Double.POSITIVE_INFINITY;
    for (int t = 0; t < query.targetCount(); t++) {
      double d = distance(prepared(query.target(t)), vector(id));
      each.add(d);
      sum += query.weight(t) * d;
      min = Math.min(min, d);
    }
    return new Found(id, query.combine() == Combine.MIN ? min : sum, each);
  }

  static int pool(VectorQuery query) {
    Diversify diversify = query.diversify().orElseThrow();
    int ef = query.ef().orElse(DEFAULT_EF);
    return diversify.poolSize().orElse(Math.min(512, Math.max(ef, 4 * query.limit())));
  }

  private List<Found> diversified(VectorQuery query, List<Found> ranked) {
    Diversify diversify = query.diversify().orElseThrow();
    List<Found> left = new ArrayList<>(ranked.subList(0, Math.min(ranked.size(), pool(query))));
    List<String> selected = new ArrayList<>(); // ids whose like is penalised
    if (!diversify.exclude()) {
      diversify.against().stream().filter(vectors::containsKey).forEach(selected::add);
    }
    List<Found> out = new ArrayList<>();
    while (!left.isEmpty()) {
      Found best = left.getFirst();
      double bestValue = Double.NEGATIVE_INFINITY;
      for (Found candidate : left) {
        double value = value(diversify.lambda(), candidate, selected);
        if (value > bestValue) {
          best = candidate;
          bestValue = value;
        }
      }
      left.remove(best);
      selected.add(best.id);
      out.add(best);
    }
    return out;
  }

  /** What greedy selection maximises. */
  double value(double lambda, Found candidate, List<String> selected) {
    double closest = 0;
    for (String s : selected) {
      closest = Math.max(closest, alike(candidate.id, s));
    }
    return lambda * score(candidate.distance) - (1 - lambda) * closest;
  }
}

package dev.petunia.dedup;

import dev.petunia.core.internal.Checks;
import dev.petunia.core.internal.Utf8Order;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The index's edges, which follow from groups and pairs: in a group each chunk has one to the
 * earliest with the same raw text, or else to the earliest of the group; of a pair of groups the
 * earliest chunks have one.
 */
final class Edges implements EdgeStore {
  private final State state;
  private final Guard guard;

  Edges(State state, Guard guard) {
    this.state = state;
    this.guard = guard;
  }

  @Override
  public void forEach(Consumer<Edge> consumer) {
    Checks.present("consumer", consumer);
    guarded(
        () -> {
          for (int d = 0; d < state.ids.size(); d++) {
            if (!state.removed.get(d)) {
              fromEarlier(d, consumer);
            }
          }
        });
  }

  @Override
  public void forEachExpanded(Consumer<Edge> consumer) {
    Checks.present("consumer", consumer);
    guarded(
        () -> {
          for (int g = 0; g < state.groups(); g++) {
            int[] members = state.members(g);
            for (int i = 0; i < members.length; i++) {
              for (int j = 0; j < i; j++) {
                consumer.accept(within(members[j], members[i]));
              }
            }
            state.pairsOf(
                g,
                (p, other) -> {
                  if (state.pairA.get(p) == other) {
                    return; // comes with the other group
                  }
                  for (int a : members) {
                    for (int b : state.members(other)) {
                      consumer.accept(between(p, b, a));
                    }
                  }
                });
          }
        });
  }

  @Override
  public List<Edge> edgesOf(String chunkId) {
    Checks.present("chunkId", chunkId);
    List<Edge> out = new ArrayList<>();
    guarded(
        () -> {
          Integer d = state.live.get(chunkId);
          if (d != null && state.groupOf.get(d) != State.NONE) {
            ofGroup(state.groupOf.get(d), (earlier, later) -> earlier == d || later == d, out::add);
          }
        });
    return List.copyOf(out);
  }

  private void guarded(Runnable read) {
    guard.reading(
        () -> {
          read.run();
          return state;
        });
  }

  /** The edges between a chunk and earlier ones. */
  void fromEarlier(int doc, Consumer<Edge> consumer) {
    int g = state.groupOf.get(doc);
    if (g == State.NONE || state.removed.get(doc)) {
      return;
    }
    int first = state.first(g);
    if (first != doc) {
      int twin = state.earlierTwin(doc);
      consumer.accept(within(twin == State.NONE ? first : twin, doc));
    } else {
      pairEdges(g, doc, (earlier, later) -> later == doc, consumer);
    }
  }

  /** How many edges {@link #fromEarlier} tells of; makes none. */
  int countFromEarlier(int doc) {
    int g = state.groupOf.get(doc);
    if (g == State.NONE || state.removed.get(doc)) {
      return 0;
    }
    if (state.first(g) != doc) {
      return 1;
    }
    int[] n = new int[1];
    state.pairsOf(
        g,
        (p, other) -> {
          int o = state.first(other);
          n[0] += o != State.NONE && o < doc ? 1 : 0;
        });
    return n[0];
  }

  /** Those edges of a group's first chunk to others that are wanted. */
  private void pairEdges(int group, int first, Wanted wanted, Consumer<Edge> consumer) {
    state.pairsOf(
        group,
        (p, other) -> {
          int o = state.first(other);
          if (o != State.NONE && wanted.test(Math.min(o, first), Math.max(o, first))) {
            consumer.accept(between(p, Math.min(o, first), Math.max(o, first)));
          }
        });
  }

  /** Those edges inside a group and of its first chunk that are wanted. */
  void ofGroup(int group, Wanted wanted, Consumer<Edge> consumer) {
    int first = state.first(group);
    for (int d : state.members(group)) {
      if (d != first) {
        int twin = state.earlierTwin(d);
        int hub = twin == State.NONE ? first : twin;
        if (wanted.test(hub, d)) {
          consumer.accept(within(hub, d));
        }
      }
    }
    if (first != State.NONE) {
      pairEdges(group, first, wanted, consumer);
    }
  }

  /** Whether an edge is wanted. */
  interface Wanted {
    boolean test(int earlier, int later);
  }

  private Edge within(int earlier, int later) {
    int n = state.setSizes.get(state.groupOf.get(later));
    boolean isExact = state.shas.areSame(earlier, later);
    return edge(
        earlier,
        later,
        isExact ? EdgeMethod.EXACT_SHA256 : EdgeMethod.MINHASH_VERIFIED,
        new Overlap(n, n),
        state.runOf.get(later));
  }

  private Edge between(int pair, int earlier, int later) {
    int run =
        Math.max(
            state.pairRun.get(pair), Math.max(state.runOf.get(earlier), state.runOf.get(later)));
    return edge(earlier, later, EdgeMethod.MINHASH_VERIFIED, state.overlap(pair), run);
  }

  private Edge edge(int x, int y, EdgeMethod method, Overlap overlap, int run) {
    String a = state.ids.get(x);
    String b = state.ids.get(y);
    boolean inOrder = Utf8Order.compare(a, b) < 0;
    return new Edge(
        inOrder ? a : b,
        inOrder ? b : a,
        overlap.jaccard(),
        method,
        state.runs.id(run),
        Normalizer.VERSION,
        state.runs.createdAt(run),
        overlap);
  }
}

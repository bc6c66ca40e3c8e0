package dev.petunia.dedup;

import dev.petunia.core.internal.Checks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/** What a policy says of clusters, and what tells two chunks apart. */
final class Views {
  private final State state;
  private final Clusters clusters;
  private final PromotionPolicy policy;
  private final TextSource texts;
  private final Map<String, String> out = new HashMap<>();
  private final Map<String, String> kept = new HashMap<>();

  Views(State state, Sets sets, PromotionPolicy policy, TextSource texts) {
    this.state = state;
    this.clusters = new Clusters(state, sets);
    this.policy = policy;
    this.texts = texts;
  }

  SuppressionView all() {
    for (Cluster c : clusters.all()) {
      for (Cluster.Member m : c.members().subList(1, c.members().size())) {
        decide(c, m);
      }
    }
    return new SuppressionView(state.mapVersion, out, kept);
  }

  SuppressionView of(Collection<String> ids) {
    Map<Integer, Map<String, Cluster.Member>> members = new HashMap<>();
    Map<Integer, Cluster> described = new HashMap<>();
    for (String id : ids) {
      Integer d = state.live.get(Checks.id("ids", id));
      if (d == null || state.clusterSize(d) < 2 || state.canonical(d) == d) {
        continue;
      }
      int canonical = state.canonical(d);
      Cluster c = described.computeIfAbsent(canonical, clusters::describe);
      Map<String, Cluster.Member> byId =
          members.computeIfAbsent(
              canonical,
              ignored -> {
                Map<String, Cluster.Member> map = new HashMap<>();
                c.members().forEach(m -> map.put(m.id(), m));
                return map;
              });
      Cluster.Member m = byId.get(id);
      if (m == null) {
        throw new AssertionError(id + " is in the cluster of " + c.canonical());
      }
      decide(c, m);
    }
    return new SuppressionView(state.mapVersion, out, kept);
  }

  Places places(Collection<String> ids, BiPredicate<String, Places.Membership> isUndecided) {
    Map<String, Places.Membership> memberships = new HashMap<>();
    Set<String> unknown = new HashSet<>();
    List<String> undecided = new ArrayList<>();
    for (String id : ids) {
      Integer d = state.live.get(Checks.id("ids", id));
      if (d == null) {
        unknown.add(id);
      } else if (state.clusterSize(d) > 1) {
        Places.Membership m =
            new Places.Membership(state.ids.get(state.canonical(d)), state.clusterVersion(d));
        memberships.put(id, m);
        if (isUndecided.test(id, m)) {
          undecided.add(id);
        }
      }
    }
    return new Places(memberships, of(undecided), unknown);
  }

  private void decide(Cluster c, Cluster.Member m) {
    PromotionPolicy.Decision d =
        policy.decide(
            new PromotionPolicy.Candidate(
                c, m, said(c.canonical(), m.id()), () -> difference(c.canonical(), m.id())));
    if (d.isSuppressed()) {
      out.put(m.id(), c.canonical());
    } else {
      kept.put(m.id(), d.reason());
    }
  }

  private Optional<Boolean> said(String a, String b) {
    Integer x = state.live.get(a);
    Integer y = state.live.get(b);
    return x == null || y == null ? Optional.empty() : Optional.ofNullable(state.verdict(x, y));
  }

  private Optional<Difference> difference(String a, String b) {
    String x = texts.text(a);
    String y = texts.text(b);
    return x == null || y == null ? Optional.empty() : Optional.of(Differences.of(state, x, y));
  }

  static Explanation explain(State state, Sets sets, Lsh lsh, int a, int b, TextSource texts) {
    String chunkA = state.ids.get(a);
    String chunkB = state.ids.get(b);
    String x = text("chunkA", chunkA, texts);
    String y = text("chunkB", chunkB, texts);
    int ga = state.groupOf.get(a);
    int gb = state.groupOf.get(b);
    boolean canCompare = ga != State.NONE && gb != State.NONE;
    long[] sa = canCompare ? sets.set(ga) : new long[0];
    long[] sb = canCompare ? sets.set(gb) : new long[0];
    return new Explanation(
        chunkA,
        chunkB,
        Clusters.overlap(sa, sb),
        Arrays.equals(state.shas.get(a), state.shas.get(b)),
        canCompare && Lsh.shareABand(lsh.keys(sa), lsh.keys(sb)),
        canCompare && state.canonical(a) == state.canonical(b)
            ? Optional.of(state.ids.get(state.canonical(a)))
            : Optional.empty(),
        Differences.of(state, x, y));
  }

  private static String text(String field, String id, TextSource texts) {
    String text = texts.text(id);
    if (text == null) {
      throw Checks.bad(field, id, "an id whose text the source knows");
    }
    return text;
  }
}

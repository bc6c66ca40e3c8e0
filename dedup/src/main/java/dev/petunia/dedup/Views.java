package dev.petunia.dedup;

import dev.petunia.core.internal.Checks;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What a policy says of clusters, and what tells two chunks apart. */
final class Views {
  private final State state;
  private final Clusters clusters;
  private final PromotionPolicy policy;
  private final TextSource texts;
  private final Map<String, String> out = new HashMap<>();
  private final Map<String, String> kept = new HashMap<>();
  private @Nullable Differences last; // of the canonical chunk that was compared last

  Views(State state, Sets sets, PromotionPolicy policy, TextSource texts) {
    this.state = state;
    this.clusters = new Clusters(state, sets);
    this.policy = policy;
    this.texts = texts;
  }

  SuppressionView all() {
    clusters.all().forEach(c -> decide(c, id -> true));
    return view();
  }

  Places places(Collection<String> ids, BiPredicate<String, Places.Membership> isUndecided) {
    Map<String, Places.Membership> memberships = new HashMap<>();
    Set<String> unknown = new HashSet<>();
    Set<String> undecided = new HashSet<>();
    Set<Integer> canonicals = new HashSet<>();
    for (String id : ids) {
      Integer d = state.live.get(Checks.id("ids", id));
      if (d == null) {
        unknown.add(id);
      } else if (state.clusterSize(d) > 1) {
        int canonical = state.canonical(d);
        Places.Membership m =
            new Places.Membership(state.ids.get(canonical), state.clusterVersion(d));
        memberships.put(id, m);
        if (isUndecided.test(id, m) && canonical != d) {
          undecided.add(id);
          canonicals.add(canonical);
        }
      }
    }
    canonicals.forEach(c -> decide(clusters.describe(c), undecided::contains));
    return new Places(memberships, view(), unknown);
  }

  private SuppressionView view() {
    return new SuppressionView(state.mapVersion, out, kept);
  }

  /** About those of a cluster's members that are asked for and not canonical. */
  private void decide(Cluster c, Predicate<String> isAsked) {
    for (Cluster.Member m : c.members().subList(1, c.members().size())) {
      if (isAsked.test(m.id())) {
        decide(c, m);
      }
    }
  }

  private void decide(Cluster c, Cluster.Member m) {
    PromotionPolicy.Decision d =
        policy.decide(
            new PromotionPolicy.Candidate(
                c, m, said(c.canonical(), m.id()), () -> difference(c.canonical(), m.id())));
    if (d == null) {
      throw new IllegalStateException(
          "the promotion policy decided null about chunk \"" + m.id() + "\", allowed: a decision");
    }
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
    Integer docA = state.live.get(a);
    Integer docB = state.live.get(b);
    if (docA != null && docB != null && Arrays.equals(state.shas.get(docA), state.shas.get(docB))) {
      return Optional.of(Difference.NONE); // of thousands of equal texts none is read
    }
    String x = texts.text(a);
    String y = texts.text(b);
    if (x == null || y == null) {
      return Optional.empty();
    }
    Differences of = last;
    if (of == null || !of.isOf(x)) {
      of = new Differences(state, x);
      last = of;
    }
    return Optional.of(of.from(y));
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
        new Differences(state, x).from(y));
  }

  private static String text(String field, String id, TextSource texts) {
    String text = texts.text(id);
    if (text == null) {
      throw Checks.bad(field, id, "an id whose text the source knows");
    }
    return text;
  }
}

package dev.petunia.dedup;

import dev.petunia.core.internal.Utf8Order;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known, in tables by number. Chunks with equal shingle sets form a group; pairs are facts
 * about two groups' sets and stay true whoever comes or goes. Edges and clusters follow from
 * groups, pairs, and who is there. Numbers grow in the order of ingest and are not used twice.
 *
 * <p>Not safe for use by many threads; {@link DedupIndex} guards it.
 */
final class State {
  /** A chunk without shingles is in no group. */
  static final int NONE = -1;

  // chunks
  final List<String> ids = new ArrayList<>();
  final LongList sequences = new LongList();
  final IntTable groupOf = new IntTable();
  final IntTable runOf = new IntTable();
  final Hashes shas = new Hashes();
  final BitSet removed = new BitSet();
  private final IntTable nextInGroup = new IntTable();
  final LiveIds live = new LiveIds(ids);

  /** Chunks by the first 64 bits of their SHA-256, in chains from the earliest on. */
  private final LongTable byText = new LongTable();

  private final IntTable firstByText = new IntTable();
  private final IntTable lastByText = new IntTable();
  private final IntTable nextByText = new IntTable();

  // groups
  final IntTable setSizes = new IntTable();
  final IntTable tokenCounts = new IntTable();
  final IntTable setSums = new IntTable();
  private final LongTable fingerprints = new LongTable();
  private final IntTable groupByFingerprint = new IntTable();
  private final IntTable nextByFingerprint = new IntTable();
  private final IntTable firstDoc = new IntTable();
  private final IntTable lastDoc = new IntTable();

  /** Of the chunks in the group's chain: how many are there, and how many were removed. */
  private final IntTable liveDocs = new IntTable();

  private final IntTable deadDocs = new IntTable();
  private final IntTable pairHead = new IntTable();

  /** The canonical chunk of the group's cluster, and how many chunks are in that. */
  private final IntTable label = new IntTable();

  private final IntTable labelSize = new IntTable();

  /** When the group's cluster was last looked at again, by {@link #lastLabelling}. */
  private final LongList labelled = new LongList();

  private long lastLabelling;

  // pairs: group a > group b
  final IntTable pairA = new IntTable();
  final IntTable pairB = new IntTable();
  final IntTable pairInter = new IntTable();
  final IntTable pairUnion = new IntTable();
  final IntTable pairRun = new IntTable();
  private final IntTable pairNextA = new IntTable();
  private final IntTable pairNextB = new IntTable();

  final Runs runs = new Runs();

  /** In how many groups each token is, by the token's hash. */
  final LongTable tokens = new LongTable();

  final IntTable tokenGroups = new IntTable();

  /** The group that a token was last counted for, so that a text counts it once. */
  final IntTable tokenLastGroup = new IntTable();

  /** The last answer about two chunks, by their ids in order. */
  final Map<List<String>, Verdict> verdicts = new HashMap<>();

  long mapVersion;
  long nextSequence;

  /** What the caller gave the last commit. */
  long mark;

  int groups() {
    return setSizes.size();
  }

  int addGroup(long fingerprint, int setSize, int tokenCount, int setSum) {
    int g = setSizes.size();
    setSizes.add(setSize);
    tokenCounts.add(tokenCount);
    setSums.add(setSum);
    firstDoc.add(NONE);
    lastDoc.add(NONE);
    liveDocs.add(0);
    deadDocs.add(0);
    pairHead.add(NONE);
    label.add(NONE);
    labelSize.add(0);
    labelled.add(0);
    int f = fingerprints.add(fingerprint);
    if (f == groupByFingerprint.size()) {
      groupByFingerprint.add(NONE);
    }
    nextByFingerprint.add(groupByFingerprint.get(f));
    groupByFingerprint.set(f, g);
    return g;
  }

  /** The group with exactly this set, or {@link #NONE}. */
  int findGroup(long fingerprint, long[] set, HotJoin.SetSource sets) {
    int f = fingerprints.find(fingerprint);
    int g = f < 0 ? NONE : groupByFingerprint.get(f);
    while (g != NONE && !Arrays.equals(sets.set(g), set)) {
      g = nextByFingerprint.get(g);
    }
    return g;
  }

  int addDoc(String id, long sequence, int group, int run, byte[] sha) {
    int d = ids.size();
    ids.add(id);
    sequences.add(sequence);
    groupOf.add(group);
    runOf.add(run);
    shas.add(sha);
    nextInGroup.add(NONE);
    live.add(d);
    nextByText.add(NONE);
    int t = byText.add(prefix(sha));
    if (t == firstByText.size()) {
      firstByText.add(d);
      lastByText.add(d);
    } else {
      nextByText.set(lastByText.get(t), d);
      lastByText.set(t, d);
    }
    nextSequence = sequence + 1;
    if (group != NONE) {
      if (firstDoc.get(group) == NONE) {
        firstDoc.set(group, d);
      } else {
        nextInGroup.set(lastDoc.get(group), d);
      }
      lastDoc.set(group, d);
      liveDocs.set(group, liveDocs.get(group) + 1);
    }
    return d;
  }

  private static long prefix(byte[] sha) {
    return ByteBuffer.wrap(sha).getLong();
  }

  /** The earliest chunk that is there with the same raw text and came before, or {@link #NONE}. */
  int earlierTwin(int doc) {
    int t = byText.find(prefix(shas.get(doc)));
    int d = firstByText.get(t);
    while (removed.get(d) && d < doc) {
      d = nextByText.get(d);
      firstByText.set(t, d); // removed chunks never come back
    }
    while (d < doc && (removed.get(d) || !shas.areSame(d, doc))) {
      d = nextByText.get(d);
    }
    return d < doc ? d : NONE;
  }

  void removeDoc(int d) {
    removed.set(d);
    live.remove(d);
    int g = groupOf.get(d);
    if (g != NONE) {
      liveDocs.set(g, liveDocs.get(g) - 1);
      deadDocs.set(g, deadDocs.get(g) + 1);
      if (deadDocs.get(g) > liveDocs.get(g) + 16) {
        unlinkDead(g); // as many steps as were removed since the last time
      }
    }
  }

  /** Takes removed chunks out of a group's chain, so that walks over it don't pass them. */
  private void unlinkDead(int group) {
    int before = NONE;
    for (int d = firstDoc.get(group); d != NONE; d = nextInGroup.get(d)) {
      if (removed.get(d)) {
        continue;
      }
      if (before == NONE) {
        firstDoc.set(group, d);
      } else {
        nextInGroup.set(before, d);
      }
      before = d;
    }
    if (before == NONE) {
      firstDoc.set(group, NONE);
    } else {
      nextInGroup.set(before, NONE);
    }
    lastDoc.set(group, before);
    deadDocs.set(group, 0);
  }

  void addVerdict(Verdict v) {
    verdicts.put(List.of(v.chunkA(), v.chunkB()), v);
  }

  /** What a person said about two chunks with the texts that they have now. */
  @Nullable Boolean verdict(int x, int y) {
    boolean inOrder = Utf8Order.compare(ids.get(x), ids.get(y)) < 0;
    int a = inOrder ? x : y;
    int b = inOrder ? y : x;
    Verdict v = verdicts.get(List.of(ids.get(a), ids.get(b)));
    if (v == null || !shas.isSame(a, v.shaA()) || !shas.isSame(b, v.shaB())) {
      return null;
    }
    return v.isSame();
  }

  void addPair(int a, int b, int inter, int union, int run) {
    int p = pairA.size();
    pairA.add(a);
    pairB.add(b);
    pairInter.add(inter);
    pairUnion.add(union);
    pairRun.add(run);
    pairNextA.add(pairHead.get(a));
    pairHead.set(a, p);
    pairNextB.add(pairHead.get(b));
    pairHead.set(b, p);
  }

  Overlap overlap(int pair) {
    return new Overlap(pairInter.get(pair), pairUnion.get(pair));
  }

  /** The pairs of a group, the newest first. */
  void pairsOf(int group, PairVisitor visitor) {
    for (int p = pairHead.get(group); p != NONE; ) {
      boolean isA = pairA.get(p) == group;
      visitor.visit(p, isA ? pairB.get(p) : pairA.get(p));
      p = isA ? pairNextA.get(p) : pairNextB.get(p);
    }
  }

  /** Takes pairs. */
  interface PairVisitor {
    void visit(int pair, int other);
  }

  /** The earliest chunk of a group that is there, or {@link #NONE}; it stands for the group. */
  int first(int group) {
    int d = firstDoc.get(group);
    while (d != NONE && removed.get(d)) {
      d = nextInGroup.get(d);
      firstDoc.set(group, d); // removed chunks never come back
    }
    return d;
  }

  /** The chunks of a group that are there, earliest first. */
  int[] members(int group) {
    IntList out = new IntList(Math.max(1, liveDocs.get(group)));
    for (int d = firstDoc.get(group); d != NONE; d = nextInGroup.get(d)) {
      if (!removed.get(d)) {
        out.add(d);
      }
    }
    return out.toArray();
  }

  int canonical(int doc) {
    int g = groupOf.get(doc);
    return g == NONE ? doc : label.get(g);
  }

  /** Another number when something about the chunk's cluster may have changed. */
  long clusterVersion(int doc) {
    int g = groupOf.get(doc);
    return g == NONE ? 0 : labelled.get(g);
  }

  int clusterSize(int doc) {
    int g = groupOf.get(doc);
    return g == NONE ? 1 : labelSize.get(g);
  }

  /** The groups of a cluster, in order, from one of them that has members. */
  int[] component(int group) {
    if (pairHead.get(group) == NONE) {
      return new int[] {group};
    }
    IntList found = new IntList();
    BitSet seen = new BitSet();
    seen.set(group);
    found.add(group);
    for (int i = 0; i < found.size(); i++) {
      pairsOf(
          found.get(i),
          (p, other) -> {
            if (!seen.get(other) && first(other) != NONE) {
              seen.set(other);
              found.add(other);
            }
          });
    }
    found.sort();
    return found.toArray();
  }

  /**
   * Brings the labels of the clusters around these groups up to date.
   *
   * @return canonical chunks that have lost that place to another
   */
  List<CanonicalChange> relabel(int[] touched) {
    Set<CanonicalChange> changes = new LinkedHashSet<>();
    BitSet seen = new BitSet();
    boolean isChanged = false;
    for (int start : touched) {
      if (seen.get(start)) {
        continue;
      }
      if (first(start) == NONE) {
        isChanged |= labelSize.get(start) > 1;
        label.set(start, NONE);
        labelSize.set(start, 0);
        continue;
      }
      int[] component = component(start);
      int least = Integer.MAX_VALUE;
      int size = 0;
      for (int g : component) {
        seen.set(g);
        least = Math.min(least, first(g));
        size += liveDocs.get(g);
      }
      lastLabelling++;
      for (int g : component) {
        labelled.set(g, lastLabelling);
        int old = label.get(g);
        isChanged |= (old != least || labelSize.get(g) != size) && size + labelSize.get(g) > 1;
        if (old != NONE && old != least && labelSize.get(g) > 1) {
          changes.add(new CanonicalChange(ids.get(old), ids.get(least)));
        }
        label.set(g, least);
        labelSize.set(g, size);
      }
    }
    mapVersion += isChanged ? 1 : 0;
    return List.copyOf(changes);
  }

  /** A group and those that it has pairs with. */
  int[] around(int group) {
    IntList out = new IntList();
    out.add(group);
    pairsOf(group, (p, other) -> out.add(other));
    return out.toArray();
  }

  /** Labels all groups, as after reading them; no change of what stands for what. */
  void relabelAll() {
    long version = mapVersion;
    int[] all = new int[groups()];
    Arrays.setAll(all, i -> i);
    var ignored = relabel(all);
    assert ignored.isEmpty() : ignored;
    mapVersion = version;
  }

  /** Something was said of these chunks: their clusters get another version. */
  void touch(int... docs) {
    for (int d : docs) {
      int g = groupOf.get(d);
      if (g != NONE) {
        var ignored = relabel(new int[] {g});
        assert ignored.isEmpty() : ignored;
      }
    }
  }
}

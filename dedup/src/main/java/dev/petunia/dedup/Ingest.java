package dev.petunia.dedup;

import dev.petunia.core.ProgressListener;
import dev.petunia.core.internal.Checks;
import dev.petunia.core.internal.Utf8Order;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;

/**
 * One run. Texts are prepared by many threads, numbered by one in the order of sequence, then keys,
 * bands and comparisons are shared out again, each thread writing to places of its own; pairs are
 * recorded by one. So the result is the same for any number of threads.
 */
final class Ingest {
  private static final int BATCH = 4096;

  private final State state;
  private final Sets sets;
  private final Lsh lsh;
  private final Records log;
  private final Edges edges;
  private final DedupConfig config;
  private final Crew crew;
  private final Guard guard;

  /** Without a listener no edge is made; they follow from what is kept. */
  private final boolean isHeard;

  /** Groups whose chunks may have edges to others now, since the last batch. */
  private final BitSet rehung = new BitSet();

  private final Map<String, Integer> stripped = new TreeMap<>();
  private final Set<CanonicalChange> changes = new LinkedHashSet<>();
  private final long[] histogram = new long[20];
  private long unchanged;
  private long replaced;
  private long unshinglable;
  private long exact;
  private long identical;
  private long newSets;
  private long candidates;
  private long newEdges;
  private long hotBuckets;
  private long hotSets;

  Ingest(
      State state,
      Sets sets,
      Lsh lsh,
      Records log,
      Edges edges,
      DedupConfig config,
      Crew crew,
      Guard guard) {
    this.state = state;
    this.sets = sets;
    this.lsh = lsh;
    this.log = log;
    this.edges = edges;
    this.config = config;
    this.crew = crew;
    this.guard = guard;
    this.isHeard = !EdgeListener.NONE.equals(config.listener());
  }

  RunReport run(List<Document> given, ProgressListener progress) {
    Document[] documents = ordered(given);
    long next = state.nextSequence;
    Instant now = config.clock().instant().truncatedTo(ChronoUnit.MILLIS);
    Prepared[] all = new Prepared[documents.length];
    crew.run(all.length, i -> all[i] = new Prepared(documents[i], next + i));
    List<Prepared> fresh = new ArrayList<>();
    for (Prepared p : all) {
      Integer there = state.live.get(p.document.id());
      if (there != null && state.shas.isSame(there, p.sha)) {
        unchanged++;
      } else if (p.sequence < next) {
        throw Checks.bad(
            "sequence of " + Checks.show(p.document.id()),
            p.sequence,
            "at least " + next + ", the next in this index");
      } else {
        fresh.add(p);
      }
    }
    String runId = runId(all, config.lsh());
    if (fresh.isEmpty()) {
      progress.onProgress("near-duplicates", given.size(), given.size());
      return report(runId, now, given.size());
    }
    int run = state.runs.size();
    // known while the run goes on, since edges carry its id
    guard.changing(
        () -> {
          state.runs.begin(runId, now);
          return run;
        });
    try {
      for (int at = 0; at < fresh.size(); at += BATCH) {
        int end = Math.min(fresh.size(), at + BATCH);
        List<Prepared> batch = fresh.subList(at, end);
        crew.run(batch.size(), i -> batch.get(i).shingle());
        guard.changing(() -> batch(batch, run)).to(config.listener());
        long done = unchanged + end;
        if (!progress.onProgress("near-duplicates", done, given.size()) && done < given.size()) {
          throw new CancellationException("the ingest was cancelled; finished batches stay");
        }
      }
    } catch (Throwable e) {
      if (!guard.isHalf()) {
        end(runId, now, given.size()); // what was done until then is a run
      }
      throw e;
    }
    return end(runId, now, given.size());
  }

  private RunReport end(String runId, Instant now, int documents) {
    return guard.changing(
        () -> {
          RunReport report = report(runId, now, documents);
          state.runs.end(report);
          log.run(report);
          return report;
        });
  }

  private static Document[] ordered(List<Document> given) {
    Document[] out = given.toArray(Document[]::new);
    Set<String> ids = new HashSet<>();
    int open = 0;
    for (Document d : out) {
      if (!ids.add(d.id())) {
        throw Checks.bad("documents", d.id(), "each id once in a run");
      }
      open += d.sequence() == Document.NEXT ? 1 : 0;
    }
    if (open > 0 && open < out.length) {
      throw Checks.bad("documents", open + " without a sequence", "all or none with one");
    }
    if (open == 0) {
      Arrays.sort(
          out,
          Comparator.comparingLong(Document::sequence)
              .thenComparing(Document::id, Utf8Order.COMPARATOR));
    }
    return out;
  }

  /** What a listener hears of a change, when that is whole. */
  private record Told(List<String> withdrawn, List<Edge> found) {
    static final Told NOTHING = new Told(List.of(), List.of());

    void to(EdgeListener listener) {
      withdrawn.forEach(listener::withdrawn);
      if (!found.isEmpty()) {
        listener.found(found);
      }
    }
  }

  private Told batch(List<Prepared> batch, int run) {
    int firstDoc = state.ids.size();
    int firstGroup = state.groups();
    IntList gone = new IntList();
    IntList touched = new IntList();
    for (Prepared p : batch) {
      for (int i = 0; i < p.ruleCounts.length; i++) {
        if (p.ruleCounts[i] > 0) {
          stripped.merge(Boilerplate.IDS.get(i), p.ruleCounts[i], Integer::sum);
        }
      }
      Integer before = state.live.get(p.document.id());
      if (before != null) {
        replaced++;
        takeOut(before, gone);
      }
      int g = add(p, run);
      if (g != State.NONE) {
        touched.add(g);
      }
    }
    Lsh.Found found = lsh.add(firstGroup, crew);
    candidates += found.candidates;
    hotBuckets += found.hotBuckets;
    hotSets += found.hotSets;
    for (int i = 0; i < found.pairs.size(); i++) {
      int[] pairs = found.pairs.get(i);
      int g = firstGroup + i;
      for (int k = 0; k < pairs.length; k += 2) {
        int union = state.setSizes.get(g) + state.setSizes.get(pairs[k]) - pairs[k + 1];
        pair(g, pairs[k], pairs[k + 1], union, run);
      }
    }
    changes.addAll(relabel(gone, touched));
    if (isHeard) {
      Told told = told(gone, firstDoc);
      int before = told.found.size();
      for (int d = firstDoc; d < state.ids.size(); d++) {
        edges.fromEarlier(d, told.found::add);
      }
      newEdges += told.found.size() - before;
      return told;
    }
    for (int d = firstDoc; d < state.ids.size(); d++) {
      newEdges += edges.countFromEarlier(d);
    }
    return Told.NOTHING;
  }

  /** Takes chunks out, and tells what changes. */
  List<CanonicalChange> remove(Collection<String> ids) {
    IntList gone = new IntList();
    List<CanonicalChange> out = new ArrayList<>();
    Told told =
        guard.changing(
            () -> {
              for (String id : ids) {
                Integer d = state.live.get(id);
                if (d != null) {
                  takeOut(d, gone);
                }
              }
              out.addAll(relabel(gone, new IntList()));
              return isHeard ? told(gone, state.ids.size()) : Told.NOTHING;
            });
    told.to(config.listener());
    return List.copyOf(out);
  }

  private void takeOut(int doc, IntList gone) {
    int g = state.groupOf.get(doc);
    if (isHeard && g != State.NONE) {
      // others may have their edges to this one, and get them to another
      boolean isHub = state.first(g) == doc || state.earlierTwin(doc) == State.NONE;
      rehung.set(g, rehung.get(g) || isHub);
    }
    state.removeDoc(doc);
    log.removed(doc);
    gone.add(doc);
  }

  /** Looks again at the clusters of these groups and of the chunks that went, each once. */
  private List<CanonicalChange> relabel(IntList gone, IntList groups) {
    BitSet left = new BitSet();
    for (int i = 0; i < gone.size(); i++) {
      int g = state.groupOf.get(gone.get(i));
      if (g != State.NONE && !left.get(g)) {
        left.set(g);
        for (int around : state.around(g)) {
          groups.add(around);
        }
      }
    }
    return state.relabel(groups.toArray());
  }

  /** What was found about the sets of chunks that went holds for those that share them. */
  private Told told(IntList gone, int firstNew) {
    Told told = new Told(new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < gone.size(); i++) {
      told.withdrawn.add(state.ids.get(gone.get(i)));
    }
    for (int g = rehung.nextSetBit(0); g >= 0; g = rehung.nextSetBit(g + 1)) {
      edges.ofGroup(g, (earlier, later) -> later < firstNew, told.found::add);
    }
    rehung.clear();
    return told;
  }

  private int add(Prepared p, int run) {
    long[] set = p.set.raw();
    int g = State.NONE;
    if (set.length == 0) {
      unshinglable++;
    } else {
      g = state.findGroup(p.fingerprint, set, sets);
      if (g == State.NONE) {
        g = state.addGroup(p.fingerprint, set.length, p.set.tokens(), Sets.sum(set));
        sets.add(set);
        log.group(p.fingerprint, set.length, p.set.tokens(), state.setSums.get(g));
        newSets++;
        count(p.tokens, g);
      }
    }
    int d = state.addDoc(p.document.id(), p.sequence, g, run, p.sha);
    log.document(d, state);
    if (g != State.NONE && state.first(g) != d) {
      if (state.earlierTwin(d) != State.NONE) {
        exact++;
      } else {
        identical++;
      }
    }
    return g;
  }

  private void count(long[] tokens, int group) {
    for (long token : tokens) {
      if (Tokens.addOnce(state, token, group)) {
        log.token(token);
      }
    }
  }

  private void pair(int a, int b, int inter, int union, int run) {
    int percent = (int) (100L * inter / union);
    histogram[Math.min(percent, 99) - 80]++;
    if (10L * inter >= (long) Jaccard.EDGE_TENTHS * union) {
      state.addPair(a, b, inter, union, run);
      log.pair(a, b, inter, union, run);
    }
  }

  private RunReport report(String runId, Instant now, int documents) {
    List<Long> h = new ArrayList<>();
    for (long n : histogram) {
      h.add(n);
    }
    RunReport.Counts counts =
        new RunReport.Counts(
            documents,
            unchanged,
            replaced,
            unshinglable,
            exact,
            identical,
            newSets,
            candidates,
            newEdges,
            hotBuckets,
            hotSets);
    return new RunReport(runId, now, counts, h, new HashMap<>(stripped), List.copyOf(changes));
  }

  static String runId(Prepared[] all, LshParameters lsh) {
    Prepared[] byId = all.clone();
    Arrays.sort(byId, Comparator.comparing((Prepared p) -> p.document.id(), Utf8Order.COMPARATOR));
    MessageDigest digest = Resources.sha256();
    String head =
        "normalizer "
            + Normalizer.VERSION
            + " minhash "
            + MinHash.VERSION
            + " lsh "
            + lsh.bands()
            + "x"
            + lsh.rows()
            + " edges 9/10 counted 8/10 scope all\n";
    digest.update(head.getBytes(StandardCharsets.UTF_8));
    for (Prepared p : byId) {
      byte[] id = p.document.id().getBytes(StandardCharsets.UTF_8);
      digest.update(new byte[] {(byte) (id.length >> 24), (byte) (id.length >> 16)});
      digest.update(new byte[] {(byte) (id.length >> 8), (byte) id.length});
      digest.update(id);
      digest.update(p.sha);
    }
    return Runs.base32(digest.digest());
  }
}

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

  Ingest(State state, Sets sets, Lsh lsh, Records log, Edges edges, DedupConfig config, Crew crew) {
    this.state = state;
    this.sets = sets;
    this.lsh = lsh;
    this.log = log;
    this.edges = edges;
    this.config = config;
    this.crew = crew;
  }

  RunReport run(List<Document> given, ProgressListener progress) {
    Document[] documents = ordered(given, state.nextSequence);
    Instant now = config.clock().instant().truncatedTo(ChronoUnit.MILLIS);
    Prepared[] all = new Prepared[documents.length];
    crew.run(all.length, i -> all[i] = new Prepared(documents[i]));
    List<Prepared> fresh = new ArrayList<>();
    for (Prepared p : all) {
      Integer there = state.live.get(p.document.id());
      if (there != null && Arrays.equals(state.shas.get(there), p.sha)) {
        unchanged++;
      } else if (p.document.sequence() < state.nextSequence) {
        throw Checks.bad(
            "sequence of " + Checks.show(p.document.id()),
            p.document.sequence(),
            "at least " + state.nextSequence + ", the next in this index");
      } else {
        fresh.add(p);
      }
    }
    String runId = runId(all, config.lsh());
    if (fresh.isEmpty()) {
      Integer before = state.runNumbers.get(runId);
      progress.onProgress("near-duplicates", given.size(), given.size());
      return before == null ? report(runId, now, given.size()) : state.runs.get(before);
    }
    int run = state.runs.size();
    // known while the run goes on, since edges carry its id
    state.runs.add(report(runId, now, given.size()));
    boolean isCancelled = false;
    for (int at = 0; at < fresh.size() && !isCancelled; at += BATCH) {
      batch(fresh.subList(at, Math.min(fresh.size(), at + BATCH)), run);
      long done = unchanged + Math.min(fresh.size(), at + BATCH);
      isCancelled = !progress.onProgress("near-duplicates", done, given.size());
      isCancelled &= done < given.size();
    }
    RunReport report = report(runId, now, given.size());
    state.runs.set(run, report);
    state.runNumbers.put(runId, run);
    log.run(report);
    if (isCancelled) {
      throw new CancellationException("the ingest was cancelled; finished batches stay");
    }
    return report;
  }

  private static Document[] ordered(List<Document> given, long next) {
    Document[] out = given.toArray(Document[]::new);
    Set<String> ids = new HashSet<>();
    int open = 0;
    for (Document d : out) {
      if (!ids.add(d.id())) {
        throw Checks.bad("documents", d.id(), "each id once in a run");
      }
      open += d.sequence() == Document.NEXT ? 1 : 0;
    }
    if (open == out.length) {
      for (int i = 0; i < out.length; i++) {
        out[i] = new Document(out[i].id(), out[i].text(), next + i);
      }
    } else if (open > 0) {
      throw Checks.bad("documents", open + " without a sequence", "all or none with one");
    } else {
      Arrays.sort(
          out,
          Comparator.comparingLong(Document::sequence)
              .thenComparing(Document::id, Utf8Order.COMPARATOR));
    }
    return out;
  }

  private void batch(List<Prepared> batch, int run) {
    crew.run(batch.size(), i -> batch.get(i).shingle());
    int firstDoc = state.ids.size();
    int firstGroup = state.groups();
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
        changes.addAll(withdraw(before));
      }
      touched.add(add(p, run));
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
    IntList groups = new IntList();
    for (int i = 0; i < touched.size(); i++) {
      if (touched.get(i) != State.NONE) {
        groups.add(touched.get(i));
      }
    }
    changes.addAll(state.relabel(groups.toArray()));
    List<Edge> fresh = new ArrayList<>();
    for (int d = firstDoc; d < state.ids.size(); d++) {
      edges.fromEarlier(d, fresh::add);
    }
    newEdges += fresh.size();
    if (!fresh.isEmpty()) {
      config.listener().found(fresh);
    }
  }

  /** Takes a chunk out, and tells what changes. */
  List<CanonicalChange> withdraw(int doc) {
    int g = state.groupOf.get(doc);
    state.removeDoc(doc);
    log.removed(doc);
    config.listener().withdrawn(state.ids.get(doc));
    if (g == State.NONE) {
      return List.of();
    }
    List<CanonicalChange> out = state.relabel(state.around(g));
    // what was found about the chunk's set holds for the chunks that share it
    List<Edge> inherited = new ArrayList<>();
    edges.ofGroup(g, inherited::add);
    if (!inherited.isEmpty()) {
      config.listener().found(inherited);
    }
    return out;
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
    int d = state.addDoc(p.document.id(), p.document.sequence(), g, run, p.sha);
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
    return base32(digest.digest());
  }

  /** The first 128 bits in RFC 4648's base32, small letters, without padding: 26 characters. */
  private static String base32(byte[] hash) {
    String alphabet = "abcdefghijklmnopqrstuvwxyz234567";
    StringBuilder out = new StringBuilder();
    int bits = 0;
    int held = 0;
    for (int i = 0; i < 16; i++) {
      bits = (bits << 8) | (hash[i] & 0xFF);
      held += 8;
      while (held >= 5) {
        held -= 5;
        out.append(alphabet.charAt((bits >> held) & 31));
      }
    }
    return out.append(alphabet.charAt((bits << (5 - held)) & 31)).toString();
  }
}

package dev.petunia.dedup;

import dev.petunia.core.CorruptIndexException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The log's records, little-endian, in the order in which things happened. A string is an i32
 * length and UTF-8. Numbers of chunks, groups and runs count from 0 in the order of their records;
 * a run's record comes after what it added.
 *
 * <pre>
 * 1 run       string id, i64 milliseconds, 11 × i64 counts, 20 × i64 histogram,
 *             i32 n, n × (string rule, i64 times), i32 n, n × (string from, string to)
 * 2 group     i64 fingerprint, i32 shingles, i32 tokens, i32 CRC-32C of the shingles
 * 3 chunk     i64 sequence, i32 group or −1, i32 run, 32 bytes SHA-256, string id
 * 4 removed   i32 chunk
 * 5 pair      i32 group a, i32 group b &lt; a, i32 intersection, i32 union, i32 run
 * 6 tokens    i32 n, n × (i64 hash, i32 groups): added to what was
 * 7 verdict   string a, string b, u8 1 for the same, 0 for different, 32 bytes SHA-256 of a's text, 32 of b's, string note
 * </pre>
 */
final class Records {
  private static final int RUN = 1;
  private static final int GROUP = 2;
  private static final int CHUNK = 3;
  private static final int REMOVED = 4;
  private static final int PAIR = 5;
  private static final int TOKENS = 6;
  private static final int VERDICT = 7;

  private ByteBuffer b = ByteBuffer.allocate(1 << 12).order(ByteOrder.LITTLE_ENDIAN);
  private LongTable tokens = new LongTable();
  private IntList tokenGroups = new IntList();
  private final boolean isKept;

  /** Without a directory nothing is kept. */
  Records(boolean isKept) {
    this.isKept = isKept;
  }

  private ByteBuffer begin(int type, int bytes) {
    if (!isKept) {
      b.clear();
    }
    if (b.remaining() < bytes + 1) {
      int size = Math.max(b.position() + bytes + 1, Math.multiplyExact(b.capacity(), 2));
      b = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN).put(b.flip());
    }
    return b.put((byte) type);
  }

  void run(RunReport r) {
    List<byte[]> texts = new ArrayList<>();
    texts.add(utf8(r.runId()));
    r.stripped().keySet().stream().sorted().forEach(k -> texts.add(utf8(k)));
    for (CanonicalChange c : r.canonicalChanges()) {
      texts.add(utf8(c.from()));
      texts.add(utf8(c.to()));
    }
    int size = 8 + 31 * 8 + 8 + 8 * r.stripped().size();
    for (byte[] t : texts) {
      size += 4 + t.length;
    }
    ByteBuffer o = begin(RUN, size);
    string(texts.getFirst());
    o.putLong(r.createdAt().toEpochMilli());
    for (long n : numbers(r.counts())) {
      o.putLong(n);
    }
    r.histogram().forEach(o::putLong);
    o.putInt(r.stripped().size());
    r.stripped().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            e -> {
              string(utf8(e.getKey()));
              o.putLong(e.getValue());
            });
    o.putInt(r.canonicalChanges().size());
    for (CanonicalChange c : r.canonicalChanges()) {
      string(utf8(c.from()));
      string(utf8(c.to()));
    }
  }

  private static long[] numbers(RunReport.Counts c) {
    return new long[] {
      c.documents(),
      c.unchanged(),
      c.replaced(),
      c.unshinglable(),
      c.exactDuplicates(),
      c.identicalSets(),
      c.newSets(),
      c.candidates(),
      c.edges(),
      c.hotBuckets(),
      c.hotSets()
    };
  }

  void group(long fingerprint, int shingles, int tokenCount, int sum) {
    begin(GROUP, 20).putLong(fingerprint).putInt(shingles).putInt(tokenCount).putInt(sum);
  }

  void document(int d, State s) {
    byte[] id = utf8(s.ids.get(d));
    ByteBuffer o = begin(CHUNK, 52 + id.length);
    o.putLong(s.sequences.get(d)).putInt(s.groupOf.get(d)).putInt(s.runOf.get(d));
    o.put(s.shas.get(d));
    string(id);
  }

  void removed(int d) {
    begin(REMOVED, 4).putInt(d);
  }

  void pair(int a, int other, int inter, int union, int run) {
    begin(PAIR, 20).putInt(a).putInt(other).putInt(inter).putInt(union).putInt(run);
  }

  void token(long hash) {
    if (isKept) {
      int t = tokens.add(hash);
      if (t == tokenGroups.size()) {
        tokenGroups.add(0);
      }
      tokenGroups.set(t, tokenGroups.get(t) + 1);
    }
  }

  void verdict(Verdict v) {
    byte[] a = utf8(v.chunkA());
    byte[] c = utf8(v.chunkB());
    byte[] note = utf8(v.note());
    ByteBuffer o = begin(VERDICT, 77 + a.length + c.length + note.length);
    string(a);
    string(c);
    o.put((byte) (v.isSame() ? 1 : 0)).put(v.shaA()).put(v.shaB());
    string(note);
  }

  private static byte[] utf8(String s) {
    return s.getBytes(StandardCharsets.UTF_8);
  }

  private void string(byte[] s) {
    b.putInt(s.length).put(s);
  }

  /** What came since the last time; valid until the next record. */
  ByteBuffer drain() {
    if (tokens.size() > 0) {
      ByteBuffer o = begin(TOKENS, 4 + 12 * tokens.size()).putInt(tokens.size());
      for (int i = 0; i < tokens.size(); i++) {
        o.putLong(tokens.key(i)).putInt(tokenGroups.get(i));
      }
      tokens = new LongTable();
      tokenGroups = new IntList();
    }
    return b.duplicate().order(ByteOrder.LITTLE_ENDIAN).flip();
  }

  /** What was drained is written. */
  void written() {
    b.clear();
  }

  boolean isEmpty() {
    return b.position() == 0 || !isKept;
  }

  /**
   * Applies a frame's records; the numbers in them must be of what came before. A frame is a
   * commit, so it ends with the run that its last chunks are of.
   */
  static void read(ByteBuffer in, State s, Sets sets, Path file, long offset) {
    int begin = 0;
    try {
      boolean isRunOpen = false;
      while (in.hasRemaining()) {
        begin = in.position();
        int type = in.get();
        isRunOpen = type != RUN && (isRunOpen || type == CHUNK || type == PAIR);
        one(type, in, s, sets);
      }
      if (isRunOpen) {
        throw new IllegalArgumentException("run " + s.runs.size() + " has no record");
      }
    } catch (BufferUnderflowException
        | IndexOutOfBoundsException
        | IllegalArgumentException
        | ArithmeticException e) {
      throw new CorruptIndexException(
          file, offset + begin, "a record makes no sense: " + e.getMessage(), e);
    }
  }

  private static int number(String what, int n, int from, int to) {
    if (n < from || n >= to) {
      throw new IllegalArgumentException(what + " " + n + " of " + to);
    }
    return n;
  }

  private static void one(int type, ByteBuffer in, State s, Sets sets) {
    int run = s.runs.size(); // what its record, which follows, makes the last
    switch (type) {
      case RUN -> {
        RunReport r = readRun(in);
        s.runs.begin(r.runId(), r.createdAt());
        s.runs.end(r);
      }
      case GROUP -> {
        long fingerprint = in.getLong();
        int size = number("shingles", in.getInt(), 1, Integer.MAX_VALUE);
        s.addGroup(fingerprint, size, in.getInt(), in.getInt());
        sets.place(size);
      }
      case CHUNK -> {
        long sequence = in.getLong();
        int group = number("group", in.getInt(), State.NONE, s.groups());
        number("run", in.getInt(), run, run + 1);
        byte[] sha = new byte[32];
        in.get(sha);
        s.addDoc(readString(in), sequence, group, run, sha);
      }
      case REMOVED -> {
        int d = number("chunk", in.getInt(), 0, s.ids.size());
        if (s.removed.get(d)) {
          throw new IllegalArgumentException("chunk " + d + " is removed twice");
        }
        s.removeDoc(d);
      }
      case PAIR -> {
        int a = number("group", in.getInt(), 0, s.groups());
        int b = number("group", in.getInt(), 0, a);
        int inter = in.getInt();
        int union = number("union", in.getInt(), 1, Integer.MAX_VALUE);
        number("intersection", inter, 0, union);
        number("run", in.getInt(), run, run + 1);
        s.addPair(a, b, inter, union, run);
      }
      case TOKENS -> {
        for (int n = number("tokens", in.getInt(), 0, Integer.MAX_VALUE); n > 0; n--) {
          Tokens.add(s, in.getLong(), in.getInt());
        }
      }
      case VERDICT -> {
        String a = readString(in);
        String b = readString(in);
        boolean isSame = in.get() != 0;
        byte[] shaA = new byte[32];
        byte[] shaB = new byte[32];
        in.get(shaA).get(shaB);
        s.addVerdict(new Verdict(a, b, isSame, shaA, shaB, readString(in)));
      }
      default -> throw new IllegalArgumentException("type " + type);
    }
  }

  private static RunReport readRun(ByteBuffer in) {
    String id = readString(in);
    Instant at = Instant.ofEpochMilli(in.getLong());
    long[] n = new long[11];
    for (int i = 0; i < n.length; i++) {
      n[i] = in.getLong();
    }
    List<Long> histogram = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      histogram.add(in.getLong());
    }
    Map<String, Integer> stripped = new LinkedHashMap<>();
    for (int i = in.getInt(); i > 0; i--) {
      stripped.put(readString(in), Math.toIntExact(in.getLong()));
    }
    List<CanonicalChange> changes = new ArrayList<>();
    for (int i = in.getInt(); i > 0; i--) {
      changes.add(new CanonicalChange(readString(in), readString(in)));
    }
    RunReport.Counts counts =
        new RunReport.Counts(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10]);
    return new RunReport(id, at, counts, histogram, stripped, changes);
  }

  private static String readString(ByteBuffer in) {
    int n = in.getInt();
    if (n < 0 || n > in.remaining()) {
      throw new IllegalArgumentException("a string of " + n + " bytes");
    }
    byte[] s = new byte[n];
    in.get(s);
    return new String(s, StandardCharsets.UTF_8);
  }
}

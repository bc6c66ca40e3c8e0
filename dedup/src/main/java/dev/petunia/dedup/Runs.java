package dev.petunia.dedup;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The recorded runs: of all of them what edges say of their run, 24 bytes each, and the reports of
 * the last ones. Who ingests text by text has as many runs as texts.
 */
final class Runs {
  /** So many reports are kept; all are in the log. */
  static final int KEPT = 100;

  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";

  /** Characters of an id: 128 bits, 5 a character. */
  private static final int LENGTH = 26;

  private final LongList high = new LongList();
  private final LongList low = new LongList();
  private final LongList millis = new LongList();
  private final ArrayDeque<RunReport> last = new ArrayDeque<>();

  /** The id that was asked for last: edges that follow each other are mostly of one run. */
  private volatile @Nullable Named recent;

  private record Named(int run, String id) {}

  int size() {
    return high.size();
  }

  /** A run begins: its edges can be read before it has a report. */
  void begin(String runId, Instant createdAt) {
    byte[] bits = bits(runId);
    high.add(number(bits, 0));
    low.add(number(bits, 8));
    millis.add(createdAt.toEpochMilli());
  }

  /** The report of the run that began last. */
  void end(RunReport report) {
    if (last.size() == KEPT) {
      last.removeFirst();
    }
    last.addLast(report);
  }

  /** The reports of the last runs, oldest first. */
  List<RunReport> reports() {
    return List.copyOf(last);
  }

  String id(int run) {
    Named r = recent;
    if (r == null || r.run != run) {
      byte[] bits = new byte[16];
      for (int i = 0; i < 16; i++) {
        long half = i < 8 ? high.get(run) : low.get(run);
        bits[i] = (byte) (half >>> (56 - 8 * (i & 7)));
      }
      r = new Named(run, base32(bits));
      recent = r;
    }
    return r.id;
  }

  Instant createdAt(int run) {
    return Instant.ofEpochMilli(millis.get(run));
  }

  private static long number(byte[] bits, int from) {
    long n = 0;
    for (int i = from; i < from + 8; i++) {
      n = n << 8 | (bits[i] & 0xFF);
    }
    return n;
  }

  /** The first 128 bits in RFC 4648's base32, small letters, without padding: 26 characters. */
  static String base32(byte[] hash) {
    StringBuilder out = new StringBuilder();
    int bits = 0;
    int held = 0;
    for (int i = 0; i < 16; i++) {
      bits = (bits << 8) | (hash[i] & 0xFF);
      held += 8;
      while (held >= 5) {
        held -= 5;
        out.append(ALPHABET.charAt((bits >> held) & 31));
      }
    }
    return out.append(ALPHABET.charAt((bits << (5 - held)) & 31)).toString();
  }

  private static byte[] bits(String id) {
    byte[] out = new byte[16];
    int bits = 0;
    int held = 0;
    int at = 0;
    for (int i = 0; i < id.length(); i++) {
      bits = bits << 5 | ALPHABET.indexOf(id.charAt(i));
      held += 5;
      if (held >= 8 && at < 16) {
        held -= 8;
        out[at++] = (byte) (bits >> held);
      }
    }
    if (id.length() != LENGTH || !base32(out).equals(id)) {
      throw new IllegalArgumentException("a run's id is " + id);
    }
    return out;
  }
}

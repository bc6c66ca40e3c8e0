package dev.petunia.hnsw;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one range of node numbers: layer-0 links and the rest, in flat arrays. (Vectors and
 * codes lie outside the heap, see {@link VectorTable}.)
 *
 * <p>Publication: a node's vector and lists are written plainly before the first link to the node
 * is (a release fence stands between). A reader takes link entries with opaque reads and then
 * passes an acquire fence before it touches what they name. A list is ended by −1 or its last
 * place; while it is rewritten a reader may see a mix of old and new entries, each of which is a
 * valid node.
 */
final class Page {
  /** A slot that holds no node. */
  static final byte FREE = 0;

  /** A node that is being linked into the graph by its writer. */
  static final byte LINKING = 1;

  /** A node with ids, reachable. */
  static final byte LIVE = 2;

  /**
   * A node without ids: still on the way of searches, never a result, removed by the next sweep.
   */
  static final byte DEAD = 3;

  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final VarHandle BYTES = MethodHandles.arrayElementVarHandle(byte[].class);
  private static final VarHandle OWNERS = MethodHandles.arrayElementVarHandle(Owners[].class);
  private static final VarHandle UPPER = MethodHandles.arrayElementVarHandle(int[][].class);

  /** Node i's layer-0 neighbours at {@code i * 2M}, ended by −1; empty without a graph. */
  final int[] links;

  /** Layers 1 and up, M places each; null for a node on layer 0 only. */
  private final int[] @Nullable [] upper;

  private final byte[] state;

  /** Not 0 when the node has changed since the last commit. */
  private final byte[] dirty;

  /** Whether any of them has. */
  private boolean anyDirty;

  /** The node's highest layer. */
  final byte[] level;

  /** The node through which this one is certainly reachable; −1 for the root. See {@link Tree}. */
  final int[] parent;

  /** The hash of the node's vector, see {@link VectorForm#hash}. */
  final long[] hash;

  /** How many nodes have this one as parent. */
  final int[] children;

  private final @Nullable Owners[] owners;

  Page(int nodes, int linkStride) {
    hash = new long[nodes];
    links = new int[nodes * linkStride];
    Arrays.fill(links, -1);
    upper = new int[nodes][];
    state = new byte[nodes];
    dirty = new byte[nodes];
    level = new byte[nodes];
    parent = new int[nodes];
    children = new int[nodes];
    owners = new Owners[nodes];
  }

  /** Bytes of the upper layers' lists, and of owners that are several. */
  long extraBytes() {
    long sum = 0;
    for (int[] list : upper) {
      sum += list == null ? 0 : (16L + 4L * list.length + 7) & ~7L;
    }
    for (Owners of : owners) {
      sum += of instanceof Owners.Several several ? several.bytes() : 0;
    }
    return sum;
  }

  static int link(int[] list, int at) {
    return (int) INTS.getOpaque(list, at);
  }

  static void setLink(int[] list, int at, int node) {
    INTS.setOpaque(list, at, node);
  }

  byte state(int i) {
    return (byte) BYTES.getAcquire(state, i);
  }

  /** Notes that a node is to be written by the next commit, which no writer runs beside. */
  void touch(int i) {
    dirty[i] = 1;
    anyDirty = true;
  }

  boolean isDirty(int i) {
    return dirty[i] != 0;
  }

  boolean isDirty() {
    return anyDirty;
  }

  void clean() {
    if (anyDirty) {
      Arrays.fill(dirty, (byte) 0);
      anyDirty = false;
    }
  }

  void state(int i, byte value) {
    touch(i);
    BYTES.setRelease(state, i, value);
  }

  @Nullable Owners owners(int i) {
    return (Owners) OWNERS.getAcquire(owners, i);
  }

  void owners(int i, @Nullable Owners value) {
    OWNERS.setRelease(owners, i, value);
  }

  int @Nullable [] upper(int i) {
    return (int[]) UPPER.getAcquire(upper, i);
  }

  void upper(int i, int @Nullable [] value) {
    UPPER.setRelease(upper, i, value);
  }
}

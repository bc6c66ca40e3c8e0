package dev.petunia.hnsw;

import dev.petunia.core.internal.Checks;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Nodes and ids: one node for each distinct vector, with the ids that share it.
 *
 * <p>Everything here that changes does so under {@link #registry}, held for short moments only;
 * readers take no lock.
 */
final class VectorTable {
  final VectorForm form;
  final int linkStride;
  final int shift;
  final int mask;
  final ConcurrentHashMap<String, IdRef> ids = new ConcurrentHashMap<>();
  final Object registry = new Object();

  /** Ids that left a node, for another one or for good: begun, and done. See {@link Finder}. */
  final AtomicLong movesBegun = new AtomicLong();

  final AtomicLong movesDone = new AtomicLong();

  private final Reclaimer reclaimer;
  private volatile Page[] pages = new Page[0];
  private volatile int nodeLimit;
  private int slotLimit;
  private int[] freeNodes = new int[8];
  private int freeNodeCount;
  private int[] freeSlots = new int[8];
  private int freeSlotCount;
  private volatile int liveNodes;
  private volatile int deadNodes;

  // open addressing: node + 1 at its vector's hash, 0 = empty
  private int[] byContent = new int[64];
  private int contentCount;

  VectorTable(VectorForm form, int linkStride, Reclaimer reclaimer) {
    this.form = form;
    this.linkStride = linkStride;
    this.reclaimer = reclaimer;
    // about a quarter of a million floats a page: large enough to be few, small enough that an
    // index of ten vectors stays small and that no array comes near 2^31 bytes
    int perPage = Integer.highestOneBit(Math.clamp((1 << 18) / form.stride(), 1, 1 << 12));
    shift = Integer.numberOfTrailingZeros(perPage);
    mask = perPage - 1;
  }

  Page[] pages() {
    return pages;
  }

  Page page(int node) {
    return pages[node >> shift];
  }

  int at(int node) {
    return (node & mask) * form.stride();
  }

  /** Node numbers in use are below this. */
  int nodeLimit() {
    return nodeLimit;
  }

  int slotLimit() {
    synchronized (registry) {
      return slotLimit;
    }
  }

  int liveNodes() {
    return liveNodes;
  }

  int deadNodes() {
    return deadNodes;
  }

  byte state(int node) {
    return page(node).state(node & mask);
  }

  @Nullable Owners owners(int node) {
    return page(node).owners(node & mask);
  }

  float distance(int a, int b) {
    return form.distance(page(a).vectors, at(a), page(b).vectors, at(b));
  }

  /**
   * The node for a prepared vector, with {@code ref} among its owners (the ref does not name the
   * node yet). A new node is LINKING, and its maker must link it and then call {@link #linked}.
   *
   * @return the node; its complement (~node) when it is new
   */
  int attach(float[] prepared, IdRef ref) {
    long hash = form.hash(prepared, 0);
    synchronized (registry) {
      int node = find(prepared, hash);
      if (node >= 0) {
        Page p = page(node);
        int i = node & mask;
        Owners owners = p.owners(i);
        if (owners == null) {
          p.owners(i, new Owners(ref));
          p.state(i, Page.LIVE);
          deadNodes--;
          liveNodes++;
        } else if (ref.node != node) { // not the vector that it has already
          owners.add(ref);
        }
        return node;
      }
      roomForContent(); // first: if memory runs out here, nothing has changed yet
      reclaimIfUseful();
      node = freeNodeCount > 0 ? freeNodes[--freeNodeCount] : newNode();
      Page p = page(node);
      int i = node & mask;
      System.arraycopy(prepared, 0, p.vectors, at(node), form.stride());
      Arrays.fill(p.links, i * linkStride, (i + 1) * linkStride, -1);
      p.parent[i] = -1;
      p.children[i] = 0;
      p.level[i] = 0;
      p.upper(i, null);
      p.owners(i, new Owners(ref));
      p.state(i, Page.LINKING);
      VarHandle.releaseFence();
      insertContent(node, hash);
      liveNodes++;
      return ~node;
    }
  }

  void linked(int node) {
    page(node).state(node & mask, Page.LIVE);
  }

  /** Takes an id off a node; true when it was the last, and the node is dead from then on. */
  boolean detach(int node, IdRef ref) {
    synchronized (registry) {
      Page p = page(node);
      int i = node & mask;
      Owners owners = p.owners(i);
      if (owners == null) {
        return false;
      }
      Owners rest = owners.without(ref);
      p.owners(i, rest);
      if (rest == null) {
        p.state(i, Page.DEAD);
        liveNodes--;
        deadNodes++;
      }
      return rest == null;
    }
  }

  /** The vector of an id; null when it is not here. */
  float @Nullable [] copyOf(String id) {
    IdRef ref = ids.get(Checks.id("id", id));
    int node = ref == null ? -1 : ref.node;
    return node < 0
        ? null
        : Arrays.copyOfRange(page(node).vectors, at(node), at(node) + form.dimension());
  }

  /**
   * Frees a dead node that nothing links to any more; its slot is reused when no search may hold
   * it.
   */
  void free(int node) {
    synchronized (registry) {
      Page p = page(node);
      int i = node & mask;
      removeContent(node);
      p.state(i, Page.FREE);
      deadNodes--;
      reclaimer.retire(node, true);
    }
  }

  IdRef newRef(String id) {
    synchronized (registry) {
      reclaimIfUseful();
      return new IdRef(id, freeSlotCount > 0 ? freeSlots[--freeSlotCount] : slotLimit++);
    }
  }

  void freeRef(IdRef ref) {
    synchronized (registry) {
      reclaimer.retire(ref.slot, false);
    }
  }

  private void reclaimIfUseful() {
    reclaimer.reclaim(this::reuse);
  }

  private void reuse(int number, boolean isNode) {
    if (isNode) {
      if (freeNodeCount == freeNodes.length) {
        freeNodes = Arrays.copyOf(freeNodes, freeNodeCount * 2);
      }
      freeNodes[freeNodeCount++] = number;
    } else {
      if (freeSlotCount == freeSlots.length) {
        freeSlots = Arrays.copyOf(freeSlots, freeSlotCount * 2);
      }
      freeSlots[freeSlotCount++] = number;
    }
  }

  private int newNode() {
    int node = nodeLimit;
    if (node == Integer.MAX_VALUE - 1) {
      throw new IllegalStateException("the index holds 2147483646 vectors, its limit");
    }
    if (node >> shift == pages.length) {
      Page[] more = Arrays.copyOf(pages, pages.length + 1);
      more[pages.length] = new Page(mask + 1, form.stride(), linkStride);
      pages = more;
    }
    nodeLimit = node + 1;
    return node;
  }

  // ---- equal vectors -------------------------------------------------------------------------

  private int find(float[] prepared, long hash) {
    int m = byContent.length - 1;
    for (int slot = (int) (hash >>> 32) & m; byContent[slot] != 0; slot = (slot + 1) & m) {
      int node = byContent[slot] - 1;
      int at = at(node);
      if (Arrays.equals(
          page(node).vectors, at, at + form.dimension(), prepared, 0, form.dimension())) {
        return node;
      }
    }
    return -1;
  }

  /** Adds a node with the next number, from a file: it gets its links and ids afterwards. */
  void restore(float[] prepared) {
    synchronized (registry) {
      roomForContent();
      int node = newNode();
      System.arraycopy(prepared, 0, page(node).vectors, at(node), form.dimension());
      page(node).parent[node & mask] = -1;
      page(node).state(node & mask, Page.LIVE);
      insertContent(node, form.hash(page(node).vectors, at(node)));
      liveNodes++;
    }
  }

  /** Gives a node from a file an id. */
  void restore(String id, int node) {
    synchronized (registry) {
      IdRef ref = new IdRef(id, slotLimit++);
      ref.node = node;
      Owners owners = owners(node);
      if (owners == null) {
        page(node).owners(node & mask, new Owners(ref));
      } else {
        owners.add(ref);
      }
      ids.put(id, ref);
    }
  }

  /** Whether a node is found by its vector; for {@link GraphCheck}. */
  boolean inContentTable(int node) {
    float[] v = new float[form.stride()];
    System.arraycopy(page(node).vectors, at(node), v, 0, form.stride());
    synchronized (registry) {
      return find(v, form.hash(v, 0)) == node;
    }
  }

  private void roomForContent() {
    if ((contentCount + 1) * 3L > byContent.length * 2L) {
      int[] old = byContent;
      byContent = new int[Math.multiplyExact(old.length, 2)];
      for (int entry : old) {
        if (entry != 0) {
          put(entry, form.hash(page(entry - 1).vectors, at(entry - 1)));
        }
      }
    }
  }

  private void insertContent(int node, long hash) {
    put(node + 1, hash);
    contentCount++;
  }

  private void put(int entry, long hash) {
    int m = byContent.length - 1;
    int slot = (int) (hash >>> 32) & m;
    while (byContent[slot] != 0) {
      slot = (slot + 1) & m;
    }
    byContent[slot] = entry;
  }

  private void removeContent(int node) {
    int m = byContent.length - 1;
    int slot = (int) (form.hash(page(node).vectors, at(node)) >>> 32) & m;
    while (byContent[slot] != node + 1) {
      if (byContent[slot] == 0) {
        throw new AssertionError("node " + node + " is not in the content table");
      }
      slot = (slot + 1) & m;
    }
    contentCount--;
    // close the gap: move back entries that the gap would cut off from their place
    int gap = slot;
    for (int next = (slot + 1) & m; byContent[next] != 0; next = (next + 1) & m) {
      int other = byContent[next] - 1;
      int home = (int) (form.hash(page(other).vectors, at(other)) >>> 32) & m;
      if (((next - home) & m) >= ((next - gap) & m)) {
        byContent[gap] = byContent[next];
        gap = next;
      }
    }
    byContent[gap] = 0;
  }
}

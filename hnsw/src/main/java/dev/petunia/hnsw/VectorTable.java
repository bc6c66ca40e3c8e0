package dev.petunia.hnsw;

import dev.petunia.core.internal.Checks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Nodes and ids: one node for each distinct vector, with the ids that share it.
 *
 * <p>Everything here that changes does so under {@link #registry}, held for short moments only;
 * readers take no lock.
 */
final class VectorTable {
  /** A cache line, and the widest register. */
  static final long ALIGNMENT = 64;

  final VectorForm form;
  final int linkStride;
  final int shift;
  final int mask;
  final ConcurrentHashMap<String, IdRef> ids = new ConcurrentHashMap<>();
  final Object registry = new Object();

  /**
   * Counts every id that came or went, after it did: what was made of the ids before is old when
   * this has moved on.
   */
  final AtomicLong idsVersion = new AtomicLong();

  /** Ids that left a node, for another one or for good: begun, and done. See {@link Finder}. */
  final AtomicLong movesBegun = new AtomicLong();

  final AtomicLong movesDone = new AtomicLong();

  /** Whose this is; see {@link PreparedFilter}. */
  final Object owner;

  /** Ids that came, moved or left since the last commit; null when nobody commits. */
  private final @Nullable Set<String> changedIds;

  private final Reclaimer reclaimer;

  /** Slots below this are in a commit, and are not written again. */
  private int sealed;

  private volatile Page[] pages = new Page[0];

  /** The vectors of each page: node i's at {@code (i & mask) * form.bytes()}. */
  private volatile MemorySegment[] vectors = new MemorySegment[0];

  private volatile @Nullable Codes codes;
  private volatile int nodeLimit;
  private int slotLimit;
  private int[] freeNodes = new int[8];
  private int freeNodeCount;
  private int[] freeSlots = new int[8];
  private int freeSlotCount;
  private volatile int liveNodes;
  private volatile int deadNodes;

  /** Nodes by what their vectors are. */
  final EqualVectors equal = new EqualVectors(this);

  VectorTable(VectorForm form, int linkStride, Reclaimer reclaimer) {
    this(form, linkStride, reclaimer, new Object(), false);
  }

  VectorTable(VectorForm form, int linkStride, Reclaimer reclaimer, Object owner, boolean tracked) {
    this.owner = owner;
    this.changedIds = tracked ? ConcurrentHashMap.newKeySet() : null;
    this.form = form;
    this.linkStride = linkStride;
    this.reclaimer = reclaimer;
    // a page of about a megabyte: large enough to be few, small enough that an index of ten vectors
    // stays small; and at most 1,024 nodes, so that no array of a page is a humongous object to G1
    int perPage = Integer.highestOneBit(Math.clamp((1 << 18) / form.stride(), 1, 1 << 10));
    shift = Integer.numberOfTrailingZeros(perPage);
    mask = perPage - 1;
  }

  Page[] pages() {
    return pages;
  }

  Page page(int node) {
    return pages[node >> shift];
  }

  /** The vectors of all pages, for many reads; a page that is added later is not among them. */
  MemorySegment[] vectors() {
    return vectors;
  }

  MemorySegment vectors(int node) {
    return vectors[node >> shift];
  }

  /** Where a node's vector begins in {@link #vectors(int)}. */
  long at(int node) {
    return (long) (node & mask) * form.bytes();
  }

  /** The codes; null while there are none. */
  @Nullable Codes codes() {
    return codes;
  }

  /** Codes every vector, and every one that comes. No writer runs beside. */
  void codes(Quantizer quantizer) {
    synchronized (registry) {
      Codes made = new Codes(quantizer, mask + 1);
      made.room(pages.length);
      Quantizer.Work work = new Quantizer.Work(form.dimension());
      for (int node = 0; node < nodeLimit; node++) {
        if (state(node) != Page.FREE) {
          made.encode(this, node, work);
        }
      }
      codes = made;
    }
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
    return form.distance(vectors(a), at(a), vectors(b), at(b));
  }

  /**
   * The node for a prepared vector, with {@code ref} among its owners (the ref does not name the
   * node yet). A new node is LINKING, and its maker must link it and then call {@link #linked}.
   *
   * @return the node; its complement (~node) when it is new
   */
  int attach(float[] prepared, IdRef ref) {
    long hash = form.hash(prepared);
    synchronized (registry) {
      int node = equal.find(prepared, hash);
      if (node >= 0) {
        Page p = page(node);
        int i = node & mask;
        Owners owners = p.owners(i);
        if (owners == null) {
          p.owners(i, ref);
          p.state(i, Page.LIVE);
          deadNodes--;
          liveNodes++;
        } else if (ref.node != node) { // not the vector that it has already
          p.owners(i, owners.with(ref));
        }
        return node;
      }
      equal.room(); // first: if memory runs out here, nothing has changed yet
      reclaimIfUseful();
      node = freeNodeCount > 0 ? freeNodes[--freeNodeCount] : newNode();
      Page p = page(node);
      int i = node & mask;
      write(prepared, node);
      p.hash[i] = hash;
      Arrays.fill(p.links, i * linkStride, (i + 1) * linkStride, -1);
      p.parent[i] = -1;
      p.children[i] = 0;
      p.level[i] = 0;
      p.upper(i, null);
      p.owners(i, ref);
      p.state(i, Page.LINKING);
      VarHandle.releaseFence();
      equal.insert(node, hash);
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
    return node < 0 ? null : floats(node);
  }

  private float[] floats(int node) {
    float[] copy = new float[form.dimension()];
    copy(node, copy);
    return copy;
  }

  /** Copies a node's components to the first places of {@code to}. */
  void copy(int node, float[] to) {
    MemorySegment.copy(vectors(node), Kernels.FLOAT, at(node), to, 0, form.dimension());
  }

  private void write(float[] prepared, int node) {
    MemorySegment.copy(prepared, 0, vectors(node), Kernels.FLOAT, at(node), form.stride());
  }

  /**
   * Frees a dead node that nothing links to any more; its slot is reused when no search may hold
   * it.
   */
  void free(int node) {
    synchronized (registry) {
      Page p = page(node);
      int i = node & mask;
      equal.remove(node);
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
      if (number < sealed) {
        return; // until the index is compacted
      }
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
      MemorySegment[] memory = Arrays.copyOf(vectors, pages.length + 1);
      memory[pages.length] = Arena.ofAuto().allocate((mask + 1) * form.bytes(), ALIGNMENT);
      Page[] more = Arrays.copyOf(pages, pages.length + 1);
      more[pages.length] = new Page(mask + 1, linkStride);
      Codes c = codes;
      if (c != null) {
        c.room(more.length);
      }
      vectors = memory; // before the pages, which tell that there is room
      pages = more;
    }
    nodeLimit = node + 1;
    return node;
  }

  // ---- from files ----------------------------------------------------------------------------

  /** Adds a node with the next number, from a file: it gets its links and ids afterwards. */
  void restore(float[] prepared) {
    synchronized (registry) {
      equal.room();
      int node = newNode();
      write(prepared, node);
      long hash = form.hash(prepared);
      page(node).hash[node & mask] = hash;
      page(node).parent[node & mask] = -1;
      page(node).state(node & mask, Page.LIVE);
      equal.insert(node, hash);
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
        page(node).owners(node & mask, ref);
      } else {
        page(node).owners(node & mask, owners.with(ref));
      }
      ids.put(id, ref);
      idsVersion.incrementAndGet();
    }
  }

  // ---- commits -------------------------------------------------------------------------------

  long hash(int node) {
    return page(node).hash[node & mask];
  }

  void hash(int node, long hash) {
    page(node).hash[node & mask] = hash;
  }

  /** The first node from this one on that has changed since the last commit; −1 for none. */
  int nextDirty(int from) {
    for (int node = from; node < nodeLimit; node++) {
      Page p = page(node);
      if (!p.isDirty()) {
        node |= mask; // so that a commit's time follows the change, too
      } else if (p.isDirty(node & mask)) {
        return node;
      }
    }
    return -1;
  }

  /** Notes that an id has come, moved or left. */
  void changed(String id) {
    if (changedIds != null) {
      changedIds.add(id);
    }
  }

  /** What {@link #changed} has noted since the last commit. */
  Set<String> changedIds() {
    return changedIds == null ? Set.of() : changedIds;
  }

  /** Bytes of all vectors' places. */
  long vectorBytes() {
    return (long) pages.length * (mask + 1) * form.bytes();
  }

  /**
   * Bytes on the heap, by the sizes of the objects: an array has 16 bytes before its elements, a
   * reference 4, and all are rounded up to 8.
   */
  long heapBytes() {
    // links, parent, children, hash, references to upper layers and owners, three bytes
    long perNode = 4L * linkStride + 4 + 4 + 8 + 4 + 4 + 3;
    long sum = (long) pages.length * ((mask + 1L) * perNode + 9 * 16 + 64);
    for (Page p : pages) {
      sum += p.extraBytes();
    }
    sum += equal.heapBytes();
    long n = 0;
    for (IdRef ref : ids.values()) {
      // the map's entry, the reference, and the text: one byte a character or two
      boolean latin = ref.id.chars().allMatch(c -> c < 256);
      long text = (latin ? 1L : 2L) * ref.id.length();
      sum += 32 + 24 + 24 + ((16 + text + 7) & ~7L);
      n++;
    }
    // the map's places: a power of two, at most three quarters in use
    return sum + 4 * Long.highestOneBit(Math.max(8, n * 4 / 3)) * 2;
  }

  int sealed() {
    return sealed;
  }

  /** All there is is in a commit; no writer runs beside. */
  void committed() {
    synchronized (registry) {
      sealed = nodeLimit;
      freeNodeCount = 0; // their slots are in the file
      for (Page p : pages) {
        p.clean();
      }
      if (changedIds != null) {
        changedIds.clear();
      }
    }
  }

  /** Gives pages other memory of the same content. */
  void vectors(MemorySegment[] segments) {
    synchronized (registry) {
      vectors = segments;
    }
  }

  /** Makes an empty table one of so many nodes, all free, with their vectors. */
  void open(int nodes, MemorySegment[] segments) {
    synchronized (registry) {
      Page[] made = new Page[segments.length];
      for (int i = 0; i < made.length; i++) {
        made[i] = new Page(mask + 1, linkStride);
      }
      vectors = segments;
      pages = made;
      nodeLimit = nodes;
    }
  }

  /** Codes for what {@link #open} was given. */
  void codes(Quantizer quantizer, MemorySegment[] segments) {
    codes = new Codes(quantizer, mask + 1, segments);
  }

  /** Puts an id, or moves it; {@link #restored} follows. */
  void restoreId(String id, int node) {
    IdRef ref = ids.get(id);
    if (ref == null) {
      synchronized (registry) {
        ref = new IdRef(id, freeSlotCount > 0 ? freeSlots[--freeSlotCount] : slotLimit++);
      }
      ids.put(id, ref);
    }
    ref.node = node;
  }

  /** Removes an id; {@link #restored} follows. */
  void forgetId(String id) {
    IdRef ref = ids.remove(id);
    if (ref != null) {
      reuse(ref.slot, false);
    }
  }

  /** Makes the rest from states, hashes and ids; what can't be is thrown. */
  void restored(Function<String, RuntimeException> problem) {
    synchronized (registry) {
      for (IdRef ref : ids.values()) {
        int node = ref.node;
        if (state(node) != Page.LIVE) {
          throw problem.apply("id \"" + ref.id + "\" is at node " + node + ", which is not there");
        }
        Owners owners = owners(node);
        if (owners == null) {
          page(node).owners(node & mask, ref);
        } else {
          page(node).owners(node & mask, owners.with(ref));
        }
      }
      for (int node = 0; node < nodeLimit; node++) {
        byte state = state(node);
        if (state == Page.FREE) {
          continue;
        }
        if (state == Page.LIVE && owners(node) == null) {
          throw problem.apply("node " + node + " has no id");
        }
        equal.room();
        equal.insert(node, hash(node));
        liveNodes += state == Page.LIVE ? 1 : 0;
        deadNodes += state == Page.DEAD ? 1 : 0;
      }
    }
  }

  /** Whether a node is found by its vector; for {@link GraphCheck}. */
  boolean isFoundByVector(int node) {
    float[] v = floats(node);
    synchronized (registry) {
      return equal.find(v, form.hash(v)) == node;
    }
  }
}

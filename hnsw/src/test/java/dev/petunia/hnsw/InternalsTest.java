package dev.petunia.hnsw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.petunia.core.IdFilter;
import dev.petunia.core.Similarity;
import dev.petunia.core.testing.Generators;
import dev.petunia.core.testing.Property;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The small structures by themselves, above all where a stamp wraps or room runs out. */
class InternalsTest {
  private static VectorTable table(int dimension) {
    return new VectorTable(VectorForm.of(dimension, Similarity.EUCLIDEAN), 0, new Reclaimer());
  }

  @Test
  void distancesAreOrderedAsTheirKeysAre() {
    float[] ordered = {
      Float.NEGATIVE_INFINITY,
      -Float.MAX_VALUE,
      -1,
      -Float.MIN_VALUE,
      0,
      Float.MIN_VALUE,
      1e-20f,
      1,
      Float.MAX_VALUE,
      Float.POSITIVE_INFINITY
    };
    for (int i = 0; i < ordered.length; i++) {
      assertEquals(ordered[i], Beam.distance(Beam.key(ordered[i], 77)));
      for (int j = i + 1; j < ordered.length; j++) {
        assertTrue(Beam.key(ordered[i], Integer.MAX_VALUE) < Beam.key(ordered[j], 0));
      }
    }
    assertEquals(Beam.key(0f, 5), Beam.key(-0f, 5));
    assertEquals(Integer.MAX_VALUE, Beam.node(Beam.key(-3.5f, Integer.MAX_VALUE)));
    assertEquals(0, Beam.node(Beam.key(3.5f, 0)));
  }

  @Test
  void aBeamKeepsTheNearestAndExpandsEachOnceFromTheNearestOn() {
    Property.check(
        "a beam is a sorted list cut at its capacity",
        200,
        Generators.listOf(Generators.ints(0, 9), 0, 60),
        distances -> {
          int capacity = 1 + distances.size() % 7;
          Beam beam = new Beam();
          beam.reset(capacity);
          List<Long> want = new ArrayList<>();
          for (int i = 0; i < distances.size(); i++) {
            beam.offer(distances.get(i), i);
            want.add(Beam.key(distances.get(i), i));
            want.sort(Comparator.naturalOrder());
            want = new ArrayList<>(want.subList(0, Math.min(capacity, want.size())));
          }
          List<Long> expanded = new ArrayList<>();
          for (long key = beam.expandNext(); key != -1; key = beam.expandNext()) {
            expanded.add(key);
          }
          assertEquals(want, expanded);
          assertEquals(want.size(), beam.size());
        });
  }

  @Test
  void aScansBeamKeepsAllThatTieWithTheLastPlace() {
    Property.check(
        "the nearest k and all ties with the last of them",
        300,
        Generators.listOf(Generators.ints(0, 5), 0, 60),
        distances -> {
          int least = 1 + distances.size() % 7;
          Beam beam = new Beam();
          beam.reset(least);
          for (int i = 0; i < distances.size(); i++) {
            beam.offerWithTies(distances.get(i), i, least);
          }
          List<Integer> sorted = distances.stream().sorted().toList();
          int bound = sorted.isEmpty() ? 0 : sorted.get(Math.min(least, sorted.size()) - 1);
          Set<Integer> want = new HashSet<>();
          for (int i = 0; i < distances.size(); i++) {
            if (distances.get(i) <= bound) {
              want.add(i);
            }
          }
          Set<Integer> have = new HashSet<>();
          for (int i = 0; i < beam.size(); i++) {
            have.add(Beam.node(beam.key(i)));
          }
          assertEquals(want, have);
        });
  }

  @Test
  void aHeapGivesItsKeysInOrder() {
    Heap heap = new Heap();
    PriorityQueue<Long> want = new PriorityQueue<>();
    SplittableRandom random = Given.random(1);
    for (int i = 0; i < 5_000; i++) {
      if (want.isEmpty() || random.nextInt(3) > 0) {
        long key = random.nextLong(50);
        heap.push(key);
        want.add(key);
      } else {
        assertEquals(want.peek(), heap.peek());
        assertEquals(want.remove(), heap.pop());
      }
      assertEquals(want.isEmpty(), heap.isEmpty());
    }
  }

  @Test
  void theVisitedStampWrapsWithoutOldVisitsComingBack() {
    Scratch s = new Scratch(table(2));
    for (int search = 0; search < 1_000; search++) {
      s.newVisit(10);
      int node = search % 10;
      assertTrue(s.visit(node), "search " + search);
      assertFalse(s.visit(node));
      assertTrue(s.visit(5_000 + search)); // added while the search runs: it grows
      for (int other = 0; other < 10; other++) {
        assertEquals(other != node, s.visit(other), "search " + search);
      }
    }
  }

  @Test
  void theJudgementStampWrapsWithoutOldJudgementsComingBack() {
    Admission admission = new Admission(table(2));
    IdRef ref = new IdRef("a", 3);
    int[] asked = new int[1];
    for (int search = 0; search < 40_000; search++) { // twice around 2^14
      boolean answer = search % 3 == 0;
      admission.begin(
          IdFilter.where(
              x -> {
                asked[0]++;
                return answer;
              }),
          null);
      assertEquals(answer, admission.accepts(ref));
      assertEquals(answer, admission.accepts(ref));
      assertEquals(search + 1, asked[0]);
      admission.clear();
    }
  }

  @Test
  void exclusionIsByIdAndEndsWithTheSearch() {
    Admission admission = new Admission(table(2));
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      ids.add("Aa".repeat(i % 4) + "BB".repeat(3 - i % 4) + i); // many with one hash code
    }
    admission.begin(null, null);
    admission.exclude(ids);
    for (String id : ids) {
      assertFalse(admission.accepts(new IdRef(id, 7_000 + ids.indexOf(id))));
    }
    assertTrue(admission.accepts(new IdRef("another", 1)));
    admission.clear();
    admission.begin(null, null);
    admission.exclude(List.of("x"));
    assertTrue(admission.accepts(new IdRef(ids.getFirst(), 7_000)));
    assertFalse(admission.accepts(new IdRef("x", 2)));
    admission.clear();
    admission.begin(null, null);
    assertTrue(admission.accepts(new IdRef("x", 2)));
  }

  @Test
  void aSlotIsReusedOnlyWhenNoEarlierSearchRuns() {
    VectorTable table = table(2);
    Reclaimer reclaimer = new Reclaimer();
    List<Integer> free = new ArrayList<>();
    Scratch before = reclaimer.enter(table);
    reclaimer.retire(1, true);
    Scratch after = reclaimer.enter(table);
    reclaimer.retire(2, true);
    reclaimer.reclaim((number, isNode) -> free.add(number));
    assertEquals(List.of(), free);
    reclaimer.exit(before);
    reclaimer.reclaim((number, isNode) -> free.add(number));
    assertEquals(List.of(1), free);
    reclaimer.exit(after);
    reclaimer.reclaim((number, isNode) -> free.add(number));
    assertEquals(List.of(1, 2), free);
  }

  @Test
  void ownersComeAndGoInAnyOrder() {
    for (int seed = 0; seed < 20; seed++) {
      SplittableRandom random = Given.random(seed);
      IdRef first = new IdRef("first", 0);
      Owners owners = first;
      List<IdRef> want = new ArrayList<>(List.of(first));
      for (int i = 1; i < 400 && owners != null; i++) {
        if (random.nextInt(5) < 3) {
          IdRef ref = new IdRef("r" + i, i);
          owners = owners.with(ref);
          want.add(ref);
        } else {
          IdRef gone = want.remove(random.nextInt(want.size()));
          owners = owners.without(gone);
        }
        List<IdRef> have = new ArrayList<>();
        for (int o = 0; owners != null && o < owners.size(); o++) {
          IdRef ref = owners.get(o);
          if (ref != null) {
            have.add(ref);
          }
        }
        assertEquals(want, have);
        assertTrue(owners == null || owners.size() <= 2 * want.size());
        assertEquals(want.isEmpty(), owners == null);
      }
    }
  }

  @Test
  void equalVectorsAreFoundByContentThroughGrowthAndRemoval() {
    VectorTable table = table(1); // whole numbers as vectors: many hashes, many neighbours
    SplittableRandom random = Given.random(2);
    IdRef[] there = new IdRef[500];
    int[] node = new int[500];
    for (int i = 0; i < 20_000; i++) {
      int k = random.nextInt(500);
      float[] v = {k};
      IdRef known = there[k];
      if (known == null) {
        IdRef ref = table.newRef("v" + k);
        int fresh = table.attach(v, ref);
        assertTrue(fresh < 0, "a vector that was not there is new");
        node[k] = ~fresh;
        ref.node = node[k];
        table.linked(node[k]);
        there[k] = ref;
      } else if (random.nextBoolean()) {
        assertEquals(node[k], table.attach(v, known));
      } else {
        assertTrue(table.detach(node[k], known));
        table.free(node[k]);
        there[k] = null;
      }
    }
    for (int k = 0; k < 500; k++) {
      if (there[k] != null) {
        assertTrue(table.isFoundByVector(node[k]));
      }
    }
    assertTrue(table.nodeLimit() <= 501, () -> table.nodeLimit() + " nodes for 500 at most");
  }

  @Test
  void anInsertThatFailedHalfWayStopsFurtherChanges() {
    VectorTable table = table(2);
    IdWriter writer =
        new IdWriter(
            table,
            new IdWriter.Links() {
              @Override
              public void link(int node) {
                if (node == 1) {
                  throw new UnsupportedOperationException("no more");
                }
              }

              @Override
              public void died(int node) {}
            });
    writer.put("a", Given.v(1, 2), true);
    assertThrows(UnsupportedOperationException.class, () -> writer.put("b", Given.v(3, 4), true));
    for (org.junit.jupiter.api.function.Executable call :
        List.<org.junit.jupiter.api.function.Executable>of(
            () -> writer.put("c", Given.v(5, 6), true),
            () -> writer.delete("a"),
            writer::requireIntact)) {
      IllegalStateException e = assertThrows(IllegalStateException.class, call);
      assertTrue(String.valueOf(e.getMessage()).contains("failed half-way"));
      assertNotNull(e.getCause());
    }
    assertNull(table.ids.get("b"));
    assertNotNull(table.ids.get("a"));
  }

  @Test
  void levelsAreGeometricAndTheSameForTheSameSeed() {
    VectorTable table = new VectorTable(VectorForm.of(2, Similarity.COSINE), 32, new Reclaimer());
    Graph graph = new Graph(table, 16);
    Inserter one = new Inserter(graph, new Walk(graph), 10, 42);
    Inserter same = new Inserter(graph, new Walk(graph), 10, 42);
    Inserter other = new Inserter(graph, new Walk(graph), 10, 43);
    int[] count = new int[Graph.MAX_LEVEL + 1];
    int differ = 0;
    for (int i = 0; i < 100_000; i++) {
      int level = one.level(i);
      assertEquals(level, same.level(i));
      differ += level == other.level(i) ? 0 : 1;
      count[level]++;
    }
    assertTrue(differ > 1_000);
    // each level holds a sixteenth of the one below
    assertEquals(100_000 * 15 / 16.0, count[0], 300);
    assertEquals(100_000 * 15 / 256.0, count[1], 300);
    assertEquals(100_000 * 15 / 4096.0, count[2], 80);
  }
}

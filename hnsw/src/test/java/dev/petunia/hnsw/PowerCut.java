package dev.petunia.hnsw;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Records what is done to one directory, and makes directories as a power cut may leave them. What
 * was forced is there. Of what was not, any part may be: each write wholly, half, not at all, or as
 * other bytes, in any order; each name that came, went or was given to another file, or not.
 */
final class PowerCut implements FaultyFileSystem.Faults {
  private final List<FaultyFileSystem.Change> changes = new ArrayList<>();

  @Override
  public void before(String operation, Path file) {}

  @Override
  public synchronized void after(FaultyFileSystem.Change change) {
    changes.add(change);
  }

  /** How many changes there were. */
  synchronized int size() {
    return changes.size();
  }

  synchronized String describe(int n) {
    FaultyFileSystem.Change c = changes.get(n);
    return c.operation() + " " + c.file().getFileName();
  }

  /** A file's content; its names are kept apart. */
  private static final class Content {
    byte[] forced = new byte[0];
    final List<FaultyFileSystem.Change> since = new ArrayList<>();

    void force() {
      for (FaultyFileSystem.Change c : since) {
        forced = apply(forced, c, c.bytes(), c.bytes().length);
      }
      since.clear();
    }

    static byte[] apply(byte[] old, FaultyFileSystem.Change c, byte[] bytes, int length) {
      if (c.operation().equals("truncate")) {
        return new byte[0];
      }
      int at = Math.toIntExact(c.position());
      byte[] now = Arrays.copyOf(old, Math.max(old.length, at + length));
      System.arraycopy(bytes, 0, now, at, length);
      return now;
    }

    byte[] afterCut(Random random, int kept) {
      List<FaultyFileSystem.Change> left = new ArrayList<>(since);
      Collections.shuffle(left, random);
      byte[] now = forced;
      for (FaultyFileSystem.Change c : left) {
        int length = c.bytes().length;
        if (random.nextInt(100) < kept) {
          now = apply(now, c, c.bytes(), length);
        } else if (random.nextInt(3) == 0) {
          now = apply(now, c, c.bytes(), length == 0 ? 0 : random.nextInt(length));
        } else if (random.nextInt(2) == 0 && length > 0) {
          byte[] other = new byte[length];
          random.nextBytes(other);
          now = apply(now, c, other, length);
        }
      }
      return now;
    }
  }

  /** A name came, went or changed its file, and that is not forced yet. */
  private record Naming(String remove, String put, Content content) {}

  /**
   * Makes a directory as it may be when the power fails after the first {@code n} changes.
   *
   * @param kept per cent of unforced changes that are there all the same
   */
  synchronized void cut(int n, Random random, int kept, Path root, Path to) throws IOException {
    Map<String, Content> names = new HashMap<>();
    Map<String, Content> forced = new HashMap<>();
    List<Naming> since = new ArrayList<>();
    for (FaultyFileSystem.Change c : changes.subList(0, n)) {
      String name = c.file().getFileName().toString();
      switch (c.operation()) {
        case "create" -> {
          if (!names.containsKey(name)) {
            Content content = new Content();
            names.put(name, content);
            since.add(new Naming("", name, content));
          }
        }
        case "truncate", "write" -> of(names, name).since.add(c);
        case "force" -> {
          if (c.file().equals(root)) {
            forced = new HashMap<>(names);
            since.clear();
          } else {
            of(names, name).force();
          }
        }
        case "move" -> {
          String target = c.target().getFileName().toString();
          Content content = of(names, name);
          names.remove(name);
          names.put(target, content);
          since.add(new Naming(name, target, content));
        }
        case "delete" -> {
          since.add(new Naming(name, "", of(names, name)));
          names.remove(name);
        }
        default -> throw new AssertionError(c);
      }
    }
    for (Naming naming : since) {
      if (random.nextInt(100) < kept) {
        forced.remove(naming.remove);
        if (!naming.put.isEmpty()) {
          forced.put(naming.put, naming.content);
        }
      }
    }
    Files.createDirectories(to);
    for (Map.Entry<String, Content> e : forced.entrySet()) {
      Files.write(to.resolve(e.getKey()), e.getValue().afterCut(random, kept));
    }
  }

  private static Content of(Map<String, Content> names, String name) {
    Content content = names.get(name);
    if (content == null) {
      throw new AssertionError(name + " is not there");
    }
    return content;
  }
}

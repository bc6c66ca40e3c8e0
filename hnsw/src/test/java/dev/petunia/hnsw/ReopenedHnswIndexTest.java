package dev.petunia.hnsw;

import dev.petunia.core.VectorIndex;
import java.nio.file.Path;
import java.util.IdentityHashMap;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** The contract over an index that was committed and opened again before it is asked. */
class ReopenedHnswIndexTest extends VectorIndexContract {
  @TempDir Path folder;
  private final Map<VectorIndex, Opened> opened = new IdentityHashMap<>();

  private record Opened(Path directory, HnswConfig config) {}

  @Override
  VectorIndex make(HnswConfig config) {
    Path directory = folder.resolve("index-" + opened.size());
    HnswIndex index = HnswIndex.open(directory, config);
    opened.put(index, new Opened(directory, config));
    return index;
  }

  @Override
  VectorIndex settle(VectorIndex index) {
    Opened o = opened.get(index);
    if (o == null || !(index instanceof HnswIndex before)) {
      throw new AssertionError("not made here: " + index);
    }
    before.verify();
    before.commit();
    before.close();
    HnswIndex after = HnswIndex.open(o.directory, o.config);
    opened.put(after, o);
    return checkedAtEnd(after);
  }
}

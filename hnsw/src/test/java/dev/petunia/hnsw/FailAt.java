package dev.petunia.hnsw;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The operation of a number fails, and with {@code forGood} all after it too. */
final class FailAt implements FaultyFileSystem.Faults {
  private final int failing;
  private final boolean forGood;
  final List<String> done = new ArrayList<>();
  boolean failed;

  FailAt(int failing, boolean forGood) {
    this.failing = failing;
    this.forGood = forGood;
  }

  @Override
  public void before(String operation, Path file) throws IOException {
    done.add(operation + " " + file.getFileName());
    if (done.size() - 1 == failing || (failed && forGood)) {
      failed = true;
      throw new FileSystemException(file.toString(), null, "No space left on device");
    }
  }

  /** How often an operation was done before the one that failed. */
  long before(String operation) {
    return done.stream().limit(failing).filter(operation::equals).count();
  }

  /** The operation that failed. */
  String operation() {
    return done.get(failing);
  }
}

package dev.petunia.benchmarks.dedup;

import dev.petunia.benchmarks.Options;
import dev.petunia.benchmarks.Program;
import dev.petunia.benchmarks.Report;
import dev.petunia.benchmarks.ann.Folders;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Near-duplicates: what is found, how quickly, in how much space, against truth and peers. */
public final class DedupProgram implements Program {
  private static final List<DedupPart> PARTS =
      List.of(
          new TruthPart(),
          new SpeedPart(),
          new PeersPart(),
          new DiskPart(),
          new HotPart(),
          new RescorePart(),
          new ScalingPart(),
          new SimHashPart(),
          new StreamPart());

  private final PrintStream out = System.out;

  @Override
  public String name() {
    return "dedup";
  }

  @Override
  public String summary() {
    return "near-duplicates: recall and precision, docs/s, peers, space, stress, threads";
  }

  @Override
  public List<String> help() {
    return List.of(
        "--part NAMES        of " + parts() + ", by commas (default: all)",
        "--corpora NAMES     of those that the data folder has, for truth (default: all)",
        "--quick             small slices and few rounds: whether it runs, not how fast");
  }

  private static List<String> parts() {
    return PARTS.stream().map(DedupPart::name).toList();
  }

  @Override
  public void run(Options options, Report report) throws Exception {
    boolean isQuick = options.flag("quick");
    Corpora corpora = new Corpora(options.data(), isQuick);
    List<String> parts = options.words("part", parts(), parts());
    List<String> names = options.words("corpora", corpora.names(), corpora.names());
    options.refuseUnread();
    if (corpora.isMade()) {
      out.println("no data folder: the texts are made, and near-duplicates planted in them");
    }
    Path scratch = Files.createTempDirectory("petunia-dedup-");
    try {
      DedupContext context = new DedupContext(corpora, names, report, out, scratch, isQuick);
      for (DedupPart part : PARTS) {
        if (parts.contains(part.name())) {
          part.run(context);
        }
      }
    } finally {
      Folders.delete(scratch);
    }
  }
}

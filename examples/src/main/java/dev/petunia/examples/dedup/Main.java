package dev.petunia.examples.dedup;

import dev.petunia.core.Chunk;
import dev.petunia.core.ProgressListener;
import dev.petunia.dedup.Cluster;
import dev.petunia.dedup.DedupConfig;
import dev.petunia.dedup.DedupIndex;
import dev.petunia.dedup.Document;
import dev.petunia.dedup.EdgeExport;
import dev.petunia.dedup.PromotionPolicy;
import dev.petunia.dedup.RunReport;
import dev.petunia.dedup.SpotCheck;
import dev.petunia.dedup.SpotCheck.Answer;
import dev.petunia.dedup.SuppressionView;
import dev.petunia.examples.Example;
import dev.petunia.examples.conversation.corpus.Chunks;
import dev.petunia.examples.conversation.corpus.Corpus;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds near-duplicates among passages, and shows them. */
public final class Main {
  private static final int SAMPLE = 200;
  private static final long SEED = 1;

  private Main() {}

  /** Runs it; see {@code --help}. */
  public static void main(String[] args) {
    Example.main(args, Arguments.USAGE, out -> run(Arguments.parse(args), out));
  }

  static void run(Arguments arguments, PrintStream out) throws IOException {
    Corpus corpus = Example.corpus(arguments.corpus(), arguments.packages());
    Chunks chunks = corpus.chunks(ProgressListener.NONE);
    out.printf("%,d passages of the %s%n", chunks.total(), corpus.name());
    Map<String, String> texts = new HashMap<>();
    List<Document> documents = new ArrayList<>();
    for (Chunk c : chunks) {
      String text = arguments.corpus().isPresent() ? withoutTitle(c) : c.text();
      texts.put(c.id(), text);
      documents.add(new Document(c.id(), text));
    }
    DedupConfig config =
        DedupConfig.DEFAULT.withThreads(Runtime.getRuntime().availableProcessors());
    try (DedupIndex index =
        arguments.index().isPresent()
            ? DedupIndex.open(arguments.index().get(), config)
            : DedupIndex.inMemory(config)) {
      Set<String> gone = new HashSet<>(index.ids());
      gone.removeAll(texts.keySet());
      gone.forEach(index::remove);
      long began = System.nanoTime();
      RunReport run = index.ingest(documents);
      double seconds = (System.nanoTime() - began) / 1e9;
      SpotCheck check = SpotCheck.sample(index.edges(), SAMPLE, SEED, false);
      if (arguments.verdicts().isPresent()) {
        List<Answer> answers = check.answers(Files.readString(arguments.verdicts().get()));
        SpotCheck.judge(index, answers);
        out.println("spot check  " + check.summary(answers));
      }
      SuppressionView view = index.view(PromotionPolicy.DEFAULT, texts::get);
      List<Cluster> clusters = index.clusters();
      Report report = new Report(index, texts, view, out);
      report.run(run, gone.size(), seconds);
      report.clusters(clusters, arguments.clusters());
      if (arguments.html().isPresent()) {
        String page = new HtmlPage(index, texts, view).of(corpus.name(), clusters);
        write(arguments.html().get(), page, out);
      }
      if (arguments.edges().isPresent()) {
        StringBuilder edges = new StringBuilder();
        if (arguments.edges().get().toString().endsWith(".csv")) {
          EdgeExport.csv(index.edges(), true, edges);
        } else {
          EdgeExport.jsonLines(index.edges(), true, edges);
        }
        write(arguments.edges().get(), edges.toString(), out);
      }
      if (arguments.spotCheck().isPresent()) {
        write(arguments.spotCheck().get(), check.sheet(index, texts::get), out);
        out.println("spot check  " + check.summary(List.of()));
      }
      index.commit();
    }
  }

  /** Of a file's passage what the file says: a copy under another name is a copy. */
  private static String withoutTitle(Chunk c) {
    return c.text().substring(c.text().indexOf('\n') + 1);
  }

  private static void write(Path file, String text, PrintStream out) throws IOException {
    Files.writeString(file, text, StandardCharsets.UTF_8);
    out.printf("written: %s (%,d characters)%n", file, text.length());
  }
}

package dev.petunia.examples.floor;

import dev.petunia.core.Deadline;
import dev.petunia.examples.Example;
import dev.petunia.examples.conversation.IndexCache;
import dev.petunia.examples.conversation.corpus.Corpus;
import dev.petunia.rerank.CrossEncoder;
import dev.petunia.rerank.CrossEncoderConfig;
import dev.petunia.retriever.FloorRequest;
import dev.petunia.retriever.QueryLogOptions;
import dev.petunia.retriever.Retriever;
import dev.petunia.retriever.RetrieverConfig;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;

/** Asks once, with a cross-encoder and a deadline if given, and prints what each stage did. */
public final class Main {
  private Main() {}

  /** Runs it; see {@code --help}. */
  public static void main(String[] args) {
    Example.main(args, Arguments.USAGE, out -> run(Arguments.parse(args), out));
  }

  private static void run(Arguments arguments, PrintStream out) throws IOException {
    Corpus corpus = Example.corpus(arguments.corpus(), arguments.packages());
    try (Retriever retriever =
        new IndexCache(arguments.cache(), out)
            .open(corpus, config -> options(config, arguments, out))) {
      FloorRequest request = FloorRequest.of(arguments.question());
      // The first question pays for class loading and cold caches: it is not the one that is timed.
      // It is another one, as the cross-encoder remembers what it has scored.
      retriever.ask(
          FloorRequest.of("a question to warm up")
              .deadline(Deadline.after(Duration.ofMillis(200))));
      if (arguments.deadline().isPresent()) {
        request = request.deadline(Deadline.after(arguments.deadline().get()));
      }
      new FloorPrinter(out).print(retriever.ask(request), arguments.show());
    }
  }

  private static RetrieverConfig.Builder options(
      RetrieverConfig.Builder config, Arguments arguments, PrintStream out) {
    arguments.log().map(QueryLogOptions::in).ifPresent(config::queryLog);
    if (arguments.model().isPresent()) {
      long began = System.nanoTime();
      CrossEncoder model =
          CrossEncoder.open(
              CrossEncoderConfig.builder(arguments.model().get())
                  .maxDocumentTokens(arguments.documentTokens())
                  .build());
      config.reranker(model);
      model
          .readiness()
          .models()
          .forEach(
              m ->
                  out.printf(
                      "model     %s: %s%s in %.1f s%n",
                      m.label(),
                      m.state(),
                      m.cause().or(m::selfCheck).map(t -> " (" + t + ")").orElse(""),
                      (System.nanoTime() - began) / 1e9));
    }
    return config;
  }
}

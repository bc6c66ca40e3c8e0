package dev.petunia.examples.conversation.corpus;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import dev.petunia.core.ProgressListener;
import dev.petunia.examples.conversation.corpus.CorpusReport.Item;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Parses the sources of a zip with the JDK's compiler, in parallel. It only parses: nothing is
 * resolved, so a file needs no other.
 */
final class SourceReader {
  /** Files for one compiler task: few enough that their trees are soon garbage. */
  private static final int BATCH = 16;

  private final SourceZip zip;
  private final Progress progress;

  /** The types of all files in the order of {@link SourceZip#sources}, and what went wrong. */
  record Result(List<JdkType> types, int files, List<Item> notes) {}

  private SourceReader(SourceZip zip, Progress progress) {
    this.zip = zip;
    this.progress = progress;
  }

  /**
   * Reads all sources of a zip.
   *
   * @throws IOException when the zip can't be read
   * @throws CancellationException when the listener cancels
   */
  static Result read(SourceZip zip, ProgressListener listener) throws IOException {
    List<String> sources = zip.sources();
    SourceReader reader =
        new SourceReader(zip, new Progress(listener, "reading sources", sources.size()));
    int threads = Math.min(8, Runtime.getRuntime().availableProcessors());
    List<Future<Result>> parts = new ArrayList<>();
    // close() waits for what has begun; after a failure the rest is not begun
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      for (int i = 0; i < sources.size(); i += BATCH) {
        List<String> batch = sources.subList(i, Math.min(i + BATCH, sources.size()));
        parts.add(pool.submit(() -> reader.parse(batch)));
      }
      return join(parts, pool);
    }
  }

  private static Result join(List<Future<Result>> parts, ExecutorService pool) throws IOException {
    List<JdkType> types = new ArrayList<>();
    List<Item> notes = new ArrayList<>();
    int files = 0;
    try {
      for (Future<Result> part : parts) {
        Result r = part.get();
        types.addAll(r.types());
        notes.addAll(r.notes());
        files += r.files();
      }
      return new Result(types, files, notes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while reading sources");
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException io -> throw io;
        case UncheckedIOException io -> throw io.getCause();
        case CancellationException c -> throw c;
        case RuntimeException r -> throw r;
        case Error error -> throw error;
        case null, default -> throw new IllegalStateException(e);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private Result parse(List<String> paths) throws IOException {
    List<Source> sources = new ArrayList<>();
    for (String path : paths) {
      String text = zip.read(path);
      if (text == null) {
        throw new IOException(path + " is no longer in the zip");
      }
      sources.add(new Source(path, text));
    }
    DiagnosticCollector<JavaFileObject> errors = new DiagnosticCollector<>();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    // no file manager: nothing but the sources given is opened
    JavacTask task =
        (JavacTask) compiler.getTask(null, null, errors, List.of("-proc:none"), null, sources);
    Map<String, String> firstError = new HashMap<>();
    List<JdkType> types = new ArrayList<>();
    List<Item> notes = new ArrayList<>();
    int files = 0;
    Iterable<? extends CompilationUnitTree> units = task.parse();
    for (Diagnostic<? extends JavaFileObject> d : errors.getDiagnostics()) {
      if (d.getKind() == Diagnostic.Kind.ERROR && d.getSource() != null) {
        String where = "line " + d.getLineNumber() + ": " + d.getMessage(Locale.ROOT);
        firstError.putIfAbsent(path(d.getSource()), where);
      }
    }
    DocTrees trees = DocTrees.instance(task);
    for (CompilationUnitTree unit : units) {
      String path = path(unit.getSourceFile());
      Snippets snippets = new Snippets(zip, path);
      List<JdkType> found = SourceScanner.scan(unit, trees, snippets);
      types.addAll(found);
      files += found.isEmpty() ? 0 : 1;
      for (String missing : snippets.missing()) {
        notes.add(new Item(path, "snippet not found", missing));
      }
      String error = firstError.get(path);
      if (error != null) {
        notes.add(new Item(path, "read up to what the compiler could not parse", error));
      }
      progress.step();
    }
    return new Result(types, files, notes);
  }

  /** The compiler wraps file objects, so only their address leads back. */
  private static String path(JavaFileObject file) {
    return file.toUri().getPath().substring(1);
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String path, String text) {
      super(URI.create("src:///" + path), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}

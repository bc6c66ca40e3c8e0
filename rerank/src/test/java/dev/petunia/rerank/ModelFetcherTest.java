package dev.petunia.rerank;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.petunia.core.ProgressListener;
import dev.petunia.core.testing.Expect;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Against a local server that breaks connections, refuses, and forgets ranges. */
@Timeout(60)
class ModelFetcherTest {
  private static final int SIZE = 300_000;

  @TempDir Path dir;

  private final byte[] content = new byte[SIZE];
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private HttpServer server;

  /** Bytes sent before the connection is cut; −1 to send all. */
  private volatile int cutAfter = -1;

  private volatile int status = 200;
  private volatile int failuresLeft;
  private volatile boolean ranges = true;

  @BeforeEach
  void start() throws IOException {
    new Random(1).nextBytes(content);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/m/", this::serve);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void serve(HttpExchange x) throws IOException {
    String range = x.getRequestHeaders().getFirst("Range");
    requests.add(x.getRequestURI().getPath() + (range == null ? "" : " " + range));
    int from = range == null || !ranges ? 0 : Integer.parseInt(range.replaceAll("\\D", ""));
    int answer = failuresLeft-- > 0 ? status : from > 0 ? 206 : 200;
    if (from >= SIZE) {
      x.sendResponseHeaders(416, -1);
    } else if (answer >= 300) {
      x.sendResponseHeaders(answer, -1);
    } else {
      if (answer == 206) {
        x.getResponseHeaders()
            .set("Content-Range", "bytes " + from + "-" + (SIZE - 1) + "/" + SIZE);
      }
      x.sendResponseHeaders(answer, SIZE - from);
      OutputStream out = x.getResponseBody();
      int n = cutAfter < 0 ? SIZE - from : Math.min(cutAfter, SIZE - from);
      out.write(content, from, n);
      out.flush();
    }
    x.close(); // before all was sent: the connection breaks
  }

  private ModelFetcher.Builder builder() {
    URI base = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/m/");
    return ModelFetcher.builder(base, dir.resolve("model"))
        .plainLocalHttp(true)
        .pause(Duration.ofMillis(1));
  }

  private String hash() throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
  }

  private void assertWhole(Path directory, String name) throws IOException {
    assertArrayEquals(content, Files.readAllBytes(directory.resolve(name)));
    assertFalse(Files.exists(dir.resolve("model.part")));
    assertFalse(Files.exists(dir.resolve("model.lock")));
  }

  @Test
  void filesAreFetchedOnceWithProgressAndFoundAgainWithoutAskingTheServer() throws Exception {
    List<String> heard = new ArrayList<>();
    ProgressListener listener = (stage, done, total) -> heard.add(stage + done + "/" + total);
    ModelFetcher fetcher =
        builder().file("onnx/model.onnx", hash()).file("tokenizer.json", hash()).build();
    Path got = fetcher.fetch(listener);
    assertWhole(got, "onnx/model.onnx");
    assertWhole(got, "tokenizer.json");
    assertTrue(heard.contains("onnx/model.onnx300000/300000"), heard.toString());
    assertEquals(2, requests.size());
    assertEquals(got, fetcher.fetch(ProgressListener.NONE));
    assertEquals(2, requests.size());
  }

  @Test
  void nothingIsFetchedBeforeItIsAskedFor() throws Exception {
    ModelFetcher fetcher = builder().file("model.onnx", hash()).build();
    fetcher.discardPartial();
    assertEquals(List.of(), requests);
    assertFalse(Files.exists(dir.resolve("model")));
  }

  @Test
  void cutConnectionsAreContinuedWhereTheyBroke() throws Exception {
    cutAfter = 90_000;
    Path got = builder().file("model.onnx", hash()).build().fetch(ProgressListener.NONE);
    assertWhole(got, "model.onnx");
    assertEquals("/m/model.onnx", requests.getFirst());
    assertTrue(requests.size() >= 4, requests.toString());
    assertTrue(requests.getLast().contains("Range") || requests.getLast().contains("bytes="));
  }

  @Test
  void aLaterCallContinuesWhatACancelledOneHasLeft() throws Exception {
    ModelFetcher fetcher = builder().file("model.onnx", hash()).build();
    assertThrows(
        CancellationException.class, () -> fetcher.fetch((stage, done, total) -> done < 100_000));
    assertFalse(Files.exists(dir.resolve("model")));
    assertWhole(fetcher.fetch(ProgressListener.NONE), "model.onnx");
    assertTrue(requests.getLast().contains("bytes="), requests.toString());
  }

  @Test
  void aServerThatForgetsRangesSendsTheWholeFileAgain() throws Exception {
    ModelFetcher fetcher = builder().file("model.onnx", hash()).build();
    assertThrows(
        CancellationException.class, () -> fetcher.fetch((stage, done, total) -> done < 100_000));
    ranges = false;
    assertWhole(fetcher.fetch(ProgressListener.NONE), "model.onnx");
  }

  @Test
  void aWrongHashIsRefusedAndTheFileRemoved() throws Exception {
    String other = "0".repeat(64);
    ModelFetcher fetcher = builder().file("model.onnx", other).build();
    IOException e = assertThrows(IOException.class, () -> fetcher.fetch(ProgressListener.NONE));
    assertTrue(e.getMessage().contains(hash()) && e.getMessage().contains(other), e.getMessage());
    assertFalse(Files.exists(dir.resolve("model")));
    assertFalse(Files.exists(dir.resolve("model.part").resolve("model.onnx.partial")));
    assertFalse(Files.exists(dir.resolve("model.part").resolve("model.onnx")));
  }

  @Test
  void aBusyServerIsAskedAgainAndAMissingFileIsNot() throws Exception {
    status = 503;
    failuresLeft = 3;
    assertWhole(
        builder().file("model.onnx", hash()).build().fetch(ProgressListener.NONE), "model.onnx");
    assertEquals(4, requests.size());
    requests.clear();
    status = 404;
    failuresLeft = 9;
    ModelFetcher missing =
        ModelFetcher.builder(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/m/"),
                dir.resolve("other"))
            .plainLocalHttp(true)
            .file("x", hash())
            .build();
    IOException e = assertThrows(IOException.class, () -> missing.fetch(ProgressListener.NONE));
    assertTrue(e.getMessage().contains("404"), e.getMessage());
    assertEquals(1, requests.size());
  }

  @Test
  void aServerThatNeverBringsAnythingIsGivenUp() throws Exception {
    cutAfter = 0;
    ModelFetcher fetcher = builder().file("model.onnx", hash()).attempts(3).build();
    IOException e = assertThrows(IOException.class, () -> fetcher.fetch(ProgressListener.NONE));
    assertTrue(e.getMessage().contains("3 attempts"), e.getMessage());
    assertEquals(3, requests.size());
  }

  @Test
  void aDirectoryWithOtherFilesIsLeftAlone() throws Exception {
    Files.createDirectories(dir.resolve("model"));
    ModelFetcher fetcher = builder().file("model.onnx", hash()).build();
    IOException e = assertThrows(IOException.class, () -> fetcher.fetch(ProgressListener.NONE));
    assertTrue(e.getMessage().contains("without model.onnx"), e.getMessage());
    assertEquals(List.of(), requests);
  }

  @Test
  void onlyHttpsAndSafeNamesAreAccepted() {
    String sha = "0".repeat(64);
    for (String bad : List.of("http://example.org/m/", "http://127.0.0.1:1/m/", "ftp://a/")) {
      Expect.refused(
          "base",
          bad,
          "an https address",
          () -> ModelFetcher.builder(URI.create(bad), dir.resolve("x")).file("a", sha).build());
    }
    Expect.refused(
        "base",
        "http://example.org/",
        "an https",
        () ->
            ModelFetcher.builder(URI.create("http://example.org/"), dir.resolve("x"))
                .plainLocalHttp(true)
                .file("a", sha)
                .build());
    for (String bad : List.of("../x", "/x", "a/../b", "a//b", "", ".hidden", "a b")) {
      Expect.refused("name", bad, "a relative name", () -> builder().file(bad, sha));
    }
    Expect.refused("sha256", "abc", "64 hexadecimal", () -> builder().file("a", "abc"));
    Expect.refused("files", "0 entries", "at least 1", () -> builder().build());
  }
}

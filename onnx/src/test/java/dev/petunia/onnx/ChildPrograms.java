package dev.petunia.onnx;

import dev.petunia.core.TextForm;
import dev.petunia.onnx.internal.OnnxSession;
import dev.petunia.onnx.internal.SessionSettings;
import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.util.Collections;
import java.util.List;

/** Programs that {@link ProcessTest} runs in JVMs of their own. */
final class ChildPrograms {
  private static final String TEXT = "a passage about nothing in particular ".repeat(30);

  private ChildPrograms() {}

  /**
   * Embeds, and prints every connection that Java code wanted to make, without making it. DJL uses
   * URLs and forbids proxies; everything else (HttpClient, plain sockets) asks the proxy selector.
   */
  static final class Connections {
    public static void main(String[] args) {
      URL.setURLStreamHandlerFactory(scheme -> scheme.startsWith("http") ? new Refusing() : null);
      ProxySelector.setDefault(
          new ProxySelector() {
            @Override
            public List<Proxy> select(URI uri) {
              System.out.println("CONNECT " + uri);
              throw new IllegalArgumentException("no connections here");
            }

            @Override
            public void connectFailed(URI uri, SocketAddress sa, IOException e) {}
          });
      // Not closed: the JVM must end all the same.
      OnnxEmbedder embedder = OnnxEmbedder.builder(AllMiniLm.model()).threads(3).open();
      embedder.embed(Collections.nCopies(6, TEXT), TextForm.DOCUMENT);
      for (String name : List.of("OPT_OUT_TRACKING", "RUST_FLAVOR")) {
        System.out.println(name + "=" + System.getProperty(name));
      }
    }
  }

  private static final class Refusing extends URLStreamHandler {
    @Override
    protected URLConnection openConnection(URL url) throws IOException {
      System.out.println("CONNECT " + url);
      throw new IOException("no connections here");
    }

    @Override
    protected URLConnection openConnection(URL url, Proxy proxy) throws IOException {
      return openConnection(url);
    }
  }

  /** Ends while daemon threads are in the graph: by return, or by exit if there is an argument. */
  static final class LeaveWhileRunning {
    public static void main(String[] args) throws InterruptedException {
      OnnxEmbedder embedder = OnnxEmbedder.builder(AllMiniLm.model()).threads(3).open();
      for (int i = 0; i < 3; i++) {
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  while (true) {
                    embedder.embed(Collections.nCopies(4, TEXT), TextForm.DOCUMENT);
                  }
                });
      }
      Thread.sleep(300);
      System.out.println("LEAVING");
      if (args.length > 0) {
        System.exit(0);
      }
    }
  }

  /** Opens a model where the natives don't load, and prints the error. */
  static final class Platform {
    public static void main(String[] args) {
      for (int i = 1; i <= 2; i++) { // a class whose initializer failed fails differently again
        try {
          if (args[0].equals("session")) {
            OnnxSession.open(AllMiniLm.model().onnx(), SessionSettings.withThreads(1)).close();
          } else {
            AllMiniLm.open().close();
          }
          System.out.println("OPENED");
        } catch (ModelException e) {
          System.out.println("ERROR " + i + " " + e.getMessage());
        }
      }
    }
  }
}

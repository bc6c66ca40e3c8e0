package dev.petunia.dedup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class EdgeExportTest {
  @Test
  void edgesAreWrittenWithTheirSevenFields() {
    DedupConfig config = DedupConfig.DEFAULT.withClock(InstantSource.fixed(Instant.EPOCH));
    try (DedupIndex index = DedupIndex.inMemory(config)) {
      RunReport r =
          index.ingest(
              List.of(
                  new Document("b \"x\",\n\u0001", "one two three"),
                  new Document("a", "One two three!")));
      StringBuilder json = new StringBuilder();
      EdgeExport.jsonLines(index.edges(), false, json);
      assertEquals(
          "{\"chunk_a\":\"a\",\"chunk_b\":\"b \\\"x\\\",\\n\\u0001\",\"jaccard\":1.0,"
              + "\"method\":\"minhash_verified\",\"run_id\":\""
              + r.runId()
              + "\",\"normalizer_version\":1,\"created_at\":\"1970-01-01T00:00:00Z\"}\n",
          json.toString());
      StringBuilder csv = new StringBuilder();
      EdgeExport.csv(index.edges(), true, csv);
      assertEquals(
          "chunk_a,chunk_b,jaccard,method,run_id,normalizer_version,created_at,intersection,union\n"
              + "a,\"b \"\"x\"\",\n\u0001\",1.0,minhash_verified,"
              + r.runId()
              + ",1,1970-01-01T00:00:00Z,1,1\n",
          csv.toString());
    }
  }
}

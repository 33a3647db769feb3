package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A service that is not ours in members with each profile; OrderBookIT has a sweep over the file sync level. */
@Tag("slow")
@Tag("any-driver")
class OwnServiceSweepIT
{
    /** Only provides ports and folder; the sweep starts its own clusters. */
    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(1);

    @TempDir
    private Path results;

    @Test
    void shouldAccountForEachRequestWithAnyProfile() throws IOException
    {
        // A member has up to 8 threads that spin.
        final Path file = Files.writeString(results.resolve("own.properties"), String.join(
            "\n", "profile=stock,shared,dedicated", "members=1", "rate=100", "duration=2s", "warm-up=1s", "cluster-warm-up=0s",
            "repeats=1", "echo.service.class=" + OwnService.CLASS, "echo.class.path=" + OwnService.JAR,
            "echo.base.port=" + cluster.basePort()));
        final JsonNode sweep = OwnService.measure(cluster, results, "matrix", file.toString());
        assertThat(sweep.get("cells")).extracting((cell) -> cell.at("/values/profile").asText())
            .containsExactly("stock", "shared", "dedicated");
        assertThat(sweep.get("runs")).hasSize(3).allSatisfy((run) ->
        {
            assertThat(run.get("scheduled").asLong()).as("%s", run).isEqualTo(200);
            assertThat(run.get("answered").asLong() + run.get("late").asLong()).as("%s", run).isEqualTo(200);
        });
    }
}

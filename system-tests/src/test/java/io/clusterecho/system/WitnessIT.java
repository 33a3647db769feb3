package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.testing.Need;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The client's service times against those of a real capture of its datagrams.
 */
@Tag("slow")
class WitnessIT
{
    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

    @TempDir
    private Path results;

    @Test
    void shouldReportNoTimeBelowThatOnTheWire() throws IOException
    {
        Need.root();
        Need.TCPDUMP.program();
        cluster.start();
        final CommandResult result = cluster.loadClient(
            "witness", "--rate=500", "--size=64", "--connections=2", "--warm-up=1s", "--duration=3s", "--interface=lo", "--json",
            "--quiet", "--output=" + results);
        // 4 where a busy machine missed the rate, which no capture changes.
        assertThat(result.exitCode()).as("%s", result).isIn(0, 4);
        final JsonNode witness = result.json();
        assertThat(witness.get("format").asText()).isEqualTo("cluster-echo-witness/1");
        assertThat(witness.at("/verdict/reasons").toString()).doesNotContain("wire", "capture", "compared");
        final long answered = witness.get("answered").asLong() + witness.get("late").asLong();
        assertThat(answered).isPositive();
        assertThat(witness.get("matched").asLong()).isBetween(Math.round(0.99 * answered), answered);
        assertThat(witness.get("lowestDifferenceNs").asLong()).isGreaterThan(-witness.get("toleranceNs").asLong());
        for (final String percentile : new String[]{ "p50", "p99", "max" })
        {
            assertThat(witness.at("/matchedServiceTimeNs/" + percentile).asLong()).as(percentile)
                .isGreaterThanOrEqualTo(witness.at("/wireTimeNs/" + percentile).asLong());
            assertThat(witness.at("/wireTimeNs/" + percentile).asLong()).as(percentile).isPositive();
        }
        assertThat(witness.at("/differenceNs/p50").asLong()).isPositive();
        final Path folder = Path.of(witness.get("resultFolder").asText());
        assertThat(Files.readString(folder.resolve("witness.txt"))).contains("difference by message");
        assertThat(folder.resolve("capture.pcap")).doesNotExist();

        final CommandResult refused = cluster.loadClient(
            "witness", "--rate=500", "--duration=1s", "--interface=nowhere0", "--quiet", "--output=" + results);
        assertThat(refused.exitCode()).as("%s", refused).isEqualTo(2);
        assertThat(refused.err()).contains("nothing was witnessed: tcpdump cannot capture", "nowhere0");
        assertThat(results.toFile().list()).hasSize(1);
        cluster.stop();
        cluster.assertNothingIsLeft();
    }
}

package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Tag("any-driver")
class FloorIT
{
    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(1);

    @TempDir
    private Path results;

    @Test
    void shouldCompareAPlainEchoWithTheFloorOfThisMachine()
    {
        cluster.with("echo.service", "plain").with("echo.fsync", "1").start();
        final JsonNode missing = load("--duration", "500ms");
        assertThat(missing.get("floorMissing").asText())
            .contains("calibrate --only machine --size 64").contains("--dir " + cluster.baseDir());
        assertThat(missing.get("answered").asLong() + missing.get("late").asLong()).isEqualTo(100);
        assertThat(missing.get("corrupt").asLong()).isZero();
        assertThat(missing.at("/cluster/echo.service").asText()).isEqualTo("plain");

        final CommandResult measured = cluster.loadClient(
            "calibrate", "--only=machine", "--idle=auto", "--size=64", "--rate=500", "--duration=2s", "--json", "--quiet",
            "--output=" + results);
        assertThat(measured.exitCode()).as("%s", measured).isIn(0, 4);
        final JsonNode baseline = measured.json();
        final JsonNode result = load("--duration", "500ms");
        if (baseline.at("/verdict/good").asBoolean())
        {
            final JsonNode waiting = baseline.get("udp").get(baseline.get("udp").size() - 1);
            final long floorNs = waiting.get("quietResponseTimeNs").asLong() + baseline.at("/sync/dataNs/p50").asLong();
            assertThat(result.get("floorNs").asLong()).isEqualTo(floorNs);
            assertThat(result.get("floorRatio").asDouble())
                .isCloseTo(result.at("/responseTimeNs/p50").asDouble() / floorNs, within(0.006));
            assertThat(result.get("baseline").asText()).isEqualTo(baseline.get("resultFolder").asText());
        }
        else
        {
            // A machine that cannot echo 500 datagrams/s has no valid floor.
            assertThat(result.has("floorMissing")).isTrue();
        }

        final CommandResult refused = cluster.loadClient("failover", "--cycles", "1");
        assertThat(refused.exitCode()).as("%s", refused).isEqualTo(2);
        assertThat(refused.err()).contains("echo.service=plain");
        cluster.stop();
        cluster.assertNothingIsLeft();
    }

    private JsonNode load(final String... options)
    {
        final CommandResult result = cluster.loadClient(
            "run", "--rate=200", "--idle=auto", "--size=64", "--warm-up=500ms", "--json", "--quiet", "--connect-timeout=60s",
            "--output=" + results, options[0], options[1]);
        // 4 if a shared machine missed the rate; the checks below must pass anyway.
        assertThat(result.exitCode()).as("%s", result).isIn(0, 4);
        return result.json();
    }
}

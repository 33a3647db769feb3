package io.clusterecho.client.calibration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.host.DiskPlace;
import io.clusterecho.platform.MachineFacts;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FloorRatio;
import io.clusterecho.reporting.results.RunDescription;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FloorOfARunTest
{
    private static final String HERE = "127.0.0.1,127.0.0.1,127.0.0.1";
    private static final Instant START = Instant.parse("2026-11-21T09:13:36Z");

    @TempDir
    private Path parent;

    private final List<String> warnings = new ArrayList<>();
    private final Map<String, String> run = new TreeMap<>(Map.of("transport", "cluster", "size", "288", "idle", "sleeping"));
    private final Map<String, String> cluster = new TreeMap<>(Map.of("echo.hosts", HERE, "echo.fsync", "0"));

    @ParameterizedTest
    @CsvSource({
        "sleeping, 0, 127.0.0.1 127.0.0.1 127.0.0.1, 260, 14",
        "sleeping, 1, 127.0.0.1 127.0.0.1 127.0.0.1, 460, 214",
        "sleeping, 2, 127.0.0.1 localhost [::1],     560, 314",
        "busyspin, 0, 127.0.0.1 127.0.0.1 127.0.0.1, 14,  14",
        "sleeping, 0, 127.0.0.1,                     150, 8",
        "sleeping, 1, 127.0.0.1,                     350, 208" })
    void shouldTakeTheFloorOfTheRunsOwnConditions(
        final String idle, final int fsyncLevel, final String hosts, final long floorUs, final long spinningUs)
        throws IOException
    {
        sample("2026-11-20T00:00:00Z").write(parent.resolve("one"));
        run.put("idle", idle);
        cluster.put("echo.fsync", String.valueOf(fsyncLevel));
        cluster.put("echo.hosts", hosts.replace(' ', ','));
        final FloorRatio floor = floor(below(), 700_000);
        assertThat(floor.floorMissing()).isNull();
        assertThat(floor.floorNs()).isEqualTo(floorUs * 1_000);
        assertThat(floor.spinningFloorNs()).isEqualTo(spinningUs * 1_000);
        assertThat(floor.floorSyncNs()).isEqualTo(List.of(0, 200_000, 300_000).get(fsyncLevel).longValue());
        assertThat(floor.floorRatio()).isEqualTo(Math.round(100 * 700.0 / floorUs) / 100.0);
        assertThat(floor.spinningFloorRatio()).isEqualTo(Math.round(100 * 700.0 / spinningUs) / 100.0);
        assertThat(floor.baseline()).isEqualTo(parent.resolve("one").toString());
    }

    @Test
    void shouldHoldNothingAgainstAFloorWithoutItsDistances() throws IOException
    {
        sample("2026-11-20T00:00:00Z").write(parent.resolve("one"));
        cluster.put("echo.placement", "partition");
        assertThat(floor(below(), 1_000_000).floorMissing()).contains("delays are emulated");
        cluster.put("echo.placement", "cluster");
        assertThat(floor(below(), 1_000_000).floorMissing()).isNull();
    }

    @Test
    void shouldTakeTheNewestThatFits() throws IOException
    {
        sample("2026-11-20T00:00:00Z").write(parent.resolve("b-older"));
        sample("2026-11-21T00:00:00Z").write(parent.resolve("a-newer"));
        final SampleBaseline failed = sample("2026-11-22T00:00:00Z");
        ((ObjectNode)failed.document().get("verdict")).put("good", false);
        failed.write(parent.resolve("c-failed"));
        assertThat(floor(below(), 1_000_000).baseline()).isEqualTo(parent.resolve("a-newer").toString());
    }

    @Test
    void shouldSayThatThereIsNoneAndHowToGetOne() throws IOException
    {
        assertThat(floor(below(), 1_000).floorMissing())
            .contains(parent + " contains no baseline").contains("288 bytes")
            .contains("java -jar load-client.jar calibrate --only machine --size 288");

        sample("2026-11-20T00:00:00Z").write(parent.resolve("one"));
        run.put("size", "1344");
        assertThat(floor(below(), 1_000).floorMissing()).contains("calibrate --only machine --size 1344");
    }

    @ParameterizedTest
    @CsvSource({ "machine, cpuModel, abacus", "machine, os, other", "sync, store, other" })
    void shouldNotTakeTheBaselineOfAnotherMachineOrDisk(final String part, final String key, final String value)
        throws IOException
    {
        final SampleBaseline other = sample("2026-11-20T00:00:00Z");
        ((ObjectNode)other.document().get(part)).put(key, value);
        other.write(parent.resolve("one"));
        cluster.put("echo.fsync", "1");
        assertThat(floor(below(), 1_000).floorMissing()).contains("of this machine").contains("this disk");
    }

    @Test
    void shouldNotTakeRoundTripsThatWaitedInAnotherWay() throws IOException
    {
        sample("2026-11-20T00:00:00Z").write(parent.resolve("one"));
        run.put("idle", "backoff");
        assertThat(floor(below(), 1_000).floorMissing()).contains("--idle backoff");
    }

    @Test
    void shouldSayNothingOfWhatIsNotACluster()
    {
        run.put("transport", "memory");
        assertThat(floor(below(), 1_000)).isNull();
    }

    @Test
    void shouldNotGuessOfMembersThatAreElsewhereOrNotKnown() throws IOException
    {
        sample("2026-11-20T00:00:00Z").write(parent.resolve("one"));
        cluster.put("echo.hosts", "127.0.0.1,10.0.0.2,10.0.0.3");
        assertThat(floor(below(), 1_000).floorMissing()).contains("other machines");
        cluster.remove("echo.hosts");
        assertThat(floor(below(), 1_000).floorMissing()).contains("the members were not started in");
    }

    @Test
    void shouldPassOverOneThatCannotBeRead() throws IOException
    {
        sample("2026-11-20T00:00:00Z").write(parent.resolve("good"));
        final Path damaged = Files.createDirectory(parent.resolve("damaged"));
        Files.writeString(damaged.resolve(DocumentKind.BASELINE.fileName()), "{");
        assertThat(floor(below(), 1_000).floorMissing()).isNull();
        assertThat(warnings).singleElement().asString().contains("damaged").contains("skipped");
    }

    private SampleBaseline sample(final String start)
    {
        return new SampleBaseline(start, 288, MachineFacts.machine(), DiskPlace.of("--dir", parent));
    }

    private Calibrations below()
    {
        return Calibrations.below(parent, warnings::add);
    }

    private FloorRatio floor(final Calibrations calibrations, final long p50Ns)
    {
        run.put("base-dir", parent.toString());
        return calibrations.floor(new RunDescription("run", START, "java", run, cluster, "fsync", "none emulated", 1), p50Ns);
    }
}

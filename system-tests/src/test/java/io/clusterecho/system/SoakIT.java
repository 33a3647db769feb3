package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.settings.Quantity;

/**
 * A long run at a fixed rate: resources of the processes do not grow, and response times do not rise. Compares the last third of
 * the run with the first. Default: a minute at 2,000 messages/s; change it with {@code -Dsoak.duration=1h -Dsoak.rate=10k}.
 */
@Tag("slow")
@Tag("alone")
class SoakIT
{
    private static final long DURATION_NS = Quantity.parseDurationNs(System.getProperty("soak.duration", "1m"));
    private static final String RATE = System.getProperty("soak.rate", "2k");
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long END_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(120);
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int PARTS = 3;
    private static final double KIB_PER_MIB = 1024.0;
    /** Allowance for a JVM that is still warming up: compiled code, metadata, buffers of its allocator. */
    private static final double MEMORY_ROOM_MIB = 32;
    /** Allowance for a connection that queries a process, and for the next segment of a log. */
    private static final double FILES_ROOM = 8;
    /** A steady slowdown exceeds this in an hour, and is in every second, unlike other programs that use the machine. */
    private static final double MOST_SLOWER = 5;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).withoutElections();

    @TempDir
    private Path dir;

    @Test
    void shouldKeepResourcesAndResponseTimesSteady() throws IOException
    {
        cluster.start();
        final long length = TimeUnit.NANOSECONDS.toMillis(DURATION_NS);
        final RunningCommand client = cluster.startLoadClient(
            "run", "--rate=" + RATE, "--size=288", "--warm-up=" + TimeUnit.NANOSECONDS.toSeconds(SETTLE_NS) + "s",
            "--duration=" + length + "ms", "--json", "--connect-timeout=60s", "--output=" + dir, "--label=soak");
        client.awaitProgress(" measure ");
        final Map<ClusterMember, List<Double>> driverMib = new HashMap<>();
        final long deadlineNs = System.nanoTime() + DURATION_NS;
        while (System.nanoTime() - deadlineNs < 0)
        {
            for (final ClusterMember member : cluster.members())
            {
                driverMib.computeIfAbsent(member, (key) -> new ArrayList<>()).add(lengthMib(member.aeronDir()));
            }
            LockSupport.parkNanos(LOOK_NS);
        }
        final CommandResult run = client.await(END_TIMEOUT_NS);
        assertThat(run.exitCode()).as("%s", run).isZero();
        assertThat(run.json().get("answered").asLong()).as("%s", run).isEqualTo(run.json().get("scheduled").asLong());

        final Path result = result();
        final Table counters = new Table(result.resolve("counters.csv")).afterWarmUp();
        for (final String process : List.of("client", "member-0", "member-1", "member-2"))
        {
            assertHeld(process, "memory_mib", counters.values("memory_mib", "process", process), MEMORY_ROOM_MIB);
            assertHeld(process, "open_files", counters.values("open_files", "process", process), FILES_ROOM);
        }
        driverMib.forEach((member, mib) ->
            assertHeld("member-" + member.memberId(), "MiB in " + member.aeronDir(), mib, MEMORY_ROOM_MIB));

        final Table intervals = new Table(result.resolve("intervals.csv"));
        for (final String percentile : List.of("response_p50_us", "response_p99_us"))
        {
            final List<Double> us = intervals.values(percentile, "phase", "measure");
            final double first = quietestOfPart(us, 0);
            final double last = quietestOfPart(us, PARTS - 1);
            System.out.printf(Locale.ROOT, "%s: %.0f, then %.0f%n", percentile, first, last);
            assertThat(last).as("lowest %s of a second of the last third; in the first it was %s", percentile, first)
                .isLessThan(MOST_SLOWER * first);
        }
        cluster.stop();
        cluster.assertNothingIsLeft();
    }

    private static void assertHeld(final String process, final String what, final List<Double> values, final double room)
    {
        final double first = medianOfPart(values, 0);
        final double last = medianOfPart(values, PARTS - 1);
        System.out.printf(Locale.ROOT, "%s, %s: %.0f, then %.0f%n", process, what, first, last);
        assertThat(first).as("%s of %s", what, process).isPositive();
        assertThat(last).as("%s of %s in the last third; in the first it was %s", what, process, first)
            .isLessThan(first + room);
    }

    private static double medianOfPart(final List<Double> values, final int part)
    {
        final double[] sorted = sorted(values, part);
        return sorted[sorted.length / 2];
    }

    private static double quietestOfPart(final List<Double> values, final int part)
    {
        return sorted(values, part)[0];
    }

    private static double[] sorted(final List<Double> values, final int part)
    {
        assertThat(values).hasSizeGreaterThanOrEqualTo(PARTS);
        return values.subList(part * values.size() / PARTS, (part + 1) * values.size() / PARTS).stream()
            .mapToDouble(Double::doubleValue).sorted().toArray();
    }

    /** Length of the files of a driver, whether or not their blocks were touched yet. */
    private double lengthMib(final Path folder) throws IOException
    {
        final CommandResult du = RunningCommand.start(List.of("du", "-sk", "--apparent-size", folder.toString()), dir)
            .await(END_TIMEOUT_NS);
        assertThat(du.exitCode()).as("%s", du).isZero();
        return Long.parseLong(du.out().split("\\s", 2)[0]) / KIB_PER_MIB;
    }

    private Path result() throws IOException
    {
        try (Stream<Path> folders = Files.list(dir))
        {
            return folders.filter((folder) -> folder.getFileName().toString().endsWith("soak")).findFirst().orElseThrow();
        }
    }

    /** A CSV file with a header. */
    private static final class Table
    {
        private final List<String> head;
        private final List<String[]> rows;

        Table(final Path file) throws IOException
        {
            final List<String> lines = Files.readAllLines(file);
            head = Arrays.asList(lines.get(0).split(","));
            rows = lines.stream().skip(1).map((line) -> line.split(",", -1)).collect(Collectors.toList());
        }

        Table afterWarmUp()
        {
            rows.removeIf((row) -> Double.parseDouble(row[head.indexOf("begin_s")]) < TimeUnit.NANOSECONDS.toSeconds(SETTLE_NS));
            return this;
        }

        /** Non-empty values of the rows with a given word in a column. */
        List<Double> values(final String column, final String where, final String word)
        {
            final int index = head.indexOf(column);
            final int whereIndex = head.indexOf(where);
            assertThat(index).as(column).isNotNegative();
            return rows.stream().filter((row) -> word.equals(row[whereIndex]) && !row[index].isEmpty())
                .map((row) -> Double.valueOf(row[index])).toList();
        }
    }
}

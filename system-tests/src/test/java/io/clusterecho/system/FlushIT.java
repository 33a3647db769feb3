package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.testing.Need;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks with strace that members flush the log before they acknowledge a message. */
@Tag("slow")
class FlushIT
{
    private static final long ATTACH_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final int RATE = 50;
    private static final Pattern CALL = Pattern.compile("^[0-9]+ +(fsync|fdatasync|msync|pwrite64)\\((.*)");

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).withoutElections();

    @TempDir
    private Path dir;

    private Path strace;

    /** System calls of one member while it was traced. */
    private record Calls(long fsyncs, long fdatasyncs, long msyncs, long writes)
    {
    }

    @ParameterizedTest(name = "fsync {0}")
    // One call for each block of the log that is written, which at this low rate is nearly one for each message.
    @CsvSource({ "0, none", "1, fdatasync", "2, fsync" })
    void shouldFlushTheLogAccordingToTheFileSyncLevel(final int level, final String call) throws IOException, InterruptedException
    {
        strace = Need.STRACE.program();
        cluster.with("echo.fsync", String.valueOf(level)).start();
        final List<Process> tracers = new ArrayList<>();
        final JsonNode result;
        try
        {
            for (final ClusterMember member : cluster.members())
            {
                tracers.add(trace(member));
            }
            final CommandResult run = cluster.loadClient(
                "run", "--rate=" + RATE, "--warm-up=1s", "--duration=6s", "--json", "--connect-timeout=60s", "--output=" + dir);
            assertThat(run.exitCode()).as("%s", run).isIn(0, 4);
            result = run.json();
        }
        finally
        {
            // On SIGTERM strace detaches, and the member continues.
            tracers.forEach(Process::destroy);
            for (final Process tracer : tracers)
            {
                tracer.waitFor(10, TimeUnit.SECONDS);
            }
        }

        assertThat(result.get("durability").asText()).startsWith("fsync " + level + ":");
        assertThat(result.get("answered").asLong() + result.get("late").asLong()).isEqualTo(6L * RATE);
        for (final ClusterMember member : cluster.members())
        {
            final Calls made = callsForTheLog(member);
            final long messageCount = 7L * RATE;
            System.out.println("fsync " + level + ", member " + member.memberId() + ": " + made + " for " + messageCount +
                " messages");
            // Messages delayed by a stall of this machine share a block; heartbeats, timers and sessions have blocks too.
            assertThat(made.writes()).as("writes of member %d", member.memberId()).isGreaterThan(messageCount / 2);
            assertThat(made.msyncs()).isZero();
            // A block may be written before tracing begins and flushed after that, and the reverse at the end.
            final long flushCount = "none".equals(call) ? 0 : made.writes();
            assertThat("fsync".equals(call) ? made.fsyncs() : made.fdatasyncs())
                .as("%s of member %d: %s", call, member.memberId(), made)
                .isBetween(Math.max(0, flushCount - 1), flushCount + ("none".equals(call) ? 0 : 1));
            assertThat("fsync".equals(call) ? made.fdatasyncs() : made.fsyncs()).isZero();
        }
        cluster.stop();
        cluster.assertNothingIsLeft();
    }

    private Process trace(final ClusterMember member) throws IOException
    {
        final Path errors = dir.resolve("strace-" + member.memberId() + ".err");
        final Process process = new ProcessBuilder(
            strace.toString(), "-f", "-y", "-e", "trace=fsync,fdatasync,msync,pwrite64", "-o", calls(member).toString(),
            "-p", String.valueOf(member.pid().orElseThrow()))
            .redirectErrorStream(true).redirectOutput(errors.toFile()).start();
        final boolean isAttached = Deadline.in(ATTACH_TIMEOUT_NS).await(
            () -> !process.isAlive() || text(errors).contains("attached")) && process.isAlive();
        Need.PTRACE.check(isAttached, "strace may not look at a process of this user: " + text(errors));
        return process;
    }

    /** Only calls on segments: writes at the start and to mark files do not concern messages. */
    private Calls callsForTheLog(final ClusterMember member) throws IOException
    {
        final Map<String, Long> counts = new HashMap<>();
        for (final String line : Files.readAllLines(calls(member)))
        {
            final var matcher = CALL.matcher(line);
            if (matcher.matches() && ("msync".equals(matcher.group(1)) || matcher.group(2).contains(".rec>")))
            {
                counts.merge(matcher.group(1), 1L, Long::sum);
            }
        }

        return new Calls(
            counts.getOrDefault("fsync", 0L), counts.getOrDefault("fdatasync", 0L), counts.getOrDefault("msync", 0L),
            counts.getOrDefault("pwrite64", 0L));
    }

    private Path calls(final ClusterMember member)
    {
        return dir.resolve("calls-of-" + member.memberId() + ".txt");
    }

    private static String text(final Path file)
    {
        try
        {
            return Files.exists(file) ? Files.readString(file) : "";
        }
        catch (final IOException ex)
        {
            return ex.toString();
        }
    }
}

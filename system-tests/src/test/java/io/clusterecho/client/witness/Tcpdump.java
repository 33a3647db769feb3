package io.clusterecho.client.witness;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.clusterecho.platform.WaitClock;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.Launch;

/**
 * A tcpdump that captures all UDP datagrams of an interface into a file, with stamps of the kernel in ns. One thread calls all
 * methods.
 */
final class Tcpdump implements AutoCloseable
{
    private static final String NAME = "tcpdump";
    private static final String READY = "listening on ";
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    /** The kernel hands over a block of packets after a second at the latest. */
    private static final long LAST_PACKETS_NS = TimeUnit.MILLISECONDS.toNanos(1_500);
    private static final int BUFFER_KIB = 65_536;

    private final ChildProcess process;

    private Tcpdump(final ChildProcess process)
    {
        this.process = process;
    }

    /**
     * Start a capture and wait until it has begun.
     *
     * @param interfaceTo capture, or {@code any}.
     * @throws IllegalStateException if it cannot capture, with its reason.
     */
    static Tcpdump start(final Path program, final String interfaceTo, final Path file)
    {
        final CompletableFuture<Boolean> ready = new CompletableFuture<>();
        final ChildProcess process = new Launch(NAME, command(program, interfaceTo, file)).tied()
            .errors((line) ->
            {
                if (line.contains(READY))
                {
                    ready.complete(true);
                }
            })
            .stopTimeoutNs(STOP_TIMEOUT_NS).start();
        process.onEnd((end) -> ready.complete(false));
        final WaitClock clock = WaitClock.SYSTEM;
        if (clock.await(ready, clock.nanoTime() + START_TIMEOUT_NS) && ready.join())
        {
            return new Tcpdump(process);
        }
        process.kill();
        throw new IllegalStateException(process.describeEnd());
    }

    /** Its command line. As root it keeps its user, which owns the folder of the result. */
    private static List<String> command(final Path program, final String interfaceTo, final Path file)
    {
        final Stream<String> user = "root".equals(System.getProperty("user.name")) ? Stream.of("-Z", "root") : Stream.of();
        return Stream.concat(
            Stream.of(
                program.toString(), "-i", interfaceTo, "-n", "--time-stamp-precision=nano", "-B", String.valueOf(BUFFER_KIB)),
            Stream.concat(user, Stream.of("-w", file.toString(), "udp"))).toList();
    }

    /** Wait for the last packets, and end the capture. */
    void stop()
    {
        final WaitClock clock = WaitClock.SYSTEM;
        final long deadlineNs = clock.nanoTime() + LAST_PACKETS_NS;
        while (deadlineNs - clock.nanoTime() > 0 && !Thread.currentThread().isInterrupted())
        {
            clock.park(deadlineNs - clock.nanoTime());
        }
        process.close();
        // Waits for its last output.
        process.describeEnd();
    }

    @Override
    public void close()
    {
        process.close();
    }
}

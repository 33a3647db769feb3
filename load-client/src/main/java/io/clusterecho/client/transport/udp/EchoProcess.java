package io.clusterecho.client.transport.udp;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.JavaCommand;
import io.clusterecho.process.Launch;

/** A {@link UdpEcho} in its own process, with the same program. One thread calls all methods. */
public final class EchoProcess implements AutoCloseable
{
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);

    private final ChildProcess process;
    private final int port;

    private EchoProcess(final ChildProcess process, final int port)
    {
        this.process = process;
        this.port = port;
    }

    /** Start an echo and wait until it is ready; a {@link NotConnectedException} has its output. */
    public static EchoProcess start(final Idle idle)
    {
        final CompletableFuture<String> said = new CompletableFuture<>();
        final ChildProcess process;
        try
        {
            process = new Launch("the UDP echo", JavaCommand.ofClass(
                UdpEcho.class.getName(), List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:-UsePerfData"), List.of(idle.name())))
                .pipedInput().output(said::complete).errors(ProcessBuilder.Redirect.INHERIT)
                .stopTimeoutNs(STOP_TIMEOUT_NS).start();
        }
        catch (final UncheckedIOException ex)
        {
            throw new NotConnectedException(ex.getMessage(), ex);
        }

        process.onEnd(said::complete);
        final WaitClock clock = WaitClock.SYSTEM;
        if (clock.await(said, clock.nanoTime() + START_TIMEOUT_NS) && said.join().startsWith(UdpEcho.READY))
        {
            return new EchoProcess(process, Integer.parseInt(said.join().substring(UdpEcho.READY.length())));
        }
        process.kill();
        throw new NotConnectedException("the UDP echo did not start: " + process.describeEnd(), null);
    }

    /** UDP port of the echo on loopback. */
    public int port()
    {
        return port;
    }

    public long pid()
    {
        return process.pid();
    }

    @Override
    public void close()
    {
        process.close();
    }
}

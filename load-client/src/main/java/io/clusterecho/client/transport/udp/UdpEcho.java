package io.clusterecho.client.transport.udp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.platform.WaitClock;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.JavaCommand;
import io.clusterecho.process.Launch;

import org.agrona.concurrent.IdleStrategy;

/**
 * The process at the other end of a {@link UdpTransport}: one thread that sends each datagram back unchanged, to its first
 * sender. It is tied to the process that started it. An object is that process, as the one thread that started it sees it.
 *
 * @param port UDP port of the echo on loopback.
 */
public record UdpEcho(ChildProcess process, int port) implements AutoCloseable
{
    /** Prefix of the port in its output, once it is ready. */
    private static final String READY = "port ";

    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);

    /** Start an echo and wait until it is ready; a {@link NotConnectedException} has its output. */
    public static UdpEcho start(final Idle idle)
    {
        final CompletableFuture<String> said = new CompletableFuture<>();
        final ChildProcess process = new Launch("the UDP echo", JavaCommand.ofClass(
            UdpEcho.class.getName(), List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:-UsePerfData"), List.of(idle.name())))
            .tied().output(said::complete).errors(System.err::println).stopTimeoutNs(STOP_TIMEOUT_NS).start();
        process.onEnd(said::complete);
        final WaitClock clock = WaitClock.SYSTEM;
        if (clock.await(said, clock.nanoTime() + START_TIMEOUT_NS) && said.join().startsWith(READY))
        {
            return new UdpEcho(process, Integer.parseInt(said.join().substring(READY.length())));
        }
        process.kill();
        throw new NotConnectedException("the UDP echo did not start: " + process.describeEnd(), null);
    }

    @Override
    public void close()
    {
        process.close();
    }

    /** Echo until the process is ended; the argument names an {@link Idle} strategy. */
    public static void main(final String[] args) throws IOException
    {
        final IdleStrategy idleStrategy = Idle.valueOf(args[0]).strategy();
        try (DatagramChannel channel = UdpTransport.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            System.out.println(READY + channel.socket().getLocalPort());
            System.out.flush();
            final ByteBuffer datagram = ByteBuffer.allocateDirect(UdpTransport.MAX_LENGTH);
            SocketAddress sender = channel.receive(datagram);
            while (null == sender)
            {
                idleStrategy.idle();
                sender = channel.receive(datagram);
            }
            // Connected sockets need no address per datagram, which would cost as much as the rest.
            channel.connect(sender);
            channel.write(datagram.flip());
            while (true)
            {
                idleStrategy.idle(echoOne(channel, datagram) ? 1 : 0);
            }
        }
    }

    private static boolean echoOne(final DatagramChannel channel, final ByteBuffer datagram) throws IOException
    {
        try
        {
            final boolean isReceived = channel.read(datagram.clear()) > 0;
            if (isReceived)
            {
                // If the send buffer is full, drop the datagram, as the kernel would.
                channel.write(datagram.flip());
            }
            return isReceived;
        }
        catch (final PortUnreachableException ex)
        {
            return false;
        }
    }
}

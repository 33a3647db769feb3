package io.clusterecho.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Real sockets: a datagram arrives while it is sent, on the sender's thread. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class ArrivalClockTest
{
    private static final long WAIT_NS = TimeUnit.MILLISECONDS.toNanos(30);
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(30);
    /** Of one clock against the other. */
    private static final long ERROR_NS = 20_000;

    private DatagramChannel receiver;
    private DatagramChannel sender;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(64);

    @BeforeEach
    void open() throws IOException
    {
        receiver = DatagramChannel.open(StandardProtocolFamily.INET);
        receiver.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
        receiver.configureBlocking(false);
        sender = DatagramChannel.open(StandardProtocolFamily.INET);
        sender.connect(receiver.getLocalAddress());
    }

    @AfterEach
    void close() throws IOException
    {
        sender.close();
        receiver.close();
    }

    @Test
    void shouldKnowWhenEachDatagramArrivedHoweverLongItWaited() throws IOException
    {
        final ArrivalClock clock = ArrivalClock.of(receiver);
        awaitStamps(clock);

        final long[] beforeNs = new long[3];
        final long[] afterNs = new long[3];
        for (int i = 0; i < beforeNs.length; i++)
        {
            beforeNs[i] = System.nanoTime();
            send();
            afterNs[i] = System.nanoTime();
            LockSupport.parkNanos(WAIT_NS);
        }
        for (int i = 0; i < beforeNs.length; i++)
        {
            receive();
            assertThat(clock.lastNs()).as("arrival of datagram %d", i)
                .isBetween(beforeNs[i] - ERROR_NS, afterNs[i] + ERROR_NS);
        }
    }

    @Test
    void shouldNotTakeTheTimeOfTheCallForAnArrival() throws IOException
    {
        // Before anybody asked for stamps on this machine, datagrams have none, and the kernel invents one.
        send();
        final long sentNs = System.nanoTime();
        LockSupport.parkNanos(WAIT_NS);
        final ArrivalClock clock = ArrivalClock.of(receiver);
        receive();

        final long arrivalNs = clock.lastNs();
        assertThat(ArrivalClock.UNKNOWN_NS == arrivalNs || arrivalNs <= sentNs + ERROR_NS)
            .as("arrival %d of what was sent at %d", arrivalNs, sentNs).isTrue();
    }

    @Test
    void shouldNotAllocate() throws IOException
    {
        final ArrivalClock clock = ArrivalClock.of(receiver);
        awaitStamps(clock);
        final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long id = Thread.currentThread().getId();
        long allocatedLength = Long.MAX_VALUE;
        // The first rounds also load classes.
        for (int round = 0; round < 5 && allocatedLength > 0; round++)
        {
            final long before = threads.getThreadAllocatedBytes(id);
            for (int i = 0; i < 10_000; i++)
            {
                clock.lastNs();
            }
            allocatedLength = threads.getThreadAllocatedBytes(id) - before;
        }
        assertThat(allocatedLength).isZero();
    }

    /** The kernel begins to stamp a moment after it was asked to. */
    private void awaitStamps(final ArrivalClock clock) throws IOException
    {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        do
        {
            assertThat(System.nanoTime() - deadlineNs).as("time after the deadline for stamps").isNegative();
            send();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            receive();
        }
        while (ArrivalClock.UNKNOWN_NS == clock.lastNs());
    }

    private void send() throws IOException
    {
        buffer.clear();
        assertThat(sender.write(buffer)).isEqualTo(buffer.capacity());
    }

    private void receive() throws IOException
    {
        buffer.clear();
        assertThat(receiver.receive(buffer)).isNotNull();
    }
}

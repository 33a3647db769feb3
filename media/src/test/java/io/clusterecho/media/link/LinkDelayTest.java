package io.clusterecho.media.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import io.clusterecho.media.link.Impairment.Direction;
import io.clusterecho.media.zone.Placement.Distance;
import io.clusterecho.media.zone.Placement.Distances;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two real drivers run by this thread, at different addresses, with the kinds of channels that members use. */
@Timeout(120)
class LinkDelayTest
{
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(90);
    private static final long DELAY_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int STREAM_ID = 7;
    private static final int LENGTH = 200;
    private static final String NEAR = "127.0.0.2";
    private static final String FAR = "127.0.0.3";
    private static final String ELSEWHERE = "127.0.0.4";

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    private final List<Throwable> errors = new ArrayList<>();
    private final List<Host> hosts = new ArrayList<>();

    @TempDir
    private Path tempDir;

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(hosts);
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldHoldWhatComesFromAfarAndSendItFromAnAddressOfItsOwn() throws IOException
    {
        final Host near = host(NEAR, Map.of(FAR, new Distance(DELAY_NS, 0, 0)), null);
        final Host far = host(FAR, Map.of(), null);
        try (Stream in = unicast(far, near); Stream out = unicast(near, far))
        {
            for (int i = 0; i < 5; i++)
            {
                assertThat(in.deliverNs()).isGreaterThanOrEqualTo(DELAY_NS);
            }
            // Only the receiving end holds a frame: sending takes no longer than over loopback.
            assertThat(leastNs(out)).isLessThan(DELAY_NS);
        }
    }

    @Test
    void shouldNotHoldWhatComesFromAnAddressThatIsNear() throws IOException
    {
        final Host near = host(NEAR, Map.of(FAR, Distance.NONE, ELSEWHERE, new Distance(DELAY_NS, 0, 0)), null);
        final Host far = host(FAR, Map.of(), null);
        final Host elsewhere = host(ELSEWHERE, Map.of(), null);
        try (Stream in = unicast(far, near); Stream late = unicast(elsewhere, near))
        {
            assertThat(late.deliverNs()).isGreaterThanOrEqualTo(DELAY_NS);
            assertThat(leastNs(in)).isLessThan(DELAY_NS);
        }
    }

    @Test
    void shouldHoldWhatIsSentToSeveralDestinationsOrReceivedAtSeveralSockets() throws IOException
    {
        final Host near = host(NEAR, Map.of(FAR, new Distance(DELAY_NS, 0, 0)), null);
        final Host far = host(FAR, Map.of(NEAR, new Distance(DELAY_NS, 0, 0)), null);
        final String endpoint = endpoint(near);
        final Subscription subscription = near.aeron.addSubscription("aeron:udp?control-mode=manual", STREAM_ID);
        subscription.addDestination("aeron:udp?endpoint=" + endpoint);
        final ExclusivePublication publication =
            far.aeron.addExclusivePublication("aeron:udp?term-length=64k|control-mode=manual", STREAM_ID);
        publication.addDestination("aeron:udp?endpoint=" + endpoint);
        try (Stream in = new Stream(publication, subscription))
        {
            assertThat(in.deliverNs()).isGreaterThanOrEqualTo(DELAY_NS);

            // A frame that is held when its socket is closed is dropped without an error.
            in.offer();
            subscription.removeDestination("aeron:udp?endpoint=" + endpoint);
            final long beginNs = System.nanoTime();
            until("the frame would be due", () -> System.nanoTime() - beginNs > 2 * DELAY_NS);
            assertThat(in.received()).isEqualTo(1);
        }
    }

    @Test
    void shouldNotMindThatASubscriptionClosesWhileAFrameIsHeld() throws IOException
    {
        final Host near = host(NEAR, Map.of(FAR, new Distance(DELAY_NS, 0, 0)), null);
        final Host far = host(FAR, Map.of(NEAR, new Distance(DELAY_NS, 0, 0)), null);
        final Stream in = unicast(far, near);
        in.offer();
        in.close();
        final long beginNs = System.nanoTime();
        until("the frame would be due", () -> System.nanoTime() - beginNs > 3 * DELAY_NS);
    }

    @Test
    void shouldDropWhatIsHeldWhenItIsCutOff() throws IOException
    {
        final Host near = host(NEAR, Map.of(FAR, new Distance(DELAY_NS, 0, 0)), LinkFile.create(tempDir));
        final Host far = host(FAR, Map.of(), null);
        final LinkFile control = LinkFile.open(tempDir);
        try (Stream in = unicast(far, near))
        {
            in.deliverNs();
            in.offer();
            control.impair(Impairment.of(Direction.RECEIVE).cut());
            until("the cut", () -> control.awaitTaken(0));
            final long beginNs = System.nanoTime();
            until("the frame would be due", () -> System.nanoTime() - beginNs > 2 * DELAY_NS);
            assertThat(in.received()).isEqualTo(1);

            control.impair(Impairment.NONE);
            in.awaitReceived(2);
        }
    }

    @Test
    void shouldCountWhatItLosesAndLetItBeSentAgain() throws IOException
    {
        final Host near = host(NEAR, Map.of(FAR, new Distance(0, 0, 0.2)), null);
        final Host far = host(FAR, Map.of(), null);
        try (Stream in = unicast(far, near))
        {
            for (int i = 0; i < 50; i++)
            {
                in.offer();
            }
            in.awaitReceived(50);
            assertThat(near.counter(LinkFilter.LOSS_TYPE_ID)).isPositive();
            assertThat(near.counter(LinkFilter.OVERFLOW_TYPE_ID)).isZero();
        }
    }

    @Test
    void shouldPassMoreThanAWindowInOrder() throws IOException
    {
        final Host near = host(NEAR, Map.of(FAR, new Distance(DELAY_NS / 10, DELAY_NS / 20, 0)), null);
        final Host far = host(FAR, Map.of(NEAR, new Distance(DELAY_NS / 10, 0, 0)), null);
        try (Stream in = unicast(far, near))
        {
            for (int i = 0; i < 2_000; i++)
            {
                message.putInt(0, i);
                in.offer();
            }
            in.awaitReceived(2_000);
            assertThat(in.lastNumber).isEqualTo(1_999);
            assertThat(near.counter(LinkFilter.OVERFLOW_TYPE_ID)).isZero();
        }
    }

    private long leastNs(final Stream stream)
    {
        long leastNs = Long.MAX_VALUE;
        for (int i = 0; i < 50; i++)
        {
            leastNs = Math.min(leastNs, stream.deliverNs());
        }
        return leastNs;
    }

    private Host host(final String address, final Map<String, Distance> distances, final LinkFile file) throws IOException
    {
        final Map<InetAddress, Distance> members = new HashMap<>();
        for (final Map.Entry<String, Distance> entry : distances.entrySet())
        {
            members.put(InetAddress.getByName(entry.getKey()), entry.getValue());
        }
        final MediaDriver.Context ctx = new MediaDriver.Context()
            .aeronDirectoryName(tempDir.resolve(address).toString())
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .threadingMode(ThreadingMode.INVOKER)
            .errorHandler(errors::add);
        final Distances others = new Distances(InetAddress.getByName(address), members, Distance.NONE);
        new LinkFilter(file, others.own(), List.of(), others).install(ctx, SocketWatch.NONE);
        final Host host = new Host(address, ctx);
        hosts.add(host);
        return host;
    }

    private Stream unicast(final Host from, final Host to) throws IOException
    {
        final String channel = "aeron:udp?term-length=64k|endpoint=" + endpoint(to);
        return new Stream(from.aeron.addExclusivePublication(channel, STREAM_ID), to.aeron.addSubscription(channel, STREAM_ID));
    }

    private static String endpoint(final Host host) throws IOException
    {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(host.address, 0)))
        {
            return host.address + ":" + socket.getLocalPort();
        }
    }

    private void until(final String what, final BooleanSupplier isDone)
    {
        final long beginNs = System.nanoTime();
        while (!isDone.getAsBoolean())
        {
            hosts.forEach(Host::run);
            if (System.nanoTime() - beginNs > DEADLINE_NS)
            {
                fail("waited in vain for " + what);
            }
        }
    }

    private static final class Host implements AutoCloseable
    {
        private final String address;
        private final MediaDriver driver;
        private final Aeron aeron;

        Host(final String address, final MediaDriver.Context ctx)
        {
            this.address = address;
            driver = MediaDriver.launch(ctx);
            aeron = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .driverAgentInvoker(driver.sharedAgentInvoker())
                .useConductorAgentInvoker(true));
        }

        /** Of both agents. */
        long counter(final int typeId)
        {
            final CountersReader counters = aeron.countersReader();
            final long[] sum = new long[1];
            counters.forEach((counterId, type, key, label) ->
                sum[0] += typeId == type ? counters.getCounterValue(counterId) : 0);
            return sum[0];
        }

        void run()
        {
            driver.sharedAgentInvoker().invoke();
            aeron.conductorAgentInvoker().invoke();
        }

        @Override
        public void close()
        {
            CloseHelper.closeAll(aeron, driver);
        }
    }

    private final class Stream implements AutoCloseable
    {
        private final ExclusivePublication publication;
        private final Subscription subscription;
        private int receivedCount;
        private int lastNumber;

        Stream(final ExclusivePublication publication, final Subscription subscription)
        {
            this.publication = publication;
            this.subscription = subscription;
            until("a connection", () -> publication.isConnected() && subscription.isConnected());
        }

        void offer()
        {
            until("an offer", () ->
            {
                received();
                return publication.offer(message) > 0;
            });
        }

        long deliverNs()
        {
            final int before = receivedCount;
            offer();
            final long beginNs = System.nanoTime();
            awaitReceived(before + 1);
            return System.nanoTime() - beginNs;
        }

        void awaitReceived(final int count)
        {
            until(count + " messages", () -> received() >= count);
        }

        int received()
        {
            subscription.poll(
                (buffer, offset, length, header) ->
                {
                    receivedCount++;
                    final int number = buffer.getInt(offset);
                    assertThat(number).isIn(0, lastNumber + 1);
                    lastNumber = number;
                }, 10);
            return receivedCount;
        }

        @Override
        public void close()
        {
            CloseHelper.closeAll(publication, subscription);
        }
    }
}

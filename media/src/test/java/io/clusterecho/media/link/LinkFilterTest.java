package io.clusterecho.media.link;

import static io.aeron.driver.status.SystemCounterDescriptor.HEARTBEATS_SENT;
import static io.aeron.driver.status.SystemCounterDescriptor.RECEIVER_MAX_CYCLE_TIME;
import static io.aeron.driver.status.SystemCounterDescriptor.SENDER_MAX_CYCLE_TIME;
import static io.aeron.driver.status.SystemCounterDescriptor.STATUS_MESSAGES_RECEIVED;
import static io.aeron.driver.status.SystemCounterDescriptor.STATUS_MESSAGES_SENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.status.SystemCounterDescriptor;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.media.link.Impairment.Direction;
import io.clusterecho.testing.FreePorts;

/** Two real drivers run by this thread, one with a filter, with the kinds of channels that members use. */
@Timeout(60)
class LinkFilterTest
{
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(90);
    private static final int STREAM_ID = 7;
    private static final int CUT_COUNT = 20;
    private static final String IPC = "aeron:ipc?term-length=64k";

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
    private Host filtered;
    private Host other;
    private LinkFile control;

    @TempDir
    private Path tempDir;

    @BeforeEach
    void launch() throws IOException
    {
        final MediaDriver.Context ctx = context("filtered");
        new LinkFilter(LinkFile.create(tempDir), null, List.of(), null).install(ctx, SocketWatch.NONE);
        control = LinkFile.open(tempDir);
        filtered = new Host(ctx);
        other = new Host(context("other"));
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(filtered, other);
    }

    @Test
    void shouldPassAllWhileNothingIsAskedFor() throws IOException
    {
        try (Stream out = unicast(filtered, other); Stream in = unicast(other, filtered))
        {
            out.deliver(CUT_COUNT);
            in.deliver(CUT_COUNT);
        }

        assertThat(control.awaitTaken(0)).isTrue();
    }

    @Test
    void shouldCutOneDestinationInBothDirectionsAndDeliverAfter() throws IOException
    {
        try (Stream out = unicast(filtered, other); Stream in = unicast(other, filtered); Stream own = ipc())
        {
            cut(Direction.BOTH);
            out.offer();
            in.offer();
            own.deliver(CUT_COUNT);
            awaitHeartbeats(filtered, other);
            assertThat(out.received()).isZero();
            assertThat(in.received()).isZero();

            restore();
            out.awaitReceived(1);
            in.awaitReceived(1);
        }
    }

    @Test
    void shouldCutAPublicationWithSeveralDestinations() throws IOException
    {
        try (Stream out = toDestinations(filtered, other))
        {
            cut(Direction.SEND);
            out.offer();
            awaitHeartbeats(filtered);
            assertThat(out.received()).isZero();

            restore();
            out.awaitReceived(1);
        }
    }

    @Test
    void shouldCutASubscriptionWithSeveralSockets() throws IOException
    {
        try (Stream in = fromDestinations(other, filtered))
        {
            cut(Direction.RECEIVE);
            in.offer();
            awaitHeartbeats(other);
            assertThat(in.received()).isZero();

            restore();
            in.awaitReceived(1);
        }
    }

    @Test
    void shouldNotAnswerFromASubscriptionWithSeveralSocketsThatMayOnlyHear() throws IOException
    {
        try (Stream in = fromDestinations(other, filtered))
        {
            cut(Direction.SEND);
            final long cutCount = filtered.counter(STATUS_MESSAGES_SENT);
            until("a status message that is dropped", () -> filtered.counter(STATUS_MESSAGES_SENT) > cutCount);
            final long answerCount = other.counter(STATUS_MESSAGES_RECEIVED);
            final long unsentCount = filtered.counter(STATUS_MESSAGES_SENT);
            in.deliver(CUT_COUNT);
            until("status messages that are dropped", () -> filtered.counter(STATUS_MESSAGES_SENT) - unsentCount > 1);
            assertThat(other.counter(STATUS_MESSAGES_RECEIVED)).isEqualTo(answerCount);

            restore();
            until("a status message", () -> other.counter(STATUS_MESSAGES_RECEIVED) > answerCount);
        }
    }

    @Test
    void shouldHearWhileItMayNotSend() throws IOException
    {
        try (Stream out = unicast(filtered, other); Stream in = unicast(other, filtered))
        {
            cut(Direction.SEND);
            in.deliver(1);
            out.offer();
            awaitHeartbeats(filtered);

            assertThat(out.received()).isZero();
        }
    }

    @Test
    void shouldSendWhileItMayNotHear() throws IOException
    {
        try (Stream out = unicast(filtered, other); Stream in = unicast(other, filtered))
        {
            cut(Direction.RECEIVE);
            out.deliver(1);
            in.offer();
            awaitHeartbeats(other);

            assertThat(in.received()).isZero();
        }
    }

    @Test
    void shouldStillMeasureTheDutyCyclesOfTheDriver()
    {
        until("a measured cycle of the sender", () -> filtered.counter(SENDER_MAX_CYCLE_TIME) > 0);
        until("a measured cycle of the receiver", () -> filtered.counter(RECEIVER_MAX_CYCLE_TIME) > 0);
    }

    private void cut(final Direction direction) throws IOException
    {
        impair(Impairment.of(direction).cut());
    }

    private void restore() throws IOException
    {
        impair(Impairment.NONE);
    }

    private void impair(final Impairment impairment) throws IOException
    {
        control.impair(impairment);
        until("taken: " + impairment, () -> control.awaitTaken(0));
    }

    /** Wait until each host has sent some to its peer, as far as it knows: a filter below the counter drops them. */
    private void awaitHeartbeats(final Host... hosts)
    {
        for (final Host host : hosts)
        {
            final long beforeCount = host.counter(HEARTBEATS_SENT);
            until("heartbeats", () -> host.counter(HEARTBEATS_SENT) - beforeCount > CUT_COUNT);
        }
    }

    private void until(final String what, final BooleanSupplier isDone)
    {
        final long beginNs = System.nanoTime();
        while (!isDone.getAsBoolean())
        {
            filtered.run();
            other.run();
            if (System.nanoTime() - beginNs > DEADLINE_NS)
            {
                fail("waited in vain for " + what);
            }
        }
    }

    private Stream unicast(final Host from, final Host to) throws IOException
    {
        final String channel = "aeron:udp?term-length=64k|endpoint=127.0.0.1:" + FreePorts.block();
        return new Stream(from.aeron.addExclusivePublication(channel, STREAM_ID), to.aeron.addSubscription(channel, STREAM_ID));
    }

    private Stream ipc()
    {
        return new Stream(
            filtered.aeron.addExclusivePublication(IPC, STREAM_ID), filtered.aeron.addSubscription(IPC, STREAM_ID));
    }

    private Stream toDestinations(final Host from, final Host to) throws IOException
    {
        final String endpoint = "aeron:udp?endpoint=127.0.0.1:" + FreePorts.block();
        final ExclusivePublication publication = from.aeron.addExclusivePublication(
            "aeron:udp?term-length=64k|control-mode=manual", STREAM_ID);
        publication.addDestination(endpoint);
        return new Stream(publication, to.aeron.addSubscription(endpoint, STREAM_ID));
    }

    private Stream fromDestinations(final Host from, final Host to) throws IOException
    {
        final String endpoint = "aeron:udp?endpoint=127.0.0.1:" + FreePorts.block();
        final Subscription subscription = to.aeron.addSubscription("aeron:udp?control-mode=manual", STREAM_ID);
        subscription.addDestination(endpoint);
        return new Stream(from.aeron.addExclusivePublication(endpoint + "|term-length=64k", STREAM_ID), subscription);
    }

    private MediaDriver.Context context(final String name)
    {
        return new MediaDriver.Context()
            .aeronDirectoryName(tempDir.resolve(name).toString())
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .threadingMode(ThreadingMode.INVOKER);
    }

    private static final class Host implements AutoCloseable
    {
        private final MediaDriver driver;
        private final Aeron aeron;

        Host(final MediaDriver.Context ctx)
        {
            driver = MediaDriver.launch(ctx);
            aeron = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .driverAgentInvoker(driver.sharedAgentInvoker())
                .useConductorAgentInvoker(true));
        }

        long counter(final SystemCounterDescriptor descriptor)
        {
            return aeron.countersReader().getCounterValue(descriptor.id());
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

        Stream(final ExclusivePublication publication, final Subscription subscription)
        {
            this.publication = publication;
            this.subscription = subscription;
            until("a connection", () -> publication.isConnected() && subscription.isConnected());
        }

        void offer()
        {
            until("an offer", () -> publication.offer(message) > 0);
        }

        void deliver(final int count)
        {
            for (int i = 0; i < count; i++)
            {
                final int before = receivedCount;
                offer();
                awaitReceived(before + 1);
            }
        }

        void awaitReceived(final int count)
        {
            until(count + " messages", () -> received() >= count);
        }

        int received()
        {
            subscription.poll((buffer, offset, length, header) -> receivedCount++, 10);
            return receivedCount;
        }

        @Override
        public void close()
        {
            CloseHelper.closeAll(publication, subscription);
        }
    }
}

package io.clusterecho.media.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.status.SystemCounterDescriptor;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.FragmentHandler;

import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A real driver without threads, which the test runs, so that messages are sent in one datagram and wait as long as it wants. */
@Timeout(120)
class ReceiveEndpointTest
{
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int MESSAGE_COUNT = 20;
    private static final int STREAM_ID = 9;
    private static final int FRAME_LENGTH = 64;
    private static final long WAIT_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Of one clock against the other. */
    private static final long ERROR_NS = 20_000;

    @TempDir
    private Path tempDir;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[16]);
    private final List<String> reasons = new ArrayList<>();

    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldStampWhatWaitedInTheSocketWithItsArrival()
    {
        final MediaDriver.Context receiving = context("receiving");
        ReceiveEndpoint.installStamping(receiving, SocketWatch.NONE, null, reasons::add);
        try (MediaDriver receiver = MediaDriver.launch(receiving); MediaDriver sender = MediaDriver.launch(context("sending"));
            Aeron from = connect(sender); Aeron to = connect(receiver);
            Subscription subscription = to.addSubscription("aeron:udp?endpoint=127.0.0.1:0", STREAM_ID))
        {
            final Runnable send = () ->
            {
                sender.sharedAgentInvoker().invoke();
                from.conductorAgentInvoker().invoke();
            };
            final Runnable receive = () ->
            {
                receiver.sharedAgentInvoker().invoke();
                to.conductorAgentInvoker().invoke();
            };
            await(receive, () -> null != subscription.tryResolveChannelEndpointPort());
            try (ExclusivePublication publication =
                from.addExclusivePublication(subscription.tryResolveChannelEndpointPort(), STREAM_ID))
            {
                await(() ->
                {
                    send.run();
                    receive.run();
                }, () -> publication.availableWindow() > 0 && subscription.isConnected());
                final List<Long> stamps = new ArrayList<>();
                final FragmentHandler handler = (buffer, offset, length, header) -> stamps.add(header.reservedValue());
                // The kernel begins to stamp a moment after it was asked to.
                await(() ->
                {
                    publication.offer(message);
                    send.run();
                    receive.run();
                    subscription.poll(handler, MESSAGE_COUNT);
                }, () -> stamps.stream().anyMatch((stamp) -> stamp > 0));
                await(() ->
                {
                    send.run();
                    receive.run();
                    subscription.poll(handler, MESSAGE_COUNT);
                }, () -> subscription.imageAtIndex(0).position() == publication.position());
                stamps.clear();

                final long beforeNs = System.nanoTime();
                assertThat(publication.offer(message)).isPositive();
                final long sentBytes = sender.context().systemCounters().get(SystemCounterDescriptor.BYTES_SENT).get();
                await(send, () ->
                    sender.context().systemCounters().get(SystemCounterDescriptor.BYTES_SENT).get() - sentBytes >= FRAME_LENGTH);
                final long sentNs = System.nanoTime();
                LockSupport.parkNanos(WAIT_NS);

                await(receive, () -> subscription.poll(handler, 1) > 0);
                assertThat(stamps.get(0)).isBetween(beforeNs - ERROR_NS, sentNs + ERROR_NS);
            }
        }
        assertThat(reasons).isEmpty();
    }

    @Test
    void shouldStampEveryMessageOfADatagram()
    {
        final MediaDriver.Context ctx = context("driver");
        ReceiveEndpoint.installStamping(ctx, SocketWatch.NONE, SystemNanoClock.INSTANCE, reasons::add);
        try (MediaDriver driver = MediaDriver.launch(ctx);
            Aeron aeron = connect(driver);
            Subscription subscription = aeron.addSubscription("aeron:udp?endpoint=127.0.0.1:0", STREAM_ID))
        {
            final Runnable turn = () ->
            {
                driver.sharedAgentInvoker().invoke();
                aeron.conductorAgentInvoker().invoke();
            };
            final long deadlineNs = System.nanoTime() + DEADLINE_NS;
            while (null == subscription.tryResolveChannelEndpointPort() && System.nanoTime() - deadlineNs < 0)
            {
                turn.run();
            }
            final List<Long> stamps = new ArrayList<>();
            final FragmentHandler handler = (buffer, offset, length, header) -> stamps.add(header.reservedValue());
            try (ExclusivePublication publication =
                aeron.addExclusivePublication(subscription.tryResolveChannelEndpointPort(), STREAM_ID))
            {
                while (!(publication.isConnected() && subscription.isConnected()) && System.nanoTime() - deadlineNs < 0)
                {
                    turn.run();
                }
                // The kernel begins to stamp a moment after it was asked to.
                await(() ->
                {
                    publication.offer(message);
                    turn.run();
                    subscription.poll(handler, MESSAGE_COUNT);
                }, () -> stamps.stream().anyMatch((stamp) -> stamp > 0));
                await(() ->
                {
                    turn.run();
                    subscription.poll(handler, MESSAGE_COUNT);
                }, () -> subscription.imageAtIndex(0).position() == publication.position());
                stamps.clear();
                final long sentNs = System.nanoTime();
                for (int i = 0; i < MESSAGE_COUNT; i++)
                {
                    assertThat(publication.offer(message)).isPositive();
                }
                final long arrivedNs = turnUntilArrived(turn, subscription, publication, deadlineNs);

                // Whatever the subscriber does afterwards does not move the arrival.
                while (stamps.size() < MESSAGE_COUNT && System.nanoTime() - deadlineNs < 0)
                {
                    subscription.poll(handler, 3);
                }
                assertThat(stamps).as("all waited in one datagram").hasSize(MESSAGE_COUNT)
                    .allSatisfy((stamp) -> assertThat(stamp).isBetween(sentNs, arrivedNs)).containsOnly(stamps.get(0));
            }
        }
    }

    private MediaDriver.Context context(final String folder)
    {
        return new MediaDriver.Context()
            .aeronDirectoryName(tempDir.resolve(folder).toString()).threadingMode(ThreadingMode.INVOKER)
            .termBufferSparseFile(true).dirDeleteOnShutdown(true);
    }

    private static Aeron connect(final MediaDriver driver)
    {
        return Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName())
            .useConductorAgentInvoker(true).driverAgentInvoker(driver.sharedAgentInvoker()));
    }

    private static void await(final Runnable turn, final BooleanSupplier isDone)
    {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        while (!isDone.getAsBoolean())
        {
            assertThat(System.nanoTime() - deadlineNs).as("time after the deadline").isNegative();
            turn.run();
        }
    }

    /** Run the driver until the image has all messages. */
    private static long turnUntilArrived(
        final Runnable turn, final Subscription subscription, final ExclusivePublication publication, final long deadlineNs)
    {
        final long endPosition = publication.position();
        while (received(subscription) < endPosition)
        {
            assertThat(System.nanoTime() - deadlineNs).as("time until the messages arrived").isNegative();
            turn.run();
        }
        return System.nanoTime();
    }

    private static long received(final Subscription subscription)
    {
        // A peek leaves the messages where they are.
        final Image image = subscription.imageAtIndex(0);
        return image.controlledPeek(
            image.position(), (buffer, offset, length, header) -> ControlledFragmentHandler.Action.CONTINUE, Long.MAX_VALUE);
    }
}

package io.clusterecho.media.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import io.clusterecho.testing.FreePorts;

import org.agrona.CloseHelper;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two real drivers run by this thread, so that nothing is sent otherwise; one of them is watched. */
@Timeout(120)
class SocketWatchTest
{
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(90);
    private static final int SILENCE_MS = 100;
    private static final int LONG_MS = 60_000;
    private static final int STREAM_ID = 7;
    private static final int BLIND_TURNS = 100;
    private static final int LONG_DATAGRAM = 1_200;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
    private SocketWatch watch;
    private Host watched;
    private Host other;
    private int receivedCount;

    @TempDir
    private Path tempDir;

    @BeforeEach
    void launch() throws IOException
    {
        watch = SocketWatch.open();
        final MediaDriver.Context ctx = context("watched");
        watch.install(ctx);
        watched = new Host(ctx, watch);
        other = new Host(context("other"), SocketWatch.NONE);
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(watched, other, watch);
    }

    @Test
    void shouldWakeForAMessage() throws IOException
    {
        final String channel = channel(FreePorts.block());
        try (Subscription subscription = watched.aeron.addSubscription(channel, STREAM_ID);
            ExclusivePublication publication = other.aeron.addExclusivePublication(channel, STREAM_ID))
        {
            assertWakesFor(publication, subscription);
        }
    }

    @Test
    void shouldNotAskAgainForWhatAWaitHasFound() throws IOException
    {
        final String channel = channel(FreePorts.block());
        try (Subscription subscription = watched.aeron.addSubscription(channel, STREAM_ID);
            ExclusivePublication publication = other.aeron.addExclusivePublication(channel, STREAM_ID))
        {
            until("a connection", () -> publication.isConnected() && subscription.isConnected());
            awaitSilence();
            until("an offer", () -> publication.offer(message) > 0, other);
            other.run();
            assertThat(isWokenWithin(LONG_MS)).isTrue();
            assertThat(receivedInTurns(subscription)).isOne();

            send(publication);
            watch.look();
            assertThat(receivedInTurns(subscription)).as("the first look after a wait asks").isZero();
            watch.look();
            assertThat(receivedInTurns(subscription)).as("the second look asks").isOne();
        }
    }

    @Test
    void shouldWakeForAMessageToOneOfSeveralSockets() throws IOException
    {
        final String channel = channel(FreePorts.block());
        try (Subscription subscription = watched.aeron.addSubscription("aeron:udp?control-mode=manual", STREAM_ID);
            ExclusivePublication publication = other.aeron.addExclusivePublication(channel, STREAM_ID))
        {
            subscription.addDestination(channel);
            assertWakesFor(publication, subscription);
        }
    }

    @Test
    void shouldWakeForWhatAReceiverAnswers() throws IOException
    {
        final String channel = channel(FreePorts.block());
        try (Subscription subscription = other.aeron.addSubscription(channel, STREAM_ID);
            ExclusivePublication publication = watched.aeron.addExclusivePublication(channel, STREAM_ID))
        {
            until("a connection", () -> publication.isConnected() && subscription.isConnected());
            awaitSilence();

            final long beginNs = System.nanoTime();
            // The receiver repeats a status message after a while.
            while (elapsedMs(beginNs) < LONG_MS && !isWokenWithin(1))
            {
                other.run();
            }
            assertThat(elapsedMs(beginNs)).as("ms until it woke").isLessThan(LONG_MS);
        }
    }

    @Test
    void shouldReadOnlyWhatALookHasFound() throws IOException
    {
        final String channel = channel(FreePorts.block());
        try (Subscription subscription = watched.aeron.addSubscription(channel, STREAM_ID);
            ExclusivePublication publication = other.aeron.addExclusivePublication(channel, STREAM_ID))
        {
            until("a connection", () -> publication.isConnected() && subscription.isConnected());
            awaitSilence();
            watched.driver.sharedAgentInvoker().invoke();
            for (int i = 0; i < 2; i++)
            {
                send(publication);
                assertThat(receivedInTurns(subscription)).as("before a look").isZero();
                watch.look();
                assertThat(receivedInTurns(subscription)).isOne();
            }
        }
    }

    @Test
    void shouldReadWhatIsLeftInTheNextRoundAndInOneOnceTheSocketIsBusy() throws IOException
    {
        final String channel = channel(FreePorts.block());
        try (Subscription subscription = watched.aeron.addSubscription(channel, STREAM_ID);
            ExclusivePublication publication = other.aeron.addExclusivePublication(channel, STREAM_ID))
        {
            until("a connection", () -> publication.isConnected() && subscription.isConnected());
            awaitSilence();
            sendUntilNotBusy(publication, subscription);

            send(publication);
            send(publication);
            assertThat(receivedInARound(subscription)).as("first round").isOne();
            assertThat(isWokenWithin(LONG_MS)).as("woken for the second datagram").isTrue();
            assertThat(receivedInARound(subscription)).as("second round").isOne();

            send(publication);
            send(publication);
            assertThat(receivedInARound(subscription)).as("busy").isEqualTo(2);
        }
    }

    @Test
    void shouldForgetAFoundSocketThatIsClosed() throws IOException
    {
        final String channel = channel(FreePorts.block());
        try (ExclusivePublication publication = other.aeron.addExclusivePublication(channel, STREAM_ID))
        {
            final Subscription subscription = watched.aeron.addSubscription(channel, STREAM_ID);
            until("a connection", () -> publication.isConnected() && subscription.isConnected());
            awaitSilence();
            send(publication);
            send(publication);
            watch.look();
            assertThat(receivedInTurns(subscription)).isEqualTo(2);
            assertThat(watch.hasBusy()).as("still to be read").isFalse();
            send(publication);
            watch.look();
            assertThat(watch.hasBusy()).isTrue();

            subscription.close();
            until("the end of the socket", () -> !watch.hasBusy());
        }
    }

    @Test
    void shouldFreeThePortOfAClosedSubscription() throws IOException
    {
        final int port = FreePorts.block();
        final Subscription subscription = watched.aeron.addSubscription(channel(port), STREAM_ID);
        assertThat(isFree(port)).isFalse();

        subscription.close();
        until("a free port", () -> isFree(port));
    }

    @Test
    void shouldFreeThePortOfARemovedSocket() throws IOException
    {
        final int port = FreePorts.block();
        try (Subscription subscription = watched.aeron.addSubscription("aeron:udp?control-mode=manual", STREAM_ID))
        {
            subscription.addDestination(channel(port));
            until("a taken port", () -> !isFree(port));

            subscription.removeDestination(channel(port));
            until("a free port", () -> isFree(port));
        }
    }

    /** One datagram. */
    private void send(final ExclusivePublication publication)
    {
        until("an offer", () -> publication.offer(message) > 0, other);
        other.run();
    }

    /** Datagrams of the connection may have come together. */
    private void sendUntilNotBusy(final ExclusivePublication publication, final Subscription subscription)
    {
        assertThat(receivedInTurns(subscription)).isZero();
        boolean isBusy;
        do
        {
            send(publication);
            watch.look();
            isBusy = watch.hasBusy();
            assertThat(receivedInTurns(subscription)).isOne();
        }
        while (isBusy);
    }

    /** Messages received without another look. */
    private int receivedInTurns(final Subscription subscription)
    {
        int count = 0;
        for (int i = 0; i < BLIND_TURNS; i++)
        {
            watched.driver.sharedAgentInvoker().invoke();
            count += poll(subscription);
        }
        return count;
    }

    private int receivedInARound(final Subscription subscription)
    {
        watch.drive(watched.driver.sharedAgentInvoker(), LONG_DATAGRAM);
        return poll(subscription);
    }

    private static int poll(final Subscription subscription)
    {
        return subscription.poll((buffer, offset, length, header) -> { }, Integer.MAX_VALUE);
    }

    private void assertWakesFor(final ExclusivePublication publication, final Subscription subscription)
    {
        until("a connection", () -> publication.isConnected() && subscription.isConnected());
        awaitSilence();

        until("an offer", () -> publication.offer(message) > 0);
        other.run();
        assertThat(isWokenWithin(LONG_MS)).as("woken").isTrue();

        until("a message", () -> subscription.poll((buffer, offset, length, header) -> receivedCount++, 1) > 0);
        assertThat(receivedCount).isOne();
    }

    /** The other driver sends only while it runs, so there is silence once everything sent was read. */
    private void awaitSilence()
    {
        final long beginNs = System.nanoTime();
        while (isWokenWithin(SILENCE_MS))
        {
            watched.run();
            if (System.nanoTime() - beginNs > DEADLINE_NS)
            {
                fail("it never waited for as long as nothing arrived");
            }
        }
    }

    private boolean isWokenWithin(final int timeoutMs)
    {
        final long beginNs = System.nanoTime();
        watch.await(timeoutMs);
        return elapsedMs(beginNs) < timeoutMs;
    }

    private static long elapsedMs(final long beginNs)
    {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNs);
    }

    private void until(final String what, final BooleanSupplier isDone)
    {
        until(what, isDone, watched, other);
    }

    private static void until(final String what, final BooleanSupplier isDone, final Host... hosts)
    {
        final long beginNs = System.nanoTime();
        while (!isDone.getAsBoolean())
        {
            for (final Host host : hosts)
            {
                host.run();
            }
            if (System.nanoTime() - beginNs > DEADLINE_NS)
            {
                fail("waited in vain for " + what);
            }
        }
    }

    private MediaDriver.Context context(final String name)
    {
        return new MediaDriver.Context()
            .aeronDirectoryName(tempDir.resolve(name).toString())
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .threadingMode(ThreadingMode.INVOKER);
    }

    private static String channel(final int port)
    {
        return "aeron:udp?term-length=64k|endpoint=127.0.0.1:" + port;
    }

    private static boolean isFree(final int port)
    {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)))
        {
            return socket.isBound();
        }
        catch (final BindException ex)
        {
            return false;
        }
        catch (final SocketException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static final class Host implements AutoCloseable
    {
        private final MediaDriver driver;
        private final AgentInvoker invoker;
        private final Aeron aeron;

        Host(final MediaDriver.Context ctx, final SocketWatch watch)
        {
            driver = MediaDriver.launch(ctx);
            invoker = watch.looking(driver.sharedAgentInvoker());
            aeron = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .driverAgentInvoker(invoker)
                .useConductorAgentInvoker(true));
        }

        void run()
        {
            invoker.invoke();
            aeron.conductorAgentInvoker().invoke();
        }

        @Override
        public void close()
        {
            CloseHelper.closeAll(aeron, driver);
        }
    }
}

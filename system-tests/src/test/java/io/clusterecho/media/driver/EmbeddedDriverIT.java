package io.clusterecho.media.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.driver.status.SystemCounterDescriptor;
import io.aeron.exceptions.RegistrationException;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;
import io.clusterecho.testing.FreePorts;
import io.clusterecho.testing.Need;

/** The C driver within this process, with an Aeron client on the same thread. */
@Tag("c-driver")
@Timeout(60)
class EmbeddedDriverIT
{
    private static final DriverKeys KEYS = DriverKeys.below("echo.", "echo.aeron.dir");
    private static final int STREAM_ID = 7;
    private static final int TERM_LENGTH = 64 * 1024;
    private static final int FRAME_LENGTH = 64;
    private static final long WAIT_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Of one clock against the other. */
    private static final long ERROR_NS = 20_000;
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(20);

    @TempDir
    private Path tempDir;

    private final DriverPlan plan = plan();
    private final List<Throwable> errors = new ArrayList<>();

    @Test
    void shouldCarryMessagesOnTheThreadOfItsCaller()
    {
        final Path folder = tempDir.resolve("driver");
        final AtomicInteger received = new AtomicInteger();
        try (Driver driver = start(folder, Map.of()); Aeron aeron = connect(driver, folder))
        {
            final String channel = "aeron:udp?endpoint=127.0.0.1:" + FreePorts.block();
            final Subscription subscription = aeron.addSubscription(channel, STREAM_ID);
            final Publication publication = aeron.addPublication(channel, STREAM_ID);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[200]);
            final int[] sent = { 0 };
            await(driver, aeron, () ->
            {
                sent[0] += sent[0] < 1_000 && publication.offer(message) > 0 ? 1 : 0;
                subscription.poll((buffer, offset, length, header) -> received.addAndGet(length == 200 ? 1 : 0), 10);
                return 1_000 == received.get();
            });
            assertThat(aeron.countersReader().getCounterValue(SystemCounterDescriptor.ERRORS.id())).isZero();
        }

        assertThat(folder).doesNotExist();
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldTakeAllDatagramsOfItsVectorInOneTurnAndWaitWithoutAny() throws IOException
    {
        final Path folder = tempDir.resolve("driver");
        try (Driver driver = start(folder, Map.of()); Aeron aeron = connect(driver, folder);
            DatagramSocket socket = new DatagramSocket())
        {
            final int port = FreePorts.block();
            final Subscription subscription = aeron.addSubscription("aeron:udp?endpoint=127.0.0.1:" + port, STREAM_ID);
            assertThat(subscription.isClosed()).isFalse();
            driver.invoker().invoke();
            final long before = bytesReceived(aeron);
            for (int i = 0; i < plan.receiveVector(); i++)
            {
                socket.send(new DatagramPacket(new byte[100], 100, InetAddress.getByName("127.0.0.1"), port));
            }

            final long beginNs = System.nanoTime();
            driver.datagramWait().await((int)TimeUnit.NANOSECONDS.toMillis(2 * DEADLINE_NS));
            assertThat(System.nanoTime() - beginNs).as("wait with datagrams").isLessThan(DEADLINE_NS);
            driver.invoker().invoke();
            assertThat(bytesReceived(aeron) - before).isEqualTo(100L * plan.receiveVector());

            final long emptyNs = System.nanoTime();
            driver.datagramWait().await(200);
            assertThat(System.nanoTime() - emptyNs).as("wait without").isGreaterThan(TimeUnit.MILLISECONDS.toNanos(150));
        }
    }

    @Test
    void shouldStampWhatWaitedInTheSocketWithItsArrivalIfAsked()
    {
        for (final boolean isStamping : new boolean[]{ true, false })
        {
            final Path folder = tempDir.resolve("driver-" + isStamping);
            final Path sending = tempDir.resolve("sending-" + isStamping);
            try (Driver driver = start(folder, isStamping ? Map.of(DriverEnvironment.STAMPS, "1") : Map.of());
                Aeron aeron = connect(driver, folder);
                Driver sender = start(sending, Map.of()); Aeron from = connect(sender, sending))
            {
                final String channel = "aeron:udp?endpoint=127.0.0.1:" + FreePorts.block();
                final Subscription subscription = aeron.addSubscription(channel, STREAM_ID);
                final Publication publication = from.addPublication(channel, STREAM_ID);
                await(driver, aeron, () ->
                {
                    sender.invoker().invoke();
                    from.conductorAgentInvoker().invoke();
                    return publication.availableWindow() > 0 && subscription.isConnected();
                });
                // The kernel begins to stamp a moment after it was asked to.
                LockSupport.parkNanos(WAIT_NS);

                final long beforeNs = System.nanoTime();
                for (int i = 0; i < 3; i++)
                {
                    assertThat(publication.offer(new UnsafeBuffer(new byte[16]))).isPositive();
                }
                final long sentBytes = bytesSent(from);
                await(sender, from, () -> bytesSent(from) - sentBytes >= 3 * FRAME_LENGTH);
                final long sentNs = System.nanoTime();
                LockSupport.parkNanos(WAIT_NS);

                final List<Long> stamps = new ArrayList<>();
                await(driver, aeron, () ->
                {
                    subscription.poll((buffer, offset, length, header) -> stamps.add(header.reservedValue()), 3);
                    return 3 == stamps.size();
                });
                assertThat(stamps).allSatisfy((stamp) ->
                {
                    if (isStamping)
                    {
                        assertThat(stamp).isBetween(beforeNs - ERROR_NS, sentNs + ERROR_NS);
                    }
                    else
                    {
                        assertThat(stamp).isZero();
                    }
                });
            }
        }
    }

    @Test
    void shouldPassOnTheErrorsOfTheDriver()
    {
        final Path folder = tempDir.resolve("driver");
        try (Driver driver = start(folder, Map.of()); Aeron aeron = connect(driver, folder))
        {
            final String channel = "aeron:udp?mtu=7|endpoint=127.0.0.1:" + FreePorts.block();
            assertThatThrownBy(() -> aeron.addPublication(channel, STREAM_ID))
                .isInstanceOf(RegistrationException.class);
            driver.invoker().invoke();
        }

        assertThat(errors).singleElement().satisfies((error) -> assertThat(error).hasMessageContaining("mtu"));
    }

    @Test
    void shouldRejectASettingWithTheMessageOfTheDriverAndRestoreTheEnvironment()
    {
        final Path folder = tempDir.resolve("driver");
        assertThatThrownBy(() -> start(folder, Map.of("AERON_SENDER_IDLE_STRATEGY", "no-such-strategy")))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessageStartingWith("the embedded media driver does not start: ").hasMessageContaining("no-such-strategy")
            .message().doesNotContain("\n");
        assertThat(folder).doesNotExist();

        assertThatThrownBy(() -> start(folder, Map.of(DriverEnvironment.BINDINGS, "default")))
            .isInstanceOf(InvalidSettingException.class)
            .hasMessage(DriverEnvironment.BINDINGS +
            "=default is not allowed: must not be set with the embedded driver, which has its own sockets");

        // The strategy is not among the variables by default.
        start(folder, Map.of()).close();
        assertThat(folder).doesNotExist();
    }

    @Test
    void shouldTerminateOnRequest()
    {
        final Path folder = tempDir.resolve("driver");
        final AtomicInteger terminations = new AtomicInteger();
        final MediaDriver.Context ctx = context(folder).terminationHook(terminations::incrementAndGet);
        final SortedMap<String, String> variables = DriverEnvironment.of(ctx, plan, DriverIdle.YIELD, Map.of());
        variables.put("AERON_DRIVER_TERMINATION_VALIDATOR", "allow");
        try (Driver driver = EmbeddedDriver.start(plan.library(), variables, ctx))
        {
            driver.invoker().invoke();
            assertThat(terminations).hasValue(0);
            assertThat(CommonContext.requestDriverTermination(folder.toFile(), new UnsafeBuffer(new byte[8]), 0, 8)).isTrue();
            driver.invoker().invoke();
            driver.invoker().invoke();
            assertThat(terminations).hasValue(1);
        }
    }

    @Test
    void shouldRefuseAFullFileSystemInsteadOfAMemoryFault() throws IOException, InterruptedException
    {
        final Path small = Files.createDirectory(tempDir.resolve("small"));
        Need.ROOT.check(
            0 == run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small.toString()),
            "a small file system cannot be mounted here");
        try
        {
            final Path folder = small.resolve("driver");
            assertThatThrownBy(() -> start(folder, Map.of()))
                .isInstanceOf(InvalidSettingException.class).hasMessageContaining("No space left on device");

            assertThat(run("mount", "-o", "remount,size=64m", small.toString())).isZero();
            try (Driver driver = start(folder, Map.of()); Aeron aeron = connect(driver, folder))
            {
                assertThatThrownBy(() -> aeron.addPublication("aeron:ipc?term-length=16m", STREAM_ID))
                    .isInstanceOf(RegistrationException.class);
                assertThat(aeron.addPublication("aeron:ipc?term-length=64k", STREAM_ID).isClosed()).isFalse();
                // Allocated, not only reserved.
                assertThat(small.toFile().getUsableSpace()).isLessThan(small.toFile().getTotalSpace() - 3 * TERM_LENGTH);
            }
        }
        finally
        {
            assertThat(run("umount", small.toString())).isZero();
        }
    }

    private static int run(final String... command) throws IOException, InterruptedException
    {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }

    private Driver start(final Path folder, final Map<String, String> others)
    {
        final MediaDriver.Context ctx = context(folder);
        final SortedMap<String, String> variables = DriverEnvironment.of(ctx, plan, DriverIdle.YIELD, Map.of());
        variables.putAll(others);
        return EmbeddedDriver.start(plan.library(), variables, ctx);
    }

    private MediaDriver.Context context(final Path folder)
    {
        return new MediaDriver.Context()
            .aeronDirectoryName(folder.toString())
            .threadingMode(ThreadingMode.INVOKER)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .publicationTermBufferLength(TERM_LENGTH)
            .ipcTermBufferLength(TERM_LENGTH)
            .asyncExecutorEnabled(false)
            .errorHandler(errors::add);
    }

    private static Aeron connect(final Driver driver, final Path folder)
    {
        return Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(folder.toString())
            .useConductorAgentInvoker(true)
            .driverAgentInvoker(driver.invoker()));
    }

    private static long bytesSent(final Aeron aeron)
    {
        return aeron.countersReader().getCounterValue(SystemCounterDescriptor.BYTES_SENT.id());
    }

    private static long bytesReceived(final Aeron aeron)
    {
        return aeron.countersReader().getCounterValue(SystemCounterDescriptor.BYTES_RECEIVED.id());
    }

    private static void await(final Driver driver, final Aeron aeron, final BooleanSupplier isDone)
    {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        while (!isDone.getAsBoolean())
        {
            assertThat(System.nanoTime() - deadlineNs).as("time after the deadline").isNegative();
            driver.invoker().invoke();
            aeron.conductorAgentInvoker().invoke();
        }
    }

    private static DriverPlan plan()
    {
        final Settings settings = new Settings("echo.", KEYS.all());
        settings.put("echo.driver", "embedded", "test");
        settings.put("echo.driver.c.receive.vector", "12", "test");
        return DriverPlan.of(settings, KEYS);
    }
}

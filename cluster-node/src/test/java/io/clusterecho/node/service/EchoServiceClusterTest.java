package io.clusterecho.node.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusterTool;
import io.aeron.cluster.ClusteredMediaDriver;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.ClusterEvent;
import io.aeron.cluster.client.EgressListener;
import io.aeron.cluster.codecs.EventCode;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.Header;
import io.clusterecho.media.counters.ServiceCounter;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoRequestEncoder;
import io.clusterecho.schema.codecs.EchoResponseEncoder;
import io.clusterecho.schema.codecs.OrderedEchoRequestEncoder;
import io.clusterecho.schema.codecs.RepeatedEchoResponseEncoder;
import io.clusterecho.testing.FreePorts;

/** The service in a real cluster of one member, all in this JVM. */
@Timeout(240)
class EchoServiceClusterTest
{
    private static final String HOST = "127.0.0.1";
    private static final int BACKLOG_BYTES = 64 * 1024;
    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(60);

    /** No component times out before the test does, however busy the machine is. */
    private static final long LIVENESS_NS = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    private Path folder;
    private final List<Throwable> errors = new ArrayList<>();
    private final PayloadCheck payloadCheck = new PayloadCheck();
    private final UnsafeBuffer request = new UnsafeBuffer(new byte[32 * 1024]);
    private final int firstPort = FreePorts.block();
    private ClusteredMediaDriver driver;
    private ClusteredServiceContainer container;

    @BeforeEach
    void launchFirst() throws IOException
    {
        launch();
    }

    @AfterEach
    void closeAll()
    {
        close();
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldEchoMessagesOfEachLengthAndCarryTheStateOverARestart()
    {
        final int[] lengths = {32, 288, 1344, 20_000};
        final long checksum;
        try (Client client = new Client())
        {
            for (int i = 0; i < lengths.length; i++)
            {
                client.echo(i, EchoRequestEncoder.TEMPLATE_ID, 0, 1000, lengths[i]);
                assertThat(client.replies).hasSize(1000);
                assertThat(client.replies).allMatch((reply) -> reply.templateId == EchoResponseEncoder.TEMPLATE_ID);
                client.replies.clear();
            }

            assertThat(client.count(ServiceCounter.APPLIED)).isEqualTo(4000);
            assertThat(client.count(ServiceCounter.REPLIES_SENT)).isEqualTo(4000);
            assertThat(client.count(ServiceCounter.REPLIES_DROPPED)).isZero();
            checksum = client.count(ServiceCounter.STATE_CHECKSUM);
            takeSnapshot();
        }

        close();
        launch();

        try (Client client = new Client())
        {
            assertThat(client.count(ServiceCounter.RECEIVED)).as("the log before the snapshot is not replayed").isZero();
            assertThat(client.count(ServiceCounter.APPLIED)).isEqualTo(4000);
            assertThat(client.count(ServiceCounter.CLIENTS)).isEqualTo(4);
            assertThat(client.count(ServiceCounter.STATE_CHECKSUM)).isEqualTo(checksum);

            client.echo(2, OrderedEchoRequestEncoder.TEMPLATE_ID, 998, 1004, 64);
            assertThat(client.replies.stream().map((reply) -> reply.templateId)).containsExactly(
                RepeatedEchoResponseEncoder.TEMPLATE_ID, RepeatedEchoResponseEncoder.TEMPLATE_ID,
                EchoResponseEncoder.TEMPLATE_ID, EchoResponseEncoder.TEMPLATE_ID,
                EchoResponseEncoder.TEMPLATE_ID, EchoResponseEncoder.TEMPLATE_ID);
            assertThat(client.count(ServiceCounter.APPLIED)).isEqualTo(4004);
        }
    }

    @Test
    void shouldSendFromTheBacklogByTheTimerAlone()
    {
        try (Client client = new Client())
        {
            // Enough to fill the egress, then silence: the rest arrives when the client polls again.
            int sent = 0;
            while (0 == client.count(ServiceCounter.REPLIES_BACK_PRESSURED))
            {
                client.send(1, EchoRequestEncoder.TEMPLATE_ID, sent++, 1344);
                client.awaitCount(ServiceCounter.RECEIVED, sent);
            }
            client.awaitReplies(sent);

            assertThat(client.replies.stream().map((reply) -> reply.sequence).sorted().toList())
                .isEqualTo(client.replies.stream().map((reply) -> reply.sequence).toList());
            assertThat(client.count(ServiceCounter.BACKLOG_BYTES)).isZero();
            assertThat(client.count(ServiceCounter.REPLIES_DROPPED)).isZero();
        }
    }

    @Test
    void shouldCloseASessionThatNeverPollsAndServeAnother()
    {
        try (Client slow = new Client(); Client quick = new Client())
        {
            int sent = 0;
            while (0 == slow.count(ServiceCounter.SESSIONS_CLOSED))
            {
                slow.send(1, EchoRequestEncoder.TEMPLATE_ID, sent++, 1344);
                quick.echo(2, OrderedEchoRequestEncoder.TEMPLATE_ID, sent - 1, sent, 288);
            }

            await("the slow client hears that its session is closed", () ->
            {
                slow.poll();
                return slow.cluster.isClosed();
            });
            assertThat(slow.events).containsExactly(EventCode.CLOSED);
            assertThat(quick.replies).hasSize(sent);
            assertThat(quick.replies).allMatch((reply) -> reply.templateId == EchoResponseEncoder.TEMPLATE_ID);
            assertThat(quick.count(ServiceCounter.BACKLOG_BYTES)).isZero();
            assertThat(quick.count(ServiceCounter.REPLIES_DROPPED)).isGreaterThan(BACKLOG_BYTES / 1344);
            assertThat(quick.count(ServiceCounter.APPLIED)).isGreaterThan(sent);
        }
    }

    private void takeSnapshot()
    {
        final ByteArrayOutputStream output = new ByteArrayOutputStream();
        final PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
        final boolean isTaken = ClusterTool.snapshot(folder.resolve("cluster").toFile(), out);
        assertThat(isTaken).as(output.toString(StandardCharsets.UTF_8)).isTrue();
    }

    private void launch()
    {
        final String aeronDir = aeronDir();
        final String members = IntStream.range(firstPort, firstPort + 5).mapToObj((port) -> HOST + ":" + port)
            .collect(Collectors.joining(",", "0,", ""));
        final AeronArchive.Context archiveClient = new AeronArchive.Context()
            .controlRequestChannel("aeron:ipc?term-length=64k")
            .controlResponseChannel("aeron:ipc?term-length=64k")
            .aeronDirectoryName(aeronDir);

        driver = ClusteredMediaDriver.launch(
            new MediaDriver.Context()
                .aeronDirectoryName(aeronDir)
                .threadingMode(ThreadingMode.SHARED)
                .termBufferSparseFile(true)
                .ipcTermBufferLength(256 * 1024)
                .publicationTermBufferLength(256 * 1024)
                .clientLivenessTimeoutNs(LIVENESS_NS)
                .publicationUnblockTimeoutNs(2 * LIVENESS_NS)
                .imageLivenessTimeoutNs(LIVENESS_NS)
                .publicationConnectionTimeoutNs(LIVENESS_NS)
                .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(LIVENESS_NS))
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .errorHandler(this::onError),
            new Archive.Context()
                .aeronDirectoryName(aeronDir)
                .archiveDir(folder.resolve("archive").toFile())
                .controlChannel("aeron:udp?endpoint=" + HOST + ":" + (firstPort + 4))
                .localControlChannel("aeron:ipc?term-length=64k")
                .replicationChannel("aeron:udp?endpoint=" + HOST + ":0")
                .recordingEventsEnabled(false)
                .segmentFileLength(1 << 20)
                .threadingMode(ArchiveThreadingMode.SHARED)
                .errorHandler(this::onError),
            new ConsensusModule.Context()
                .aeronDirectoryName(aeronDir)
                .clusterDir(folder.resolve("cluster").toFile())
                .clusterMembers(members)
                .clusterMemberId(0)
                .sessionTimeoutNs(LIVENESS_NS)
                .ingressChannel("aeron:udp?term-length=256k")
                .logChannel("aeron:udp?term-length=256k")
                .replicationChannel("aeron:udp?endpoint=" + HOST + ":0")
                .archiveContext(archiveClient.clone())
                .errorHandler(this::onError));

        container = ClusteredServiceContainer.launch(
            new ClusteredServiceContainer.Context()
                .aeronDirectoryName(aeronDir)
                .clusterDir(folder.resolve("cluster").toFile())
                .archiveContext(archiveClient.clone())
                .clusteredService(new EchoService(
                    false, 100, BACKLOG_BYTES, 32 * 1024, ServiceTime.of(ServiceTime.NONE), new StateTable(0)))
                .errorHandler(this::onError));
    }

    private void close()
    {
        CloseHelper.closeAll(
            null == driver ? null : driver.consensusModule(),
            container,
            null == driver ? null : driver.archive(),
            null == driver ? null : driver.mediaDriver());
        driver = null;
        container = null;
    }

    private String aeronDir()
    {
        return folder.resolve("aeron").toString();
    }

    private void onError(final Throwable error)
    {
        synchronized (errors)
        {
            // Elections and closing sessions are reported as events of this kind.
            if (!(error instanceof ClusterEvent))
            {
                errors.add(error);
            }
        }
    }

    private static void await(final String what, final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + WAIT_NS;
        final IdleStrategy idleStrategy = new BackoffIdleStrategy(10, 10, 1_000, 100_000);
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime() - deadlineNs).as("waited too long until " + what).isNegative();
            idleStrategy.idle();
        }
    }

    private record Reply(int templateId, long clientId, long sequence)
    {
    }

    private final class Client implements EgressListener, AutoCloseable
    {
        /** Below the window of the egress, so that there is no backlog of replies. */
        private static final int IN_FLIGHT_BYTES = 60_000;

        private final List<Reply> replies = new ArrayList<>();
        private final List<EventCode> events = new ArrayList<>();
        private final AeronCluster cluster;

        private Client()
        {
            cluster = AeronCluster.connect(new AeronCluster.Context()
                .aeronDirectoryName(aeronDir())
                .ingressChannel("aeron:udp?term-length=256k")
                .ingressEndpoints("0=" + HOST + ":" + firstPort)
                .egressChannel("aeron:udp?term-length=256k|endpoint=" + HOST + ":0")
                .messageTimeoutNs(WAIT_NS)
                .egressListener(this));
        }

        @Override
        public void onMessage(
            final long clusterSessionId,
            final long timestamp,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final Header header)
        {
            assertThat(EchoMessage.validate(buffer, offset, length, payloadCheck)).isEqualTo(EchoMessage.VALID);
            replies.add(new Reply(
                EchoMessage.templateId(buffer, offset),
                EchoMessage.clientId(buffer, offset),
                EchoMessage.sequence(buffer, offset)));
        }

        @Override
        public void onSessionEvent(
            final long correlationId,
            final long clusterSessionId,
            final long leadershipTermId,
            final int leaderMemberId,
            final EventCode code,
            final String detail)
        {
            events.add(code);
        }

        @Override
        public void close()
        {
            cluster.close();
        }

        private void poll()
        {
            cluster.pollEgress();
        }

        private void echo(
            final long clientId, final int templateId, final long fromSequence, final long toSequence, final int length)
        {
            final int before = replies.size();
            final int inFlight = Math.min(20, IN_FLIGHT_BYTES / length);
            for (long sequence = fromSequence; sequence < toSequence; sequence++)
            {
                send(clientId, templateId, sequence, length);
                awaitReplies((int)(before + sequence + 1 - fromSequence - inFlight));
            }
            awaitReplies((int)(before + toSequence - fromSequence));

            for (int i = before; i < replies.size(); i++)
            {
                assertThat(replies.get(i).clientId).isEqualTo(clientId);
                assertThat(replies.get(i).sequence).isEqualTo(fromSequence + i - before);
            }
        }

        private void send(final long clientId, final int templateId, final long sequence, final int length)
        {
            request.setMemory(0, length, (byte)(sequence + 1));
            EchoMessage.encode(request, 0, length, templateId, clientId, sequence, sequence, payloadCheck);
            await("request " + sequence + " is taken", () -> cluster.offer(request, 0, length) > 0);
        }

        private void awaitReplies(final int count)
        {
            await(count + " replies have come", () ->
            {
                if (replies.size() < count)
                {
                    poll();
                }
                return replies.size() >= count;
            });
        }

        private void awaitCount(final ServiceCounter counter, final long value)
        {
            await(counter + " is " + value, () -> count(counter) >= value);
        }

        private long count(final ServiceCounter counter)
        {
            final CountersReader counters = cluster.context().aeron().countersReader();
            final long[] found = {0, 0};
            counters.forEach((counterId, typeId, keyBuffer, label) ->
            {
                if (typeId == counter.typeId())
                {
                    assertThat(label).isEqualTo(counter.label());
                    found[0]++;
                    found[1] = counters.getCounterValue(counterId);
                }
            });
            assertThat(found[0]).as(counter.label() + " is in the CnC file once").isEqualTo(1);
            return found[1];
        }
    }
}

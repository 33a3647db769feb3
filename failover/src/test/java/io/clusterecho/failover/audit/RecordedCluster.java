package io.clusterecho.failover.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.checksum.Checksums;
import io.aeron.archive.client.AeronArchive;
import io.aeron.cluster.ClusterTool;
import io.aeron.cluster.ClusteredMediaDriver;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.Header;
import io.clusterecho.client.record.Journal;
import io.clusterecho.node.member.Recording;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.RunningChecksum;
import io.clusterecho.schema.codecs.ClientStateEncoder;
import io.clusterecho.schema.codecs.EchoRequestEncoder;
import io.clusterecho.schema.codecs.EchoResponseEncoder;
import io.clusterecho.schema.codecs.MessageHeaderEncoder;
import io.clusterecho.schema.codecs.OrderedEchoRequestEncoder;
import io.clusterecho.schema.codecs.SnapshotBeginEncoder;
import io.clusterecho.schema.codecs.SnapshotEndEncoder;
import io.clusterecho.testing.FreePorts;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Records a real log and a real journal: one member, short terms and segments, two leadership terms, two clients, one of which
 * sends ordered requests, and messages longer than the MTU.
 */
final class RecordedCluster
{
    static final long PLAIN_CLIENT = 0x1234_5678_9abc_def0L;
    static final long ORDERED_CLIENT = -42;
    static final int FIRST_COUNT = 320;
    static final int SECOND_COUNT = 60;
    static final int COUNT = FIRST_COUNT + SECOND_COUNT;
    static final int LENGTH = 288;
    static final int LONG_LENGTH = 3000;

    /** Folder to keep the recordings in, because mutation testing starts one process after another. */
    private static final String KEPT_PROPERTY = "test.recorded";
    private static final String LAST = "journal";
    private static final String HOST = "127.0.0.1";
    private static final int WINDOW = 32;
    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(60);
    /** So long that only the test itself times out on a busy machine. */
    private static final long LIVENESS_NS = TimeUnit.SECONDS.toNanos(60);

    private static Path recorded;

    private final Path folder;
    private final int firstPort = FreePorts.block();
    private final PayloadCheck payloadCheck = new PayloadCheck();
    private final UnsafeBuffer request = new UnsafeBuffer(new byte[LONG_LENGTH]);
    private ClusteredMediaDriver driver;
    private ClusteredServiceContainer container;
    private long answeredCount;

    private RecordedCluster(final Path folder) throws IOException
    {
        this.folder = folder;
    }

    /**
     * Record once for all tests: {@code running} is the member's folder while it ran, as a killed member leaves it;
     * {@code closed} its folder when it had closed after its first term, with a snapshot at the end; {@code trimmed} is
     * {@code running} without the first segment; {@code journal} is the journal. With {@link #KEPT_PROPERTY}, record once for
     * all processes with the same folder.
     */
    static synchronized Path recorded() throws IOException
    {
        if (null == recorded)
        {
            final String kept = System.getProperty(KEPT_PROPERTY);
            recorded = null == kept ? record() : kept(Path.of(kept));
        }

        return recorded;
    }

    private static Path record() throws IOException
    {
        final Path folder = Files.createTempDirectory("recorded-cluster");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
        new RecordedCluster(folder).run();
        return folder;
    }

    private static Path kept(final Path folder) throws IOException
    {
        if (!Files.exists(folder.resolve(LAST)))
        {
            final Path from = record();
            for (final String state : List.of("running", "closed", "trimmed"))
            {
                copy(from.resolve(state), folder.resolve(state));
            }
            Files.copy(from.resolve(LAST), folder.resolve(LAST));
        }

        return folder;
    }

    private void run() throws IOException
    {
        final Path member = folder.resolve("member-0");
        try (Journal journal = new Journal(folder.resolve("journal"), 0))
        {
            launch(member);
            send(journal, 0, FIRST_COUNT);
            takeSnapshot(member);
            close();
            copy(member, folder.resolve("closed"));
            launch(member);
            send(journal, FIRST_COUNT, COUNT);
        }

        awaitSessionCloses(member);
        copy(member, folder.resolve("running"));
        trim(member);
        copy(member, folder.resolve("trimmed"));
        close();
    }

    /** Delete the segments before the snapshot, as an operator does when the log grows too long. */
    private void trim(final Path member)
    {
        final Recording stream = MemberLog.open(member, 0).stream();
        try (AeronArchive archive = AeronArchive.connect(archiveClient()))
        {
            archive.purgeSegments(stream.id(), stream.segmentLength());
        }
    }

    /** Wait for the end of the second session, the last entry of each recorded log. Audits while the member runs. */
    private void awaitSessionCloses(final Path member)
    {
        final long deadlineNs = System.nanoTime() + WAIT_NS;
        AuditReport report;
        do
        {
            report = Auditor.audit(List.of(member), List.of(folder.resolve("journal")));
            assertThat(report.findings()).as("while the member runs").isEmpty();
            assertThat(System.nanoTime() - deadlineNs).as("waited for the end of both sessions").isNegative();
        }
        while (report.log().entryCounts().get(EntryKind.SESSION_CLOSE) < 2);
    }

    static void delete(final Path directory)
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList())
            {
                Files.delete(file);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot delete " + directory, ex);
        }
    }

    /** Three members with one log. */
    static List<Path> members(final String state, final Path folder) throws IOException
    {
        final List<Path> members = new ArrayList<>();
        for (int i = 0; i < 3; i++)
        {
            final Path member = folder.resolve("member-" + i);
            if (Files.exists(member))
            {
                delete(member);
            }
            copy(recorded().resolve(state), member);
            members.add(member);
        }

        return members;
    }

    static void copy(final Path from, final Path to) throws IOException
    {
        try (Stream<Path> files = Files.walk(from))
        {
            for (final Path file : files.toList())
            {
                final Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file))
                {
                    Files.createDirectories(target);
                }
                else if (file.toString().endsWith(".rec") || file.toString().endsWith(".catalog") ||
                    file.endsWith("recording.log"))
                {
                    Files.copy(file, target);
                }
            }
        }
    }

    private void launch(final Path member)
    {
        final String aeronDir = folder.resolve("aeron").toString();
        final String members = IntStream.range(firstPort, firstPort + 5).mapToObj((port) -> HOST + ":" + port)
            .collect(Collectors.joining(",", "0,", ""));

        driver = ClusteredMediaDriver.launch(
            new MediaDriver.Context()
                .aeronDirectoryName(aeronDir)
                .threadingMode(ThreadingMode.SHARED)
                .termBufferSparseFile(true)
                .ipcTermBufferLength(64 * 1024)
                .publicationTermBufferLength(64 * 1024)
                .clientLivenessTimeoutNs(LIVENESS_NS)
                .publicationUnblockTimeoutNs(2 * LIVENESS_NS)
                .imageLivenessTimeoutNs(LIVENESS_NS)
                .publicationConnectionTimeoutNs(LIVENESS_NS)
                .driverTimeoutMs(TimeUnit.NANOSECONDS.toMillis(LIVENESS_NS))
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true),
            new Archive.Context()
                .aeronDirectoryName(aeronDir)
                .archiveDir(member.resolve("archive").toFile())
                .controlChannel("aeron:udp?endpoint=" + HOST + ":" + (firstPort + 4))
                .localControlChannel("aeron:ipc?term-length=64k")
                .replicationChannel("aeron:udp?endpoint=" + HOST + ":0")
                .recordingEventsEnabled(false)
                .segmentFileLength(128 * 1024)
                .recordChecksum(Checksums.crc32c())
                .replayChecksum(Checksums.crc32c())
                .threadingMode(ArchiveThreadingMode.SHARED),
            new ConsensusModule.Context()
                .aeronDirectoryName(aeronDir)
                .clusterDir(member.resolve("cluster").toFile())
                .clusterMembers(members)
                .clusterMemberId(0)
                .sessionTimeoutNs(LIVENESS_NS)
                .ingressChannel("aeron:udp?term-length=64k")
                .logChannel("aeron:udp?term-length=64k")
                .replicationChannel("aeron:udp?endpoint=" + HOST + ":0")
                .archiveContext(archiveClient()));
        container = ClusteredServiceContainer.launch(
            new ClusteredServiceContainer.Context()
                .aeronDirectoryName(aeronDir)
                .clusterDir(member.resolve("cluster").toFile())
                .archiveContext(archiveClient())
                .clusteredService(new EveryMessageOnce()));
    }

    private AeronArchive.Context archiveClient()
    {
        return new AeronArchive.Context()
            .controlRequestChannel("aeron:ipc?term-length=64k")
            .controlResponseChannel("aeron:ipc?term-length=64k")
            .aeronDirectoryName(folder.resolve("aeron").toString());
    }

    private static void takeSnapshot(final Path member)
    {
        final ByteArrayOutputStream output = new ByteArrayOutputStream();
        final PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
        assertThat(ClusterTool.snapshot(member.resolve("cluster").toFile(), out))
            .as(output.toString(StandardCharsets.UTF_8)).isTrue();
    }

    private void close()
    {
        CloseHelper.closeAll(driver.consensusModule(), container, driver.archive(), driver.mediaDriver());
    }

    private void send(final Journal journal, final int from, final int to)
    {
        final EgressListener listener = (sessionId, timestamp, buffer, offset, length, header) ->
        {
            journal.onReply(
                EchoMessage.clientId(buffer, offset), EchoMessage.sequence(buffer, offset),
                EchoMessage.check(buffer, offset), EchoMessage.templateId(buffer, offset), System.nanoTime());
            answeredCount++;
        };
        try (AeronCluster client = AeronCluster.connect(new AeronCluster.Context()
            .aeronDirectoryName(folder.resolve("aeron").toString())
            .ingressChannel("aeron:udp?term-length=64k")
            .ingressEndpoints("0=" + HOST + ":" + firstPort)
            .egressChannel("aeron:udp?term-length=64k|endpoint=" + HOST + ":0")
            .messageTimeoutNs(WAIT_NS)
            .egressListener(listener)))
        {
            for (int i = from; i < to; i++)
            {
                send(client, journal, PLAIN_CLIENT, EchoRequestEncoder.TEMPLATE_ID, i);
                send(client, journal, ORDERED_CLIENT, OrderedEchoRequestEncoder.TEMPLATE_ID, i);
            }
            pollUntil(client, 2L * to);
        }
    }

    private void send(
        final AeronCluster client, final Journal journal, final long clientId, final int templateId, final int sequence)
    {
        final int length = 0 == sequence % 20 ? LONG_LENGTH : LENGTH;
        for (int i = EchoMessage.MIN_LENGTH; i < length; i++)
        {
            request.putByte(i, (byte)(sequence + i | 1));
        }
        EchoMessage.encode(request, 0, length, templateId, clientId, sequence, sequence * 1000L, payloadCheck);
        pollUntil(client, 2L * sequence - WINDOW);
        while (client.offer(request, 0, length) < 0)
        {
            client.pollEgress();
        }
        journal.onSent(clientId, sequence, client.clusterSessionId());
    }

    private void pollUntil(final AeronCluster client, final long count)
    {
        final long deadlineNs = System.nanoTime() + WAIT_NS;
        while (answeredCount < count)
        {
            if (0 == client.pollEgress())
            {
                Thread.yield();
            }
            assertThat(System.nanoTime() - deadlineNs).as("waited for %s answers, got %s", count, answeredCount).isNegative();
        }
    }

    /** Answers every message as applied and keeps the resulting state; correct as long as no message is sent twice. */
    private static final class EveryMessageOnce implements ClusteredService
    {
        private final ExpandableArrayBuffer reply = new ExpandableArrayBuffer();
        private final Map<Long, long[]> clients = new TreeMap<>();
        private long appliedCount;
        private long checksum;
        private Cluster cluster;

        @Override
        public void onStart(final Cluster newCluster, final Image snapshotImage)
        {
            cluster = newCluster;
        }

        @Override
        public void onSessionOpen(final ClientSession session, final long timestamp)
        {
        }

        @Override
        public void onSessionClose(final ClientSession session, final long timestamp, final CloseReason closeReason)
        {
        }

        @Override
        public void onSessionMessage(
            final ClientSession session,
            final long timestamp,
            final DirectBuffer buffer,
            final int offset,
            final int length,
            final Header header)
        {
            final long clientId = EchoMessage.clientId(buffer, offset);
            final long[] state = clients.computeIfAbsent(clientId, (id) -> new long[3]);
            state[0] = EchoMessage.sequence(buffer, offset);
            state[1]++;
            state[2] = RunningChecksum.next(state[2], state[0], EchoMessage.check(buffer, offset));
            appliedCount++;
            checksum = RunningChecksum.fold(
                RunningChecksum.fold(RunningChecksum.fold(checksum, clientId), state[2]), cluster.logPosition());

            reply.putBytes(0, buffer, offset, length);
            EchoMessage.templateId(reply, 0, EchoResponseEncoder.TEMPLATE_ID);
            while (null != session && session.offer(reply, 0, length) < 0)
            {
                cluster.idleStrategy().idle();
            }
        }

        @Override
        public void onTimerEvent(final long correlationId, final long timestamp)
        {
        }

        @Override
        public void onTakeSnapshot(final ExclusivePublication publication)
        {
            final MessageHeaderEncoder header = new MessageHeaderEncoder();
            write(publication, new SnapshotBeginEncoder().wrapAndApplyHeader(reply, 0, header)
                .clientCount(clients.size()).appliedCount(appliedCount).checksum(checksum).encodedLength());
            clients.forEach((clientId, state) -> write(
                publication, new ClientStateEncoder().wrapAndApplyHeader(reply, 0, header)
                    .clientId(clientId).lastSequence(state[0]).appliedCount(state[1]).checksum(state[2]).encodedLength()));
            write(publication, new SnapshotEndEncoder().wrapAndApplyHeader(reply, 0, header)
                .clientCount(clients.size()).encodedLength());
        }

        private void write(final ExclusivePublication publication, final int bodyLength)
        {
            while (publication.offer(reply, 0, MessageHeaderEncoder.ENCODED_LENGTH + bodyLength) < 0)
            {
                cluster.idleStrategy().idle();
            }
        }

        @Override
        public void onRoleChange(final Cluster.Role newRole)
        {
        }

        @Override
        public void onTerminate(final Cluster newCluster)
        {
        }
    }
}

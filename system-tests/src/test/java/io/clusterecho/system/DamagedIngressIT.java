package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.codecs.AdminRequestEncoder;
import io.aeron.cluster.codecs.AdminRequestType;
import io.aeron.cluster.codecs.ChallengeResponseDecoder;
import io.aeron.cluster.codecs.ChallengeResponseEncoder;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.MessageHeaderEncoder;
import io.aeron.cluster.codecs.SessionCloseRequestEncoder;
import io.aeron.cluster.codecs.SessionConnectRequestDecoder;
import io.aeron.cluster.codecs.SessionConnectRequestEncoder;
import io.aeron.cluster.codecs.SessionKeepAliveEncoder;
import io.aeron.cluster.codecs.SessionMessageHeaderEncoder;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.control.member.MemberErrors;
import io.clusterecho.testing.Fuzz;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends damaged messages of the session protocol to the ingress of each member under load: requests to connect and to close, keep
 * alives, responses to challenges, requests of administrators and messages, of sessions that are not open. Lengths that Aeron
 * allocates before it compares them with the message fit into it, except in one test: others end the member, see
 * docs/SECURITY.md.
 */
@Tag("slow")
class DamagedIngressIT
{
    private static final int COUNT = 4_000;
    private static final long FUZZ_S = Long.getLong("fuzz.seconds", 0);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long END_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(240);
    private static final long MAX_SHARED_MEMORY = 2L << 30;
    private static final long MAX_LOG_LENGTH = 4L << 20;
    private static final int INGRESS_STREAM_ID = 101;
    private static final int OUT_OF_MEMORY = 3;
    private static final int MAX_MESSAGE_LENGTH = 1024;
    private static final int LENGTH_OFFSET = MessageHeaderDecoder.ENCODED_LENGTH;
    /** Of no open session. */
    private static final long SESSION_ID = 1L << 40;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).withoutElections();

    @TempDir
    private Path results;

    @Tag("matrix-27")
    @Test
    void shouldServeWhateverIsSentToTheIngress() throws IOException
    {
        cluster.start();
        final List<OptionalLong> pids = cluster.members().stream().map(ClusterMember::pid).toList();
        final RunningCommand client = cluster.startLoadClient(
            "run", "--rate=200", "--size=288", "--warm-up=2s", "--duration=" + (25 + FUZZ_S) + "s", "--delivery=exactly-once",
            "--json", "--connect-timeout=110s", "--drain-timeout=60s", "--output=" + results, "--label=ingress");
        client.awaitProgress(" measure ");

        sendDamaged();

        final CommandResult run = client.await(END_TIMEOUT_NS);
        assertThat(cluster.members().stream().map(ClusterMember::pid).toList()).as("the same processes").isEqualTo(pids);
        assertThat(run.json().get("answered").asLong() + run.json().get("late").asLong())
            .as("%s", run).isEqualTo(run.json().get("scheduled").asLong());
        for (final ClusterMember member : cluster.members())
        {
            assertThat(length(member.aeronDir())).as("bytes in %s", member.aeronDir()).isLessThan(MAX_SHARED_MEMORY);
            assertThat(Files.size(member.logFile())).as("bytes in %s", member.logFile()).isLessThan(MAX_LOG_LENGTH);
            System.out.printf(
                "member %d: log of %,d bytes, %s%n", member.memberId(), Files.size(member.logFile()), member.errors());
        }
        assertThat(cluster.members().stream().map(ClusterMember::errors).mapToLong(MemberErrors::observationCount).sum())
            .as("refusals that members counted").isPositive();
        final CommandResult audit = cluster.loadClient("audit", "--json");
        assertThat(audit.json().get("clean").asBoolean()).as("%s", audit).isTrue();
        assertThat(cluster.status().isHealthy()).as("%s", cluster.status()).isTrue();
    }

    @Tag("matrix-27")
    @Test
    void shouldHaveThreeMembersAgainAfterAnAbsurdLengthOnceStarted()
    {
        cluster.start();
        final ClusterMember leader = cluster.awaitLeader();
        sendAbsurdLength(leader);

        assertThat(leader.exitCode()).hasValue(OUT_OF_MEMORY);
        assertThat(cluster.start()).containsExactly(leader);
        cluster.awaitEchoes();
        assertThat(cluster.status().isHealthy()).as("%s", cluster.status()).isTrue();
    }

    /** A connect request whose channel claims to have two gigabytes. */
    private static void sendAbsurdLength(final ClusterMember leader)
    {
        final UnsafeBuffer request = new UnsafeBuffer(new byte[128]);
        final SessionConnectRequestEncoder encoder = new SessionConnectRequestEncoder()
            .wrapAndApplyHeader(request, 0, new MessageHeaderEncoder());
        encoder.correlationId(1).responseStreamId(102).version(0);
        final int length = MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength();
        request.putInt(length, Integer.MAX_VALUE);
        try (MediaDriver driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
            .threadingMode(ThreadingMode.SHARED).dirDeleteOnShutdown(true));
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
            Publication publication = aeron.addExclusivePublication(
                "aeron:udp?endpoint=" + leader.place().endpoints().ingress(), INGRESS_STREAM_ID))
        {
            assertThat(Deadline.in(TIMEOUT_NS).await(() -> publication.offer(request, 0, length + Integer.BYTES) > 0))
                .as("sent").isTrue();
            assertThat(leader.awaitExit(END_TIMEOUT_NS)).as("it reads the request").isTrue();
        }
    }

    private void sendDamaged()
    {
        final long termId =
            cluster.awaitLeader().counters().map(MemberCounters::leadershipTermId).orElseThrow();
        try (MediaDriver driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
            .threadingMode(ThreadingMode.SHARED).dirDeleteOnShutdown(true));
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName())))
        {
            final List<Publication> members = new ArrayList<>();
            cluster.members().forEach((member) -> members.add(aeron.addExclusivePublication(
                "aeron:udp?endpoint=" + member.place().endpoints().ingress(), INGRESS_STREAM_ID)));
            Fuzz.run("session-protocol", COUNT, samples(termId), List.of(), (input) ->
            {
                final UnsafeBuffer message = new UnsafeBuffer(bounded(input));
                for (final Publication member : members)
                {
                    assertThat(Deadline.in(TIMEOUT_NS).await(() -> member.offer(message, 0, message.capacity()) > 0))
                        .as("sent to %s", member.channel()).isTrue();
                }
                Deadline.in(PAUSE_NS).await(() -> false);
            });
        }
    }

    /** The same message, but each length that Aeron allocates is within the message or negative. */
    private static byte[] bounded(final byte[] input)
    {
        final byte[] bytes = Arrays.copyOf(input, Math.min(input.length, MAX_MESSAGE_LENGTH));
        if (bytes.length < LENGTH_OFFSET)
        {
            return bytes;
        }

        final UnsafeBuffer message = new UnsafeBuffer(bytes);
        final int fields = fields(new MessageHeaderDecoder().wrap(message, 0).templateId());
        int offset = LENGTH_OFFSET + new MessageHeaderDecoder().wrap(message, 0).blockLength();
        if (offset + fields * Integer.BYTES > bytes.length)
        {
            // What follows the message in the term buffer would be read as lengths.
            new MessageHeaderEncoder().wrap(message, 0).templateId(0);
            return bytes;
        }
        for (int i = fields; i > 0; i--)
        {
            final int room = bytes.length - offset - i * Integer.BYTES;
            final int length = message.getInt(offset, ByteOrder.LITTLE_ENDIAN);
            if (length < 0 && i == fields)
            {
                return bytes;
            }
            final int allowed = Math.max(0, Math.min(length, room));
            message.putInt(offset, allowed, ByteOrder.LITTLE_ENDIAN);
            offset += Integer.BYTES + allowed;
        }
        return bytes;
    }

    /** How many fields of variable length a message has that are allocated. */
    private static int fields(final int templateId)
    {
        return switch (templateId)
        {
            case SessionConnectRequestDecoder.TEMPLATE_ID -> 3;
            case ChallengeResponseDecoder.TEMPLATE_ID -> 1;
            default -> 0;
        };
    }

    private List<byte[]> samples(final long termId)
    {
        final List<byte[]> samples = new ArrayList<>();
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[MAX_MESSAGE_LENGTH]);
        final MessageHeaderEncoder header = new MessageHeaderEncoder();
        final byte[] secret = "name:secret".getBytes(StandardCharsets.US_ASCII);

        final SessionConnectRequestEncoder connect = new SessionConnectRequestEncoder().wrapAndApplyHeader(buffer, 0, header);
        connect.correlationId(4711).responseStreamId(AeronCluster.Configuration.EGRESS_STREAM_ID_DEFAULT)
            .version(AeronCluster.Configuration.PROTOCOL_SEMANTIC_VERSION).responseChannel("aeron:udp?endpoint=127.0.0.1:9")
            .putEncodedCredentials(secret, 0, secret.length).clientInfo("name=fuzz");
        samples.add(sample(buffer, connect.encodedLength()));
        final ChallengeResponseEncoder response = new ChallengeResponseEncoder().wrapAndApplyHeader(buffer, 0, header);
        response.correlationId(4711).clusterSessionId(SESSION_ID).putEncodedCredentials(secret, 0, secret.length);
        samples.add(sample(buffer, response.encodedLength()));
        final SessionCloseRequestEncoder close = new SessionCloseRequestEncoder().wrapAndApplyHeader(buffer, 0, header);
        close.leadershipTermId(termId).clusterSessionId(SESSION_ID);
        samples.add(sample(buffer, close.encodedLength()));
        final SessionKeepAliveEncoder keepAlive = new SessionKeepAliveEncoder().wrapAndApplyHeader(buffer, 0, header);
        keepAlive.leadershipTermId(termId).clusterSessionId(SESSION_ID);
        samples.add(sample(buffer, keepAlive.encodedLength()));
        final AdminRequestEncoder admin = new AdminRequestEncoder().wrapAndApplyHeader(buffer, 0, header);
        admin.leadershipTermId(termId).clusterSessionId(SESSION_ID).correlationId(4711)
            .requestType(AdminRequestType.SNAPSHOT).putPayload(secret, 0, secret.length);
        samples.add(sample(buffer, admin.encodedLength()));
        final SessionMessageHeaderEncoder message = new SessionMessageHeaderEncoder().wrapAndApplyHeader(buffer, 0, header);
        message.leadershipTermId(termId).clusterSessionId(SESSION_ID).timestamp(0);
        samples.add(sample(buffer, message.encodedLength() + 64));
        return samples;
    }

    private static byte[] sample(final UnsafeBuffer buffer, final int encodedLength)
    {
        return Arrays.copyOf(buffer.byteArray(), MessageHeaderEncoder.ENCODED_LENGTH + encodedLength);
    }

    private static long length(final Path folder) throws IOException
    {
        try (Stream<Path> files = Files.walk(folder))
        {
            return files.filter(Files::isRegularFile).mapToLong((file) -> file.toFile().length()).sum();
        }
    }
}

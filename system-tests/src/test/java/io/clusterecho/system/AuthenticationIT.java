package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.codecs.ChallengeResponseEncoder;
import io.aeron.cluster.codecs.EventCode;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.MessageHeaderEncoder;
import io.aeron.cluster.codecs.SessionCloseRequestEncoder;
import io.aeron.cluster.codecs.SessionConnectRequestEncoder;
import io.aeron.cluster.codecs.SessionEventDecoder;
import io.aeron.cluster.codecs.SessionMessageHeaderEncoder;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.node.config.Credentials;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What credentials keep out, and what they do not: see docs/SECURITY.md. */
@Tag("slow")
@Timeout(600)
class AuthenticationIT
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(120);
    private static final int INGRESS_STREAM_ID = 101;
    private static final int NO_SESSION = 3;
    /** Of the start command, of the run, and some more. */
    private static final int MAX_SESSION_ID = 20;
    private static final int PAYLOAD_LENGTH = 64;
    private static final int MAX_REQUEST_LENGTH = 512;
    private static final long CORRELATION_ID = 4711;
    /** Behind the ports of three members. */
    private static final int EGRESS_PORT_OFFSET = 60;

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3).withoutElections();

    @TempDir
    private Path folder;

    @Tag("matrix-27")
    @Test
    void shouldRefuseAWrongSecretAndSurviveThoseWhoUseTheSessionsOfOthers() throws IOException
    {
        final Path secret = credentials("right", "cluster-echo:correct-horse");
        cluster.with("echo.credentials.file", secret.toString()).start();

        final CommandResult wrong = cluster.loadClient(
            "--rate=100", "--duration=1s", "--warm-up=0s", "--output=" + folder,
            "--credentials-file=" + credentials("wrong", "cluster-echo:battery-staple"));
        assertThat(wrong.exitCode()).as("%s", wrong).isEqualTo(NO_SESSION);
        assertThat(wrong.err()).contains("session failed authentication", "--credentials-file");

        final RunningCommand run = cluster.startLoadClient(
            "--rate=200", "--duration=12s", "--warm-up=1s", "--delivery=exactly-once", "--connect-timeout=60s",
            "--drain-timeout=60s", "--json", "--output=" + folder, "--credentials-file=" + secret);
        run.awaitProgress(" measure ");
        sendInTheNameOfOthers();
        connectWithACopiedRequest(secret);
        final CommandResult result = run.await(TIMEOUT_NS);
        // Without a secret, but with a number: Aeron closes the session, and the client opens another.
        assertThat(result.json().get("reconnects").asLong()).as("%s", result).isPositive();
        assertThat(result.json().get("unanswered").asLong()).as("%s", result).isZero();
        assertThat(result.json().get("duplicates").asLong()).as("%s", result).isZero();
        assertThat(cluster.loadClient("audit", "--json").json().get("clean").asBoolean()).isTrue();
        assertThat(cluster.status().isHealthy()).isTrue();
    }

    private Path credentials(final String name, final String text) throws IOException
    {
        final Path file = Files.writeString(folder.resolve(name), text + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    /** In each session, send a message that the service does not know, and then a request to close. */
    private void sendInTheNameOfOthers()
    {
        final ClusterMember leader = cluster.awaitLeader();
        final long termId = leader.counters().map(MemberCounters::leadershipTermId).orElseThrow();
        final UnsafeBuffer message = new UnsafeBuffer(
            new byte[MessageHeaderEncoder.ENCODED_LENGTH + SessionMessageHeaderEncoder.BLOCK_LENGTH + PAYLOAD_LENGTH]);
        final UnsafeBuffer close = new UnsafeBuffer(
            new byte[MessageHeaderEncoder.ENCODED_LENGTH + SessionCloseRequestEncoder.BLOCK_LENGTH]);
        final SessionMessageHeaderEncoder header =
            new SessionMessageHeaderEncoder().wrapAndApplyHeader(message, 0, new MessageHeaderEncoder());
        final SessionCloseRequestEncoder request =
            new SessionCloseRequestEncoder().wrapAndApplyHeader(close, 0, new MessageHeaderEncoder());
        try (MediaDriver driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
            .threadingMode(ThreadingMode.SHARED).dirDeleteOnShutdown(true));
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
            Publication publication = aeron.addExclusivePublication(
                "aeron:udp?endpoint=" + leader.place().endpoints().ingress(), INGRESS_STREAM_ID))
        {
            for (int id = 1; id <= MAX_SESSION_ID; id++)
            {
                header.leadershipTermId(termId).clusterSessionId(id).timestamp(0);
                request.leadershipTermId(termId).clusterSessionId(id);
                send(publication, message);
                send(publication, close);
            }
        }
    }

    /**
     * Send the bytes of one connect request twice, as somebody who has read them on the network can: both open a session. Then a
     * response to a challenge, which no member has sent, of each of these sessions: it has no effect.
     */
    private void connectWithACopiedRequest(final Path secret)
    {
        final ClusterMember leader = cluster.awaitLeader();
        final String egress = "aeron:udp?endpoint=127.0.0.1:" + (cluster.basePort() + EGRESS_PORT_OFFSET);
        final UnsafeBuffer request = new UnsafeBuffer(new byte[MAX_REQUEST_LENGTH]);
        final byte[] credentials = Credentials.read("echo.credentials.file", secret).encodedCredentials();
        final SessionConnectRequestEncoder connect =
            new SessionConnectRequestEncoder().wrapAndApplyHeader(request, 0, new MessageHeaderEncoder());
        connect.correlationId(CORRELATION_ID).responseStreamId(AeronCluster.Configuration.EGRESS_STREAM_ID_DEFAULT)
            .version(AeronCluster.Configuration.PROTOCOL_SEMANTIC_VERSION).responseChannel(egress)
            .putEncodedCredentials(credentials, 0, credentials.length).clientInfo("");
        final Set<Long> opened = new TreeSet<>();
        try (MediaDriver driver = MediaDriver.launchEmbedded(new MediaDriver.Context()
            .threadingMode(ThreadingMode.SHARED).dirDeleteOnShutdown(true));
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
            Subscription replies = aeron.addSubscription(egress, AeronCluster.Configuration.EGRESS_STREAM_ID_DEFAULT))
        {
            for (int i = 1; i <= 2; i++)
            {
                final int count = i;
                try (Publication publication = aeron.addExclusivePublication(
                    "aeron:udp?endpoint=" + leader.place().endpoints().ingress(), INGRESS_STREAM_ID))
                {
                    send(publication, new UnsafeBuffer(
                        request, 0, MessageHeaderEncoder.ENCODED_LENGTH + connect.encodedLength()));
                    assertThat(Deadline.in(TIMEOUT_NS).await(() -> opened(replies, opened).size() == count))
                        .as("sessions by request %d: %s", count, opened).isTrue();
                    for (final long id : opened)
                    {
                        send(publication, challengeResponse(id, credentials));
                    }
                }
            }
        }
    }

    private static UnsafeBuffer challengeResponse(final long sessionId, final byte[] credentials)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[MAX_REQUEST_LENGTH]);
        final ChallengeResponseEncoder response =
            new ChallengeResponseEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder());
        response.correlationId(CORRELATION_ID).clusterSessionId(sessionId)
            .putEncodedCredentials(credentials, 0, credentials.length);
        return new UnsafeBuffer(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + response.encodedLength());
    }

    /**
     * Take what the cluster has sent.
     *
     * @param ids of the opened sessions; new ones are added.
     */
    private static Set<Long> opened(final Subscription replies, final Set<Long> ids)
    {
        final SessionEventDecoder event = new SessionEventDecoder();
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        replies.poll((buffer, offset, length, ignored) ->
        {
            if (SessionEventDecoder.TEMPLATE_ID == header.wrap(buffer, offset).templateId())
            {
                event.wrapAndApplyHeader(buffer, offset, header);
                assertThat(event.correlationId()).isEqualTo(CORRELATION_ID);
                assertThat(event.code()).isEqualTo(EventCode.OK);
                ids.add(event.clusterSessionId());
            }
        }, 10);
        return ids;
    }

    private static void send(final Publication publication, final UnsafeBuffer message)
    {
        assertThat(Deadline.in(TIMEOUT_NS).await(() -> publication.offer(message, 0, message.capacity()) > 0)).isTrue();
    }
}

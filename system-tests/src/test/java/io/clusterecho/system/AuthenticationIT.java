package io.clusterecho.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.cluster.codecs.MessageHeaderEncoder;
import io.aeron.cluster.codecs.SessionCloseRequestEncoder;
import io.aeron.cluster.codecs.SessionMessageHeaderEncoder;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;

import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberCounters;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * What credentials keep out, and what they do not: see docs/SECURITY.md.
 */
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

    @RegisterExtension
    private final EchoCluster cluster = new EchoCluster(3);

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

    /**
     * In each session, send a message that the service does not know, and then a request to close.
     */
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
                "aeron:udp?endpoint=" + leader.endpoints().ingress(), INGRESS_STREAM_ID))
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

    private static void send(final Publication publication, final UnsafeBuffer message)
    {
        assertThat(Deadline.in(TIMEOUT_NS).await(() -> publication.offer(message, 0, message.capacity()) > 0)).isTrue();
    }
}

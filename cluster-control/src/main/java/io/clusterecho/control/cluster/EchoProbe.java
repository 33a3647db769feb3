package io.clusterecho.control.cluster;

import static io.clusterecho.schema.EchoMessage.MIN_LENGTH;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import io.aeron.Publication;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.exceptions.TimeoutException;
import io.aeron.logbuffer.Header;
import io.aeron.security.AuthenticationException;

import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.IoUtil;
import org.agrona.LangUtil;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.media.driver.DriverFile;
import io.clusterecho.node.config.Credentials;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.config.OwnAddress;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.PayloadCheck;
import io.clusterecho.schema.codecs.EchoRequestDecoder;
import io.clusterecho.threads.Uninterrupted;

/**
 * Sends one message through the log and waits for its echo, which proves that the cluster serves clients; of a service of the
 * user, whose messages it does not know, it only opens a session, which the log has too. Starts a media driver for itself and
 * deletes its folder afterwards. Sleeps while it waits, so the time it takes is not a response time.
 * <p>
 * Client id and sequence are always the same: the service applies the first probe and answers all others from its table, so
 * any number of probes adds one client to the table.
 */
final class EchoProbe implements EgressListener
{
    /** Spells "probe" in a dump of the service's state. */
    private static final long CLIENT_ID = 0x70_72_6F_62_65L;
    private static final long SEQUENCE = 0;
    private static final String DIR_PREFIX = "cluster-echo-probe-";
    /** Errors while members start are expected; only the echo counts. */
    private static final ErrorHandler EXPECTED = (error) -> { };
    private static final long CONNECT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long RESEND_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int TERM_LENGTH = 64 * 1024;
    private static final int MTU_LENGTH = 1408;

    private final UnsafeBuffer request = new UnsafeBuffer(new byte[MIN_LENGTH]);
    private final PayloadCheck payloadCheck = new PayloadCheck();
    private final NodeConfig config;
    private boolean isAnswered;
    private volatile boolean isCancelled;

    EchoProbe(final NodeConfig config)
    {
        this.config = config;
        EchoMessage.encode(
            request, 0, MIN_LENGTH, EchoRequestDecoder.TEMPLATE_ID, CLIENT_ID, SEQUENCE, 0, payloadCheck);
    }

    /**
     * Wait for an echo, in a thread of its own: an interrupt would close files of the driver and of the client, which print
     * what they cannot close. Returns whether one arrived; false if this thread is interrupted, which remains so.
     */
    boolean awaitEcho(final Deadline deadline)
    {
        final FutureTask<Boolean> probe = new FutureTask<>(() -> probe(deadline));
        final Thread prober = new Thread(probe, "echo-probe");
        prober.start();
        try
        {
            return probe.get();
        }
        catch (final InterruptedException ex)
        {
            isCancelled = true;
            Uninterrupted.join(prober);
            Thread.currentThread().interrupt();
            return isAnswered;
        }
        catch (final ExecutionException ex)
        {
            LangUtil.rethrowUnchecked(ex.getCause());
            return false;
        }
    }

    private boolean probe(final Deadline deadline)
    {
        final Path driverDir = NodeConfig.defaultAeronDir(config.baseDir(), 0)
            .resolveSibling(DIR_PREFIX + ProcessHandle.current().pid() + "-" + System.nanoTime());
        final MediaDriver.Context ctx = new MediaDriver.Context()
            .aeronDirectoryName(driverDir.toString())
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true)
            .threadingMode(ThreadingMode.SHARED)
            .sharedIdleStrategy(new SleepingMillisIdleStrategy())
            .termBufferSparseFile(true)
            .errorHandler(EXPECTED);
        try (MediaDriver ignore = MediaDriver.launch(ctx))
        {
            while (!isAnswered && !isOver(deadline))
            {
                tryOnce(driverDir, deadline);
            }
        }
        finally
        {
            IoUtil.delete(driverDir.toFile(), true);
        }

        return isAnswered;
    }

    /** Delete the folders of drivers that probes of dead processes left in shared memory. */
    static void removeLeftovers(final Path sharedMemory)
    {
        DriverFile.deleteLeftovers(sharedMemory.toFile(), DIR_PREFIX);
    }

    @Override
    public void onMessage(
        final long clusterSessionId, final long timestamp, final DirectBuffer buffer, final int offset, final int length,
        final Header header)
    {
        isAnswered |= EchoMessage.VALID == EchoMessage.validate(buffer, offset, length, payloadCheck) &&
            CLIENT_ID == EchoMessage.clientId(buffer, offset) && SEQUENCE == EchoMessage.sequence(buffer, offset);
    }

    private void tryOnce(final Path driverDir, final Deadline deadline)
    {
        final List<MemberEndpoints> members = config.members();
        final String channelTail = "term-length=" + TERM_LENGTH + "|mtu=" + MTU_LENGTH;
        final AeronCluster.Context ctx = new AeronCluster.Context()
            .aeronDirectoryName(driverDir.toString())
            .ingressChannel("aeron:udp?" + channelTail)
            .ingressEndpoints(MemberEndpoints.ingressEndpoints(members))
            .egressChannel("aeron:udp?endpoint=" + OwnAddress.towards(members.get(0).ingress()) + ":0")
            .messageTimeoutNs(Math.max(1, Math.min(CONNECT_TIMEOUT_NS, deadline.remainingNs())))
            .idleStrategy(new SleepingMillisIdleStrategy())
            .credentialsSupplier(Credentials.supplier(config.credentials()))
            .errorHandler(EXPECTED)
            .egressListener(this);
        try (AeronCluster cluster = AeronCluster.connect(ctx))
        {
            isAnswered = !config.value(NodeSettings.SERVICE_CLASS).isEmpty();
            exchange(cluster, deadline);
        }
        catch (final AuthenticationException ex)
        {
            throw new ControlFailure(ControlFailure.UNUSABLE, "the members rejected the credentials: " + ex.getMessage());
        }
        catch (final TimeoutException ex)
        {
            // No leader yet, or it changed: the caller retries until its deadline.
        }
        catch (final RuntimeException ex)
        {
            // For instance an early redirect to a member that is not up yet, or an answer that AeronCluster cannot use. Retry as
            // well, but not in a tight loop.
            Deadline.in(RESEND_INTERVAL_NS).atMostIn(deadline.remainingNs()).await(() -> false);
        }
    }

    private void exchange(final AeronCluster cluster, final Deadline deadline)
    {
        final SleepingMillisIdleStrategy idle = new SleepingMillisIdleStrategy();
        while (!isAnswered && !isOver(deadline) && !cluster.isClosed())
        {
            final boolean isSent = cluster.offer(request, 0, MIN_LENGTH) > Publication.BACK_PRESSURED;
            final Deadline resend = Deadline.in(isSent ? RESEND_INTERVAL_NS : 0).atMostIn(deadline.remainingNs());
            do
            {
                idle.idle(cluster.pollEgress());
            }
            while (!isAnswered && !resend.isOver());
        }
    }

    private boolean isOver(final Deadline deadline)
    {
        return isCancelled || deadline.isOver();
    }
}

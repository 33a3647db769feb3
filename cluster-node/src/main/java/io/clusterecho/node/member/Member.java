package io.clusterecho.node.member;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.aeron.archive.Archive;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.MediaDriver;

import org.agrona.CloseHelper;
import org.agrona.IoUtil;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.service.EchoService;

/**
 * The four components of one member, running.
 * <pre>
 *   clients - ingress -&gt; consensus module - log -&gt; archive, followers
 *                              |  commit position
 *   clients &lt;- egress -  service container            all through one media driver
 * </pre>
 * Launched by the constructor, closed once, both by the same thread.
 */
final class Member implements AutoCloseable
{
    /**
     * How long the driver outlives the consensus module. A leader that closes ends the stream of its log, and that the
     * followers must hear: they elect at once, instead of waiting until the silence is too long.
     */
    private static final long LINGER_NS = TimeUnit.MILLISECONDS.toNanos(300);

    private final NodeConfig config;
    private MediaDriver driver;
    private Archive archive;
    private ConsensusModule consensusModule;
    private ClusteredServiceContainer container;
    private MemberWatch watch;

    Member(final NodeConfig config, final MemberFolder folder, final MemberFaults faults, final PrintStream out)
    {
        final MemberContexts contexts = new MemberContexts(config, folder, faults);
        this.config = config;
        try
        {
            driver = MediaDriver.launch(contexts.driver());
            MemberFolder.makePrivate(config.aeronDir());
            archive = Archive.launch(contexts.archive());
            consensusModule = ConsensusModule.launch(contexts.consensusModule());
            final ClusteredService service = new EchoService(
                config.value(NodeSettings.MAX_CLIENTS), config.value(NodeSettings.EGRESS_BACKLOG), config.maxMessageLength());
            container = ClusteredServiceContainer.launch(contexts.container(service));
            watch = new MemberWatch(
                config.memberId(), consensusModule.context().clusterId(), folder.dir(), config.aeronDir(), out).start();
        }
        catch (final IOException ex)
        {
            closeAfter(ex);
            throw new UncheckedIOException(ex);
        }
        catch (final RuntimeException ex)
        {
            closeAfter(ex);
            throw ex;
        }
    }

    /**
     * Close the components in the order that hands leadership over at once.
     */
    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(watch);
        final boolean wasConnected = null != consensusModule;
        try
        {
            // The service right behind the consensus module, before it notices that its counters are gone and complains.
            CloseHelper.closeAll(consensusModule, container);
        }
        finally
        {
            if (wasConnected)
            {
                linger();
            }
            CloseHelper.closeAll(archive, driver);
            // A driver that did not come up, or did not go down well, leaves its folder.
            IoUtil.delete(config.aeronDir().toFile(), true);
        }
    }

    private void closeAfter(final Exception cause)
    {
        try
        {
            close();
        }
        catch (final RuntimeException ex)
        {
            cause.addSuppressed(ex);
        }
    }

    private static void linger()
    {
        final long deadlineNs = System.nanoTime() + LINGER_NS;
        while (System.nanoTime() - deadlineNs < 0)
        {
            LockSupport.parkNanos(LINGER_NS);
        }
    }
}

package io.clusterecho.node.member;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.aeron.archive.Archive;
import io.aeron.cluster.ClusterBackup;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.ClusteredServiceContainer;
import org.agrona.CloseHelper;

import io.clusterecho.media.driver.Driver;
import io.clusterecho.media.link.SocketWatch;

/**
 * The four components of one member, or those of a backup, each with its own threads.
 * <pre>
 *   clients - ingress -&gt; consensus module - log -&gt; archive, followers
 *                              |  commit position
 *   clients &lt;- egress -  service container            all through one media driver
 * </pre>
 * Of a backup, only driver and archive, and an agent that has the archive copy log and snapshots of a member. Launched and closed
 * once, both by the same thread.
 */
class Components implements AutoCloseable
{
    /**
     * Time in ns that the driver outlives the consensus module. A closing leader ends the stream of its log, and the followers
     * must receive that: they then elect at once, without waiting for the heartbeat timeout.
     */
    static final long LINGER_NS = TimeUnit.MILLISECONDS.toNanos(300);

    final MemberContexts contexts;
    Driver driver;
    Archive archive;
    ConsensusModule consensusModule;
    ClusterBackup backup;
    private final List<ClusteredServiceContainer> containers = new ArrayList<>();

    Components(final MemberContexts contexts)
    {
        this.contexts = contexts;
    }

    /** Launch the components, one after the other. After an error, those already launched must still be closed. */
    void launch(final List<ClusteredService> services) throws IOException
    {
        driver = contexts.launchDriver(contexts.driverLauncher, contexts.driver(SocketWatch.NONE));
        archive = Archive.launch(contexts.archive());
        if (contexts.config.isBackup())
        {
            backup = ClusterBackup.launch(contexts.backup());
            return;
        }
        consensusModule = ConsensusModule.launch(contexts.consensusModule());
        for (final ClusteredService service : services)
        {
            containers.add(ClusteredServiceContainer.launch(contexts.container(containers.size(), service)));
        }
    }

    /** Close the launched components, in the order that passes on leadership at once. */
    @Override
    public void close()
    {
        final boolean wasConnected = null != consensusModule;
        try
        {
            // The services right after the consensus module, before they notice the missing counters and report them.
            CloseHelper.closeAll(backup, consensusModule, () -> CloseHelper.closeAll(containers));
        }
        finally
        {
            final long deadlineNs = System.nanoTime() + LINGER_NS;
            while (wasConnected && System.nanoTime() - deadlineNs < 0)
            {
                LockSupport.parkNanos(LINGER_NS);
            }
            CloseHelper.closeAll(archive, driver);
        }
    }
}

package io.clusterecho.node.member;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

import io.aeron.archive.Archive;
import io.aeron.cluster.ClusterBackup;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.ClusteredServiceContainer;
import org.agrona.CloseHelper;

import io.clusterecho.media.driver.Driver;
import io.clusterecho.media.driver.DriverLauncher;
import io.clusterecho.media.socket.SocketWatch;

/** Components with separate threads. */
final class ThreadedComponents implements Components
{
    private final MemberContexts contexts;
    private final DriverLauncher driverLauncher;
    private Driver driver;
    private Archive archive;
    private ConsensusModule consensusModule;
    private ClusteredServiceContainer container;
    private ClusterBackup backup;

    ThreadedComponents(final MemberContexts contexts, final DriverLauncher driverLauncher)
    {
        this.contexts = contexts;
        this.driverLauncher = driverLauncher;
    }

    @Override
    public void launch(final ClusteredService service) throws IOException
    {
        driver = contexts.launchDriver(driverLauncher, contexts.driver(SocketWatch.NONE));
        archive = Archive.launch(contexts.archive());
        if (contexts.config.isBackup())
        {
            backup = ClusterBackup.launch(contexts.backup());
            return;
        }
        consensusModule = ConsensusModule.launch(contexts.consensusModule());
        container = ClusteredServiceContainer.launch(contexts.container(service));
    }

    @Override
    public void close()
    {
        final boolean wasConnected = null != consensusModule;
        try
        {
            // The service right after the consensus module, before it notices the missing counters and reports them.
            CloseHelper.closeAll(backup, consensusModule, container);
        }
        finally
        {
            if (wasConnected)
            {
                linger();
            }
            CloseHelper.closeAll(archive, driver);
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

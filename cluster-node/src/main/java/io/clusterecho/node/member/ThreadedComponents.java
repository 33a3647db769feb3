package io.clusterecho.node.member;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;

import io.aeron.archive.Archive;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.driver.MediaDriver;

import org.agrona.CloseHelper;

/**
 * Components with threads of their own.
 */
final class ThreadedComponents implements Components
{
    private final MemberContexts contexts;
    private MediaDriver driver;
    private Archive archive;
    private ConsensusModule consensusModule;
    private ClusteredServiceContainer container;

    ThreadedComponents(final MemberContexts contexts)
    {
        this.contexts = contexts;
    }

    @Override
    public void launch(final ClusteredService service) throws IOException
    {
        driver = MediaDriver.launch(contexts.driver());
        MemberFolder.makePrivate(driver.context().aeronDirectory().toPath());
        archive = Archive.launch(contexts.archive());
        consensusModule = ConsensusModule.launch(contexts.consensusModule());
        container = ClusteredServiceContainer.launch(contexts.container(service));
    }

    @Override
    public void close()
    {
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

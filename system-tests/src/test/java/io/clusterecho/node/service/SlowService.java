package io.clusterecho.node.service;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;

import org.agrona.DirectBuffer;

/**
 * A correct service that needs more time for each message.
 */
public final class SlowService implements ClusteredService
{
    private final ClusteredService service;
    private final long delayNs;

    /**
     * A service, not started.
     *
     * @param service correct service to wrap.
     * @param delayNs for each message, in ns, spent without sleeping.
     */
    public SlowService(final ClusteredService service, final long delayNs)
    {
        this.service = service;
        this.delayNs = delayNs;
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
        final long beginNs = System.nanoTime();
        while (System.nanoTime() - beginNs < delayNs)
        {
            Thread.onSpinWait();
        }
        service.onSessionMessage(session, timestamp, buffer, offset, length, header);
    }

    @Override
    public void onStart(final Cluster cluster, final Image snapshotImage)
    {
        service.onStart(cluster, snapshotImage);
    }

    @Override
    public void onSessionOpen(final ClientSession session, final long timestamp)
    {
        service.onSessionOpen(session, timestamp);
    }

    @Override
    public void onSessionClose(final ClientSession session, final long timestamp, final CloseReason closeReason)
    {
        service.onSessionClose(session, timestamp, closeReason);
    }

    @Override
    public void onTimerEvent(final long correlationId, final long timestamp)
    {
        service.onTimerEvent(correlationId, timestamp);
    }

    @Override
    public void onTakeSnapshot(final ExclusivePublication snapshotPublication)
    {
        service.onTakeSnapshot(snapshotPublication);
    }

    @Override
    public void onRoleChange(final Cluster.Role newRole)
    {
        service.onRoleChange(newRole);
    }

    @Override
    public void onTerminate(final Cluster cluster)
    {
        service.onTerminate(cluster);
    }

    @Override
    public int doBackgroundWork(final long nowNs)
    {
        return service.doBackgroundWork(nowNs);
    }
}

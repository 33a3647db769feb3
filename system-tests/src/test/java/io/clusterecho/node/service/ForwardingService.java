package io.clusterecho.node.service;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;

import org.agrona.DirectBuffer;

/** A service that leaves everything to another one. */
class ForwardingService implements ClusteredService
{
    private final ClusteredService target;

    ForwardingService(final ClusteredService target)
    {
        this.target = target;
    }

    @Override
    public void onStart(final Cluster cluster, final Image snapshotImage)
    {
        target.onStart(cluster, snapshotImage);
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
        target.onSessionMessage(session, timestamp, buffer, offset, length, header);
    }

    @Override
    public void onSessionOpen(final ClientSession session, final long timestamp)
    {
        target.onSessionOpen(session, timestamp);
    }

    @Override
    public void onSessionClose(final ClientSession session, final long timestamp, final CloseReason closeReason)
    {
        target.onSessionClose(session, timestamp, closeReason);
    }

    @Override
    public void onTimerEvent(final long correlationId, final long timestamp)
    {
        target.onTimerEvent(correlationId, timestamp);
    }

    @Override
    public void onTakeSnapshot(final ExclusivePublication snapshotPublication)
    {
        target.onTakeSnapshot(snapshotPublication);
    }

    @Override
    public void onRoleChange(final Cluster.Role newRole)
    {
        target.onRoleChange(newRole);
    }

    @Override
    public void onTerminate(final Cluster cluster)
    {
        target.onTerminate(cluster);
    }

    @Override
    public int doBackgroundWork(final long nowNs)
    {
        return target.doBackgroundWork(nowNs);
    }
}

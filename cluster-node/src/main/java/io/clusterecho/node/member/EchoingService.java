package io.clusterecho.node.member;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;

import org.agrona.DirectBuffer;

final class EchoingService implements ClusteredService
{
    @Override
    public void onStart(final Cluster cluster, final Image snapshotImage)
    {
        // stateless
    }

    @Override
    public void onSessionOpen(final ClientSession session, final long timestamp)
    {
        // stateless
    }

    @Override
    public void onSessionClose(final ClientSession session, final long timestamp, final CloseReason closeReason)
    {
        // stateless
    }

    @Override
    public void onSessionMessage(
        final ClientSession session, final long timestamp, final DirectBuffer buffer, final int offset, final int length,
        final Header header)
    {
        if (null != session)
        {
            session.offer(buffer, offset, length);
        }
    }

    @Override
    public void onTimerEvent(final long correlationId, final long timestamp)
    {
        // stateless
    }

    @Override
    public void onTakeSnapshot(final ExclusivePublication snapshotPublication)
    {
        // stateless
    }

    @Override
    public void onRoleChange(final Cluster.Role newRole)
    {
        // stateless
    }

    @Override
    public void onTerminate(final Cluster cluster)
    {
        // stateless
    }
}

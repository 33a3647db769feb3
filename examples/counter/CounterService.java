package com.example.counter;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;

/** The least that a service needs: counts requests, and answers each with its first 8 bytes and the count. */
public final class CounterService implements ClusteredService
{
    private static final int ATTEMPTS = 20;

    private final UnsafeBuffer reply = new UnsafeBuffer(new byte[2 * Long.BYTES]);
    private Cluster cluster;
    private long count;

    @Override
    public void onStart(final Cluster newCluster, final Image snapshotImage)
    {
        cluster = newCluster;
        while (null != snapshotImage && 0 == snapshotImage.poll((buffer, offset, length, header) ->
            count = buffer.getLong(offset), 1))
        {
            if (snapshotImage.isClosed())
            {
                throw new ClusterException("the snapshot is empty");
            }
            cluster.idleStrategy().idle();
        }
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
        if (length >= Long.BYTES)
        {
            count++;
            reply.putLong(0, buffer.getLong(offset));
            reply.putLong(Long.BYTES, count);
            // A client that reads too slowly misses a reply, and delays the others only for so long.
            for (int i = 0; i < ATTEMPTS && isToBeOfferedAgain(session.offer(reply, 0, reply.capacity())); i++)
            {
                cluster.idleStrategy().idle();
            }
        }
    }

    /** Also when the publication only had to rotate its term, which it does each time it is full. */
    private static boolean isToBeOfferedAgain(final long result)
    {
        return Publication.BACK_PRESSURED == result || Publication.ADMIN_ACTION == result;
    }

    @Override
    public void onTakeSnapshot(final ExclusivePublication snapshotPublication)
    {
        reply.putLong(0, count);
        long result = snapshotPublication.offer(reply, 0, Long.BYTES);
        while (isToBeOfferedAgain(result))
        {
            cluster.idleStrategy().idle();
            result = snapshotPublication.offer(reply, 0, Long.BYTES);
        }
        if (result < 0)
        {
            throw new ClusterException("cannot write the snapshot: " + Publication.errorString(result));
        }
    }

    @Override
    public void onSessionOpen(final ClientSession session, final long timestamp)
    {
    }

    @Override
    public void onSessionClose(final ClientSession session, final long timestamp, final CloseReason closeReason)
    {
    }

    @Override
    public void onTimerEvent(final long correlationId, final long timestamp)
    {
    }

    @Override
    public void onRoleChange(final Cluster.Role newRole)
    {
    }

    @Override
    public void onTerminate(final Cluster terminatingCluster)
    {
    }
}

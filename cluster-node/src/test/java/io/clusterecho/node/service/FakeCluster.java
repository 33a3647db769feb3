package io.clusterecho.node.service;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;

import io.aeron.Aeron;
import io.aeron.DirectBufferVector;
import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.logbuffer.BufferClaim;

/** A simulated cluster: a role, a position, timers and sessions. */
final class FakeCluster implements Cluster, IdleStrategy
{
    final Map<Long, FakeSession> sessions = new TreeMap<>();
    final List<Long> closedSessions = new ArrayList<>();
    final List<Long> timerDeadlines = new ArrayList<>();
    TimeUnit timeUnit = TimeUnit.MILLISECONDS;
    Role role = Role.LEADER;
    long logPosition;
    int timerRefusals;
    int closeRefusals;
    boolean isConsensusModuleGone;
    boolean isRecording = true;
    int idleCount;

    @Override
    public int memberId()
    {
        return 0;
    }

    @Override
    public Role role()
    {
        return role;
    }

    @Override
    public long logPosition()
    {
        return logPosition;
    }

    @Override
    public Aeron aeron()
    {
        throw new UnsupportedOperationException("the service has no need of this");
    }

    @Override
    public ClusteredServiceContainer.Context context()
    {
        throw new UnsupportedOperationException("the service has no need of this");
    }

    @Override
    public ClientSession getClientSession(final long clusterSessionId)
    {
        return sessions.get(clusterSessionId);
    }

    @Override
    public Collection<ClientSession> clientSessions()
    {
        return List.copyOf(sessions.values());
    }

    @Override
    public void forEachClientSession(final Consumer<? super ClientSession> action)
    {
        sessions.values().forEach(action);
    }

    @Override
    public boolean closeClientSession(final long clusterSessionId)
    {
        if (!sessions.containsKey(clusterSessionId))
        {
            throw new ClusterException("unknown clusterSessionId: " + clusterSessionId);
        }

        if (closeRefusals > 0)
        {
            closeRefusals--;
            return false;
        }

        sessions.get(clusterSessionId).isClosing = true;
        closedSessions.add(clusterSessionId);
        return true;
    }

    @Override
    public long time()
    {
        throw new UnsupportedOperationException("the service has no need of this");
    }

    @Override
    public TimeUnit timeUnit()
    {
        return timeUnit;
    }

    @Override
    public boolean scheduleTimer(final long correlationId, final long deadline)
    {
        if (isConsensusModuleGone)
        {
            throw new ClusterException("publication is not connected");
        }

        if (timerRefusals > 0)
        {
            timerRefusals--;
            return false;
        }

        if (isRecording)
        {
            timerDeadlines.add(deadline);
        }
        return true;
    }

    @Override
    public boolean cancelTimer(final long correlationId)
    {
        throw new UnsupportedOperationException("the service has no need of this");
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        throw new UnsupportedOperationException("the service has no need of this");
    }

    @Override
    public long offer(final DirectBufferVector[] vectors)
    {
        throw new UnsupportedOperationException("the service has no need of this");
    }

    @Override
    public long tryClaim(final int length, final BufferClaim bufferClaim)
    {
        throw new UnsupportedOperationException("the service has no need of this");
    }

    @Override
    public IdleStrategy idleStrategy()
    {
        return this;
    }

    @Override
    public void idle(final int workCount)
    {
        idleCount++;
    }

    @Override
    public void idle()
    {
        idleCount++;
    }

    @Override
    public void reset()
    {
        idleCount = 0;
    }
}

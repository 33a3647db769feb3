package io.clusterecho.node.service;

import java.util.ArrayList;
import java.util.concurrent.TimeUnit;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.ArrayListUtil;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

import io.aeron.DirectBufferVector;
import io.aeron.Publication;
import io.aeron.cluster.client.ClusterException;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.logbuffer.BufferClaim;
import io.clusterecho.media.counters.ServiceCounter;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.codecs.MessageHeaderDecoder;

/**
 * Sends the replies of the leader to its sessions; does nothing on other members. {@link EgressBacklog} describes the policy for
 * slow clients.
 * <p>
 * A reply is its request with another template id. It is written as a vector straight from the log's buffer into the egress
 * term: a header of 8 bytes and the rest of the request. This works for any length, fragmented or not.
 * <p>
 * One thread. Does not allocate, block or throw while no session is slow.
 */
final class Egress
{
    /** Result of {@link #offer}: the egress of the session can never accept a reply of this length. */
    static final long TOO_LONG = -100;

    private static final int HEADER_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int ADMIN_ACTION_ATTEMPTS = 3;
    private static final int MAX_SPARE = 16;

    /** Space for the event by which the consensus module informs a client that its session is closed. */
    private static final int CLOSE_EVENT_LENGTH_BYTES = 128;

    private final Cluster cluster;
    private final ServiceCounters counters;
    private final long sessionLimitBytes;
    private final long totalLimitBytes;
    private final Long2ObjectHashMap<EgressBacklog> bySessionId = new Long2ObjectHashMap<>();
    private final ArrayList<EgressBacklog> backlogs = new ArrayList<>();
    private final ArrayList<EgressBacklog> spare = new ArrayList<>();
    private final UnsafeBuffer replyHeader = new UnsafeBuffer(new byte[HEADER_LENGTH]);
    /** The container writes the session header of the cluster here. */
    private final DirectBufferVector sessionHeader = new DirectBufferVector();
    private final DirectBufferVector header = new DirectBufferVector(replyHeader, 0, HEADER_LENGTH);
    private final DirectBufferVector body = new DirectBufferVector();
    private final DirectBufferVector[] message = { sessionHeader, body };
    private final DirectBufferVector[] reply = { sessionHeader, header, body };
    private final MutableDirectBuffer staging = new ExpandableArrayBuffer();
    private final BufferClaim bufferClaim = new BufferClaim();
    private long totalBytes;
    private long clusterTime;

    /** An egress without backlogs, and the longest of replies for one session and for all sessions, in bytes. */
    Egress(
        final Cluster cluster, final ServiceCounters counters, final long sessionLimitBytes, final long totalLimitBytes)
    {
        this.cluster = cluster;
        this.counters = counters;
        this.sessionLimitBytes = sessionLimitBytes;
        this.totalLimitBytes = totalLimitBytes;
    }

    /**
     * Answer a request, longer than a message header, with its own bytes under another template. The session is null if it is
     * gone; the buffer is not changed.
     */
    void reply(
        final ClientSession session, final DirectBuffer buffer, final int offset, final int length, final int templateId)
    {
        if (canReply(session))
        {
            replyHeader.putBytes(0, buffer, offset, HEADER_LENGTH);
            EchoMessage.templateId(replyHeader, 0, templateId);
            body.reset(buffer, offset + HEADER_LENGTH, length - HEADER_LENGTH);
            send(session, reply);
        }
    }

    /** Send a prepared message to a session, which is null if it is gone. */
    void send(final ClientSession session, final DirectBuffer buffer, final int offset, final int length)
    {
        if (canReply(session))
        {
            body.reset(buffer, offset, length);
            send(session, message);
        }
    }

    private void send(final ClientSession session, final DirectBufferVector[] vectors)
    {
        final EgressBacklog waiting = backlogs.isEmpty() ? null : bySessionId.get(session.id());
        final long result = null == waiting ? offer(session, vectors) : Publication.BACK_PRESSURED;
        if (result > 0)
        {
            counters.increment(ServiceCounter.REPLIES_SENT);
        }
        else
        {
            onNotSent(session, waiting, result, vectors);
        }
    }

    /** Send backlogs, as far as the sessions accept them. Called first for each entry of the log, with its cluster time. */
    void flush(final long timestamp)
    {
        clusterTime = timestamp;
        for (int i = backlogs.size() - 1; i >= 0; i--)
        {
            final EgressBacklog backlog = backlogs.get(i);
            if (backlog.isToBeClosed)
            {
                closeWhenInformedOrDue(backlog);
            }
            else
            {
                flush(i, backlog);
            }
        }
    }

    /** Close the sessions that still have a backlog or a pending close: no further flush will come by itself. */
    void onFlushTimerLapsed()
    {
        for (int i = backlogs.size() - 1; i >= 0; i--)
        {
            final EgressBacklog backlog = backlogs.get(i);
            if (!backlog.isToBeClosed)
            {
                giveUp(backlog);
            }
            close(backlog.session);
        }
    }

    void onSessionClose(final long sessionId)
    {
        for (int i = backlogs.size() - 1; i >= 0; i--)
        {
            if (sessionId == backlogs.get(i).session.id())
            {
                remove(i);
            }
        }
    }

    /** The member gained or lost leadership: sessions have new publications, or none. Sends nothing. */
    void onRoleChange()
    {
        for (int i = backlogs.size() - 1; i >= 0; i--)
        {
            remove(i);
        }
    }

    /**
     * Offer a message once, or a few times if the publication only had to rotate its term; returns a result of {@link
     * Publication#offer(DirectBuffer, int, int)}, or {@link #TOO_LONG}. The first vector is for the header of the session.
     */
    static long offer(final ClientSession session, final DirectBufferVector[] vectors)
    {
        try
        {
            long result = Publication.ADMIN_ACTION;
            for (int i = 0; i < ADMIN_ACTION_ATTEMPTS && Publication.ADMIN_ACTION == result; i++)
            {
                result = session.offer(vectors);
            }
            return result;
        }
        catch (final IllegalArgumentException ex)
        {
            // The publication does not expose its maximum message length. The session is closed, so this is rare.
            return TOO_LONG;
        }
    }

    private boolean canReply(final ClientSession session)
    {
        if (Cluster.Role.LEADER != cluster.role())
        {
            return false;
        }

        if (null == session || session.isClosing())
        {
            counters.increment(ServiceCounter.REPLIES_DROPPED);
            return false;
        }

        return true;
    }

    private void onNotSent(
        final ClientSession session, final EgressBacklog waiting, final long result, final DirectBufferVector[] vectors)
    {
        if (null != waiting && waiting.isToBeClosed)
        {
            counters.increment(ServiceCounter.REPLIES_DROPPED);
        }
        else if (EgressBacklog.isTemporary(result))
        {
            enqueue(null == waiting ? add(session) : waiting, vectors);
        }
        else
        {
            counters.increment(ServiceCounter.REPLIES_DROPPED);
            if (isNeverTaken(result))
            {
                giveUp(add(session));
            }
        }
    }

    private void enqueue(final EgressBacklog backlog, final DirectBufferVector[] vectors)
    {
        int length = 0;
        for (int i = 1; i < vectors.length; i++)
        {
            staging.putBytes(length, vectors[i].buffer(), vectors[i].offset(), vectors[i].length());
            length += vectors[i].length();
        }
        boolean hasRoom = backlog.lengthBytes + length <= sessionLimitBytes;
        while (hasRoom && totalBytes + length > totalLimitBytes)
        {
            final EgressBacklog largest = largest(backlog);
            hasRoom = largest != backlog;
            if (hasRoom)
            {
                giveUp(largest);
            }
        }

        if (hasRoom && backlog.append(staging, 0, length))
        {
            counters.increment(ServiceCounter.REPLIES_BACK_PRESSURED);
            addTotal(length);
        }
        else
        {
            counters.increment(ServiceCounter.REPLIES_DROPPED);
            giveUp(backlog);
        }
    }

    private EgressBacklog largest(final EgressBacklog asking)
    {
        EgressBacklog largest = asking;
        for (int i = 0, size = backlogs.size(); i < size; i++)
        {
            if (backlogs.get(i).lengthBytes > largest.lengthBytes)
            {
                largest = backlogs.get(i);
            }
        }

        return largest;
    }

    private void flush(final int index, final EgressBacklog backlog)
    {
        final long lengthBefore = backlog.lengthBytes;
        final long result = backlog.flush();
        counters.add(ServiceCounter.REPLIES_SENT, backlog.sentCount);
        addTotal(backlog.lengthBytes - lengthBefore);

        if (backlog.replyCount > 0 && isNeverTaken(result))
        {
            giveUp(backlog);
        }
        else if (0 == backlog.replyCount || result <= 0 && !EgressBacklog.isTemporary(result))
        {
            remove(index);
        }
    }

    private void giveUp(final EgressBacklog backlog)
    {
        drop(backlog);
        backlog.isToBeClosed = true;
        backlog.closeDeadline =
            clusterTime + cluster.timeUnit().convert(EgressBacklog.CLOSE_PATIENCE_MS, TimeUnit.MILLISECONDS);
        counters.increment(ServiceCounter.SESSIONS_CLOSED);
        closeWhenInformedOrDue(backlog);
    }

    private void closeWhenInformedOrDue(final EgressBacklog backlog)
    {
        final ClientSession session = backlog.session;
        if (!session.isClosing() && (clusterTime >= backlog.closeDeadline || !isFull(session)))
        {
            close(session);
        }
    }

    private boolean isFull(final ClientSession session)
    {
        final long result = session.tryClaim(CLOSE_EVENT_LENGTH_BYTES, bufferClaim);
        if (result > 0)
        {
            bufferClaim.abort();
        }

        return EgressBacklog.isTemporary(result);
    }

    private void close(final ClientSession session)
    {
        if (session.isClosing())
        {
            return;
        }

        try
        {
            // False if the consensus module accepts no more at present: the next flush retries.
            cluster.closeClientSession(session.id());
        }
        catch (final ClusterException ex)
        {
            // The session is already closed, or this member is about to end: no client is left to inform.
        }
    }

    private EgressBacklog add(final ClientSession session)
    {
        final EgressBacklog backlog = spare.isEmpty() ? new EgressBacklog() : spare.remove(spare.size() - 1);
        backlog.reset(session);
        backlogs.add(backlog);
        bySessionId.put(session.id(), backlog);
        return backlog;
    }

    private void remove(final int index)
    {
        final EgressBacklog backlog = backlogs.get(index);
        drop(backlog);
        ArrayListUtil.fastUnorderedRemove(backlogs, index);
        bySessionId.remove(backlog.session.id());
        backlog.reset(null);
        if (spare.size() < MAX_SPARE)
        {
            spare.add(backlog);
        }
    }

    private void drop(final EgressBacklog backlog)
    {
        counters.add(ServiceCounter.REPLIES_DROPPED, backlog.replyCount);
        addTotal(-backlog.lengthBytes);
        backlog.clear();
    }

    private void addTotal(final long lengthBytes)
    {
        totalBytes += lengthBytes;
        counters.set(ServiceCounter.BACKLOG_BYTES, totalBytes);
    }

    private static boolean isNeverTaken(final long result)
    {
        return TOO_LONG == result || Publication.MAX_POSITION_EXCEEDED == result;
    }
}

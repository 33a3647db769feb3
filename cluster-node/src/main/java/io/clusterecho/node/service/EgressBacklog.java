package io.clusterecho.node.service;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableRingBuffer;
import org.agrona.MutableDirectBuffer;

import io.aeron.DirectBufferVector;
import io.aeron.Publication;
import io.aeron.cluster.service.ClientSession;

import io.clusterecho.media.counters.ServiceCounter;

/**
 * Replies that wait for one session with a back-pressured egress, first in, first out.
 * <p>
 * <b>The policy for slow clients.</b> Replies are offered while the log is processed: waiting there would stall every session,
 * and giving up would lose a reply that the client is owed. So:
 * <ul>
 *   <li>A reply that meets back pressure is copied here, and later replies of the session queue up behind it, so a session's
 *       replies are never reordered. Other sessions are not affected.</li>
 *   <li>Backlogs are flushed before each message of any session, and by a cluster timer every 10 ms once messages have
 *       ceased, as long as the last one is less than 15 s old ({@link FlushTimer}). One flush sends at most
 *       {@value #FLUSH_LIMIT} replies of a session, and stops when its egress is full again.</li>
 *   <li>The backlog of a session is limited by configuration, that of all sessions together to an eighth of the heap, so that
 *       slow clients cannot bring down the leader. Beyond the first limit the session, beyond the second the session with the
 *       largest backlog, loses its backlog and is closed: the client is informed, and may connect and send again what was not
 *       answered. The same happens to a session that still has a backlog when the timer lapses, and to one whose egress cannot
 *       accept a reply at all (longer than its term allows, or at its last position).</li>
 *   <li>The consensus module informs a client once that its session is closed, and does not retry if the egress is full, as it
 *       is at that moment; the client would notice only after it had waited for a new leader. So the close is requested when
 *       the egress has space again, or {@value #CLOSE_PATIENCE_MS} ms of cluster time later for a client that does not poll at
 *       all. Nothing is sent to the session in the meantime.</li>
 *   <li>A session that is closed or not connected any more loses its backlog: nobody can read it, and an egress image does
 *       not come back.</li>
 *   <li>A leader that loses leadership drops all backlogs. Its clients find the new leader and send again.</li>
 * </ul>
 * Each reply ends in one of two counters, {@link ServiceCounter#REPLIES_SENT} or {@link ServiceCounter#REPLIES_DROPPED}. A
 * backlog belongs to the leader's process and is not part of the replicated state. A reply from the backlog has, in the
 * session header of the cluster, the cluster time at which it was sent.
 */
final class EgressBacklog implements ExpandableRingBuffer.MessageConsumer
{
    /** Maximum number of replies sent by one flush, so that a client that resumes does not delay the others. */
    static final int FLUSH_LIMIT = 256;

    /** Time that a session that lost replies may keep its egress full before it is closed without informing its client. */
    static final long CLOSE_PATIENCE_MS = 5_000;

    private static final int RETAINED_CAPACITY = 1 << 20;

    private final ExpandableRingBuffer replies = new ExpandableRingBuffer(0, ExpandableRingBuffer.MAX_CAPACITY, false);
    private final DirectBufferVector body = new DirectBufferVector();
    private final DirectBufferVector[] message = { new DirectBufferVector(), body };
    private long lastResult;
    ClientSession session;
    long lengthBytes;
    int replyCount;
    /** Number of replies sent by the last {@link #flush()}. */
    int sentCount;
    /** The session has lost replies: nothing is sent to it. */
    boolean isToBeClosed;
    /** The cluster time at which it is then closed even if its client cannot be informed. */
    long closeDeadline;

    void reset(final ClientSession newSession)
    {
        session = newSession;
        isToBeClosed = false;
        clear();
    }

    /** Add a reply at the end; false if it does not fit into the address space of the ring. */
    boolean append(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!replies.append(buffer, offset, length))
        {
            return false;
        }

        lengthBytes += length;
        replyCount++;
        return true;
    }

    /** Offer replies from the front until the egress rejects one; returns the last result, positive or why it failed. */
    long flush()
    {
        sentCount = 0;
        lastResult = 1;
        replies.consume(this, FLUSH_LIMIT);
        return lastResult;
    }

    @Override
    public boolean onMessage(final MutableDirectBuffer buffer, final int offset, final int length, final int headOffset)
    {
        body.reset(buffer, offset, length);
        lastResult = Egress.offer(session, message);
        if (lastResult <= 0)
        {
            return false;
        }

        sentCount++;
        replyCount--;
        lengthBytes -= length;
        return true;
    }

    /** Drop all replies, and free most of their memory. */
    void clear()
    {
        lengthBytes = 0;
        replyCount = 0;
        replies.reset(replies.capacity() > RETAINED_CAPACITY ? 0 : replies.capacity());
    }

    /** Whether an offer failed for a temporary reason, so that a retry may succeed. */
    static boolean isTemporary(final long result)
    {
        return Publication.BACK_PRESSURED == result || Publication.ADMIN_ACTION == result;
    }
}

package io.clusterecho.node.service;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableRingBuffer;
import org.agrona.MutableDirectBuffer;

import io.aeron.Publication;
import io.aeron.cluster.service.ClientSession;

import io.clusterecho.media.counters.ServiceCounter;

/**
 * Replies that wait for one session whose egress does not take them, first in, first out.
 * <p>
 * <b>The policy for slow clients.</b> Replies are offered while the log is processed, and whoever waits there stalls every
 * session; whoever gives up there loses a reply that the client is owed. So:
 * <ul>
 *   <li>A reply that meets back pressure is copied here, and later replies of the session queue up behind it: the order of
 *       a session's replies never changes. Other sessions do not notice.</li>
 *   <li>Backlogs are flushed before each message of any session, and by a cluster timer, every 10 ms when messages have
 *       ceased, for as long as the last is less than 15 s old ({@link FlushTimer}). One flush sends at most
 *       {@value #FLUSH_LIMIT} replies of a session, and stops where its egress is full again.</li>
 *   <li>A session may have so many bytes of replies waiting, as configured; all sessions together an eighth of the heap, so
 *       that slow clients cannot bring down the leader. Beyond the first the session, beyond the second the session with the
 *       largest backlog, loses its backlog and is closed: the client hears of it, and may connect and send again what was
 *       not answered. The same befalls a session that still has a backlog when the timer lapses, and one whose egress
 *       cannot take a reply at all (longer than its term allows, or at its last position).</li>
 *   <li>The consensus module tells a client once that its session is closed, and does not try again where the egress is full,
 *       as it is just then; the client would notice only after it had waited for a new leader. So the close is asked for
 *       when the egress has room again, or {@value #CLOSE_PATIENCE_MS} ms of cluster time later for a client that does not poll
 *       at all. Nothing is sent to the session in the meantime.</li>
 *   <li>A session that is not connected any more, or closed, loses its backlog: nobody is there to read it, and an egress
 *       image does not come back.</li>
 *   <li>A leader that loses its office drops all backlogs. Its clients learn of the new leader, and send again.</li>
 * </ul>
 * Each reply ends in one of two counters, {@link ServiceCounter#REPLIES_SENT} or {@link ServiceCounter#REPLIES_DROPPED}. A
 * backlog belongs to the leader's process and is no part of the replicated state. A reply from the backlog carries, in the
 * session header of the cluster, the cluster time at which it was sent.
 */
final class EgressBacklog implements ExpandableRingBuffer.MessageConsumer
{
    /**
     * Replies that one flush sends at most, so that a client that wakes up does not keep the others waiting for all of it.
     */
    static final int FLUSH_LIMIT = 256;

    /**
     * How long a session that lost replies may keep its egress full before it is closed without being told.
     */
    static final long CLOSE_PATIENCE_MS = 5_000;

    private static final int RETAINED_CAPACITY = 1 << 20;

    private final ExpandableRingBuffer replies = new ExpandableRingBuffer(0, ExpandableRingBuffer.MAX_CAPACITY, false);
    private ClientSession session;
    private long lengthBytes;
    private int replyCount;
    private int sentCount;
    private long lastResult;
    private boolean isToBeClosed;
    private long closeDeadline;

    /**
     * Begin with a session; the backlog is empty.
     *
     * @param newSession to serve.
     */
    EgressBacklog reset(final ClientSession newSession)
    {
        session = newSession;
        isToBeClosed = false;
        clear();
        return this;
    }

    /**
     * Add a reply at the end.
     *
     * @param buffer which holds the reply.
     * @param offset in bytes at which it begins.
     * @param length in bytes.
     * @return false if there is no room in the address space of the ring.
     */
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

    /**
     * Offer replies from the front until the egress refuses one.
     *
     * @return the last result of an offer: positive, or why it stopped.
     */
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
        lastResult = Egress.offer(session, buffer, offset, length);
        if (lastResult <= 0)
        {
            return false;
        }

        sentCount++;
        replyCount--;
        lengthBytes -= length;
        return true;
    }

    /**
     * Drop all replies, and most of the memory behind them.
     */
    void clear()
    {
        lengthBytes = 0;
        replyCount = 0;
        replies.reset(replies.capacity() > RETAINED_CAPACITY ? 0 : replies.capacity());
    }

    /**
     * The session has lost replies: nothing is to be sent to it any more.
     *
     * @param deadline in cluster time at which the session is closed even if its client cannot be told.
     */
    void markToBeClosed(final long deadline)
    {
        isToBeClosed = true;
        closeDeadline = deadline;
    }

    long closeDeadline()
    {
        return closeDeadline;
    }

    boolean isToBeClosed()
    {
        return isToBeClosed;
    }

    boolean isEmpty()
    {
        return 0 == replyCount;
    }

    ClientSession session()
    {
        return session;
    }

    /**
     * Bytes of replies that wait.
     */
    long lengthBytes()
    {
        return lengthBytes;
    }

    /**
     * Replies that wait.
     */
    int replyCount()
    {
        return replyCount;
    }

    /**
     * Replies that the last {@link #flush()} sent.
     */
    int sentCount()
    {
        return sentCount;
    }

    /**
     * Whether an offer failed for a reason that passes by itself.
     *
     * @param result of the offer.
     * @return true if it is worth waiting.
     */
    static boolean isPassing(final long result)
    {
        return Publication.BACK_PRESSURED == result || Publication.ADMIN_ACTION == result;
    }
}

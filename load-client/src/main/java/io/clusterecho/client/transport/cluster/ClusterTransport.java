package io.clusterecho.client.transport.cluster;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.client.EgressListener;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.TimeoutException;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.Header;
import io.aeron.security.AuthenticationException;

import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.client.transport.ResponseHandler;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.client.transport.cluster.SessionSource.Attempt;
import io.clusterecho.client.transport.cluster.SessionSource.Session;
import io.clusterecho.schema.codecs.EchoRequestDecoder;
import io.clusterecho.schema.codecs.EchoResponseDecoder;
import io.clusterecho.settings.Quantity;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;

/**
 * One session with Aeron Cluster. It follows a new leader, and opens a new session when its own is lost; the caller must expect
 * that unanswered messages are lost then.
 * <p>
 * A leader that was restarted and leads again has closed all sessions silently, and {@link AeronCluster} waits in vain for a
 * new leader. A new process at the leader's address even keeps the session's ingress connected. So
 * {@link SessionRecovery#PROBE} requests another session as soon as the leader's ingress is unreachable, or when a second
 * passes without any reply:
 * <ul>
 * <li>if the known leader opens it, it replaces the session at once;</li>
 * <li>if another member opens it, it replaces the session after half a second without an announcement: a leader that kept the
 *     sessions announces itself to them before it opens new ones, because {@code ConsensusModuleAgent} adds their egress
 *     publications before its ingress subscription, but the announcement may be lost;</li>
 * <li>if the ingress stays reachable, it replaces the session in the same way, but not at once, and only if there was an
 *     election: in the same term the leader is merely slow, and the next session is requested 5 s later;</li>
 * <li>but a session that never had a reply within 10 s may be one that the leader does not know, as after a forged answer to
 *     its request: it is replaced in the same term too, the next one only after twice that time;</li>
 * <li>if the session reaches a leader first, or has a reply, it is closed.</li>
 * </ul>
 */
public final class ClusterTransport implements Transport
{
    private static final long KEEP_ALIVE_INTERVAL_NS = 1_000_000_000L;
    private static final long ATTEMPT_TIMEOUT_NS = 5_000_000_000L;
    /** Timeout of the first attempt after a session, whose leader may have just ended; doubled after each timeout. */
    private static final long MIN_ATTEMPT_TIMEOUT_NS = 1_000_000_000L;
    private static final long RETRY_DELAY_NS = 100_000_000L;
    /** Limits attempts, because a member writes each rejected session to its error log. */
    private static final long REFUSED_DELAY_NS = 1_000_000_000L;
    /** Time for a session to reach a leader that was announced or should be announced. */
    private static final long HOLD_NS = 500_000_000L;
    /** Longest wait for any reply after a message was sent, before the leader is in doubt though its ingress is reachable. */
    private static final long SILENCE_NS = 1_000_000_000L;
    private static final long UNKNOWN_NS = Long.MIN_VALUE;
    /** Shortest wait for the first reply of a session before a leader that is reachable, and still in its term, loses it. */
    private static final long MIN_PATIENCE_NS = 10_000_000_000L;
    /** Time between two sessions that are requested from a leader in doubt. */
    private static final long DOUBT_INTERVAL_NS = 5_000_000_000L;

    private final SessionSource source;
    private final ClusterAddress address;
    private final NanoClock clock;
    private final IdleStrategy connectIdle;
    private final boolean isDriving;
    private final boolean isProbing;
    private final BufferClaim claim = new BufferClaim();
    private final EgressListener listener = this::onMessage;
    private final ArrivalTimes arrivals = new ArrivalTimes();

    private Attempt attempt;
    private Session session;
    /** Open, to replace the session if that does not reach a leader. */
    private Session candidate;
    private AeronException lastFailure;
    private ResponseHandler handler;
    private long attemptTimeoutNs = MIN_ATTEMPT_TIMEOUT_NS;
    private long nextAttemptNs;
    private long nextKeepAliveNs;
    private long holdEndNs;
    private long announcedTermId = -1;
    private boolean isLost;
    /** A message was sent and nothing received since. */
    private boolean isAwaiting;
    /** Time of the first poll after that message, so that a stalled thread does not count as a silent leader. */
    private long awaitingSinceNs;
    /** The session had a reply. */
    private boolean isAnswered;
    /** Doubled with each session that had none, so that a leader with a long backlog is not left again and again. */
    private long patienceNs = MIN_PATIENCE_NS;

    /**
     * A session that is not open.
     *
     * @param clock       for all timeouts, in ns.
     * @param connectIdle of the thread that connects: members that start or elect need the cores more than it does.
     * @param isDriving   whether polling this transport runs driver and client conductor.
     */
    ClusterTransport(
        final SessionSource source,
        final ClusterAddress address,
        final NanoClock clock,
        final IdleStrategy connectIdle,
        final boolean isDriving)
    {
        this.source = source;
        this.address = address;
        this.clock = clock;
        this.connectIdle = connectIdle;
        this.isDriving = isDriving;
        isProbing = SessionRecovery.PROBE == address.sessionRecovery();
        nextAttemptNs = clock.nanoTime();
        nextKeepAliveNs = nextAttemptNs;
        holdEndNs = nextAttemptNs;
    }

    @Override
    public void connect(final long timeoutNs)
    {
        final long deadlineNs = clock.nanoTime() + timeoutNs;
        while (null == session)
        {
            final int workCount = source.drive();
            final long nowNs = clock.nanoTime();
            open(nowNs, Math.min(ATTEMPT_TIMEOUT_NS, Math.max(1, deadlineNs - nowNs)));
            if (null == session && (nowNs - deadlineNs >= 0 || Thread.currentThread().isInterrupted() ||
                lastFailure instanceof AuthenticationException))
            {
                endAttempt();
                throw new NotConnectedException(
                    "no session with the cluster at " + (null != address.ingressEndpoints() ? address.ingressEndpoints() :
                    "aeron:ipc, whose leader must use the driver of this client,") + " within " +
                    Quantity.formatNs(timeoutNs) + ": " + reason() +
                    (lastFailure instanceof AuthenticationException ?
                        "; its members have credentials: give the same with --credentials-file" :
                        null != lastFailure && !(lastFailure instanceof TimeoutException) ? "" :
                        "; is it running, does it have a leader and a quorum, and are these its ingress endpoints?"),
                    lastFailure);
            }
            connectIdle.idle(workCount);
        }
    }

    @Override
    public SendResult trySend(final DirectBuffer message, final int offset, final int length)
    {
        if (null == session)
        {
            return SendResult.DISCONNECTED;
        }

        final long result;
        if (length + AeronCluster.SESSION_HEADER_LENGTH <= session.maxPayloadLength())
        {
            result = session.tryClaim(length, claim);
            if (result > 0)
            {
                claim.buffer().putBytes(claim.offset() + AeronCluster.SESSION_HEADER_LENGTH, message, offset, length);
                claim.commit();
            }
        }
        else
        {
            result = session.offer(message, offset, length);
        }

        if (result > 0)
        {
            if (!isAwaiting)
            {
                isAwaiting = true;
                awaitingSinceNs = UNKNOWN_NS;
            }
            return SendResult.SENT;
        }

        return Publication.BACK_PRESSURED == result || Publication.ADMIN_ACTION == result ?
            SendResult.BACK_PRESSURED : SendResult.DISCONNECTED;
    }

    @Override
    public int poll(final ResponseHandler responseHandler, final int limit)
    {
        int workCount = isDriving ? source.drive() : 0;
        handler = responseHandler;

        if (null == session)
        {
            final long nowNs = clock.nanoTime();
            open(nowNs, attemptTimeoutNs);
            // At once: what is sent from now on is of the new session.
            return null == session ? workCount : workCount + announceChanges(nowNs);
        }

        try
        {
            // Each call delivers some of what has arrived.
            int egressCount = 0;
            int count;
            do
            {
                count = session.pollEgress();
                egressCount += count;
            }
            while (count > 0 && egressCount < limit);
            if (egressCount > 0)
            {
                isAwaiting = false;
                workCount += egressCount;
            }
        }
        catch (final TimeoutException ex)
        {
            // The new leader was announced but not reached in time: a new session will find the current leader.
            lose(ex);
            return workCount;
        }

        if (session.isClosed())
        {
            lose(null);
            return workCount;
        }

        final long nowNs = clock.nanoTime();
        if (isAwaiting && UNKNOWN_NS == awaitingSinceNs)
        {
            awaitingSinceNs = nowNs;
        }
        workCount += announceChanges(nowNs) + keepAlive(nowNs);
        if (isProbing)
        {
            probe(nowNs);
        }

        return workCount;
    }

    /** Whether messages can be sent: false during an election and while a session is being opened again. */
    boolean isConnected()
    {
        return null != session && session.isConnected();
    }

    @Override
    public long sessionId()
    {
        return null == session ? 0 : session.id();
    }

    @Override
    public int replyTemplateId()
    {
        return address.isPlain() ? EchoRequestDecoder.TEMPLATE_ID : EchoResponseDecoder.TEMPLATE_ID;
    }

    @Override
    public void close()
    {
        endAttempt();
        CloseHelper.quietClose(candidate);
        candidate = null;
        CloseHelper.quietClose(session);
        session = null;
        if (isDriving)
        {
            // The request to close the session is in a buffer: a driver without its own threads sends it here.
            for (int i = 0; i < 10; i++)
            {
                source.drive();
            }
        }
    }

    private int keepAlive(final long nowNs)
    {
        if (nowNs - nextKeepAliveNs < 0)
        {
            return 0;
        }

        nextKeepAliveNs = nowNs + KEEP_ALIVE_INTERVAL_NS;
        return session.sendKeepAlive() ? 1 : 0;
    }

    private void lose(final AeronException reason)
    {
        lastFailure = reason;
        CloseHelper.quietClose(session);
        session = null;
        nextAttemptNs = clock.nanoTime();
        isLost = true;
    }

    /** Open a session where there is none. */
    private void open(final long nowNs, final long timeoutNs)
    {
        if (source.isClosed())
        {
            throw new NotConnectedException(
                "the Aeron client has ended: its media driver is gone, or this process had no processor time for 10 s",
                lastFailure);
        }
        final Session opened = null != candidate ? candidate : advance(nowNs, timeoutNs);
        if (null != opened)
        {
            use(opened);
        }
    }

    /** With a session: have another one ready while no leader is reachable. */
    private void probe(final long nowNs)
    {
        final boolean isReachable = session.isConnected();
        final boolean isSilent = isAwaiting && nowNs - awaitingSinceNs >= SILENCE_NS;
        if (isReachable && !isSilent)
        {
            if (null != attempt || null != candidate)
            {
                dismiss(nowNs);
            }
            return;
        }

        if (nowNs - holdEndNs < 0)
        {
            return;
        }
        if (null == candidate)
        {
            candidate = advance(nowNs, attemptTimeoutNs);
            if (null == candidate)
            {
                return;
            }
            if (isReachable && candidate.leadershipTermId() == session.leadershipTermId())
            {
                if (isAnswered || nowNs - awaitingSinceNs < patienceNs)
                {
                    // The leader has not changed, so it knows the session, and is only slow.
                    dismiss(nowNs);
                    nextAttemptNs = nowNs + DOUBT_INTERVAL_NS;
                    return;
                }
                patienceNs *= 2;
            }
            if (isReachable || candidate.leaderMemberId() != session.leaderMemberId())
            {
                holdEndNs = nowNs + HOLD_NS;
                return;
            }
        }

        CloseHelper.quietClose(session);
        isLost = true;
        use(candidate);
        announceChanges(nowNs);
    }

    /** The session reached its leader. A requested session is awaited, since it would otherwise stay open in the cluster. */
    private void dismiss(final long nowNs)
    {
        if (null != attempt)
        {
            if (attempt.isRequested())
            {
                candidate = advance(nowNs, attemptTimeoutNs);
            }
            else
            {
                endAttempt();
            }
        }

        CloseHelper.quietClose(candidate);
        candidate = null;
    }

    /** Begin an attempt when it is time, or advance the current one; returns the session if it is open now, else null. */
    private Session advance(final long nowNs, final long timeoutNs)
    {
        try
        {
            if (null == attempt)
            {
                if (nowNs - nextAttemptNs < 0)
                {
                    return null;
                }
                attempt = source.begin(timeoutNs, listener);
            }

            final Session opened = attempt.poll();
            if (null != opened)
            {
                attempt = null;
                lastFailure = null;
                attemptTimeoutNs = MIN_ATTEMPT_TIMEOUT_NS;
            }
            return opened;
        }
        catch (final AeronException ex)
        {
            final boolean isTimeout = ex instanceof TimeoutException;
            // The deadline cut this attempt short: an earlier one, which may have been refused, says more.
            lastFailure = isTimeout && timeoutNs < MIN_ATTEMPT_TIMEOUT_NS && null != lastFailure ? lastFailure : ex;
            endAttempt();
            if (isTimeout)
            {
                attemptTimeoutNs = Math.min(2 * attemptTimeoutNs, ATTEMPT_TIMEOUT_NS);
            }
            nextAttemptNs = nowNs + (null == session || isTimeout ? RETRY_DELAY_NS : REFUSED_DELAY_NS);
            return null;
        }
    }

    private void endAttempt()
    {
        CloseHelper.quietClose(attempt);
        attempt = null;
    }

    private void use(final Session opened)
    {
        session = opened;
        candidate = null;
        isAwaiting = false;
        isAnswered = false;
        // It still has the timeout of its attempt, of which little may be left.
        session.messageTimeoutNs(ATTEMPT_TIMEOUT_NS);
    }

    private int announceChanges(final long nowNs)
    {
        if (isLost)
        {
            isLost = false;
            handler.onReconnected();
        }
        if (announcedTermId == session.leadershipTermId())
        {
            return 0;
        }

        announcedTermId = session.leadershipTermId();
        holdEndNs = nowNs + HOLD_NS;
        handler.onNewLeader(session.leaderMemberId(), announcedTermId);
        return 1;
    }

    private String reason()
    {
        // Aeron's message of a timeout has all settings of the client; its state says how far the attempt came.
        return null == lastFailure ? "no answer" : lastFailure instanceof TimeoutException ?
            String.valueOf(lastFailure.getMessage()).replaceFirst("(?s)^.*?state=([A-Z_]+).*$", "no answer in state $1") :
            lastFailure.getMessage();
    }

    private void onMessage(
        final long clusterSessionId,
        final long timestamp,
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final Header header)
    {
        final long receiveTimeNs = clock.nanoTime();
        isAnswered = true;
        patienceNs = MIN_PATIENCE_NS;
        handler.onResponse(buffer, offset, length, receiveTimeNs, arrivals.of(header));
    }

    /**
     * When messages of a stream could have been taken: when the driver had received their datagram and all before it. The times
     * are those that the driver wrote into the reserved values of the frames. For the one thread that polls the stream, which
     * passes every message of it in order; does not allocate.
     */
    static final class ArrivalTimes
    {
        private static final long NOT_STAMPED = 0;

        private int streamSessionId;
        private long newestNs = Long.MIN_VALUE;

        /**
         * Arrival of the next message.
         *
         * @return on the clock of the driver's stamps; {@link ResponseHandler#UNKNOWN_NS} if the driver does not stamp frames,
         * and for a message of several fragments, whose header has the arrival of the first.
         */
        long of(final Header header)
        {
            final long stampNs = header.reservedValue();
            if (NOT_STAMPED == stampNs || Aeron.NULL_VALUE != header.fragmentedFrameLength())
            {
                return ResponseHandler.UNKNOWN_NS;
            }
            if (streamSessionId != header.sessionId())
            {
                streamSessionId = header.sessionId();
                newestNs = stampNs;
            }
            // After a loss, later datagrams wait for the one that is sent again.
            newestNs = Math.max(newestNs, stampNs);
            return newestNs;
        }
    }
}

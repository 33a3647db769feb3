package io.clusterecho.client.load;

import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

import io.clusterecho.attribution.SlowestMessages;
import io.clusterecho.attribution.StageTimes;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.KindOutcome;
import io.clusterecho.reporting.measurement.MessageKind;
import io.clusterecho.reporting.measurement.TimeRecorder;

/** Records that all sessions of a run write and other threads read. */
final class LoadRecords implements LoadView
{
    private static final Counter[] COUNTERS = Counter.values();

    private final AtomicLongArray counters = new AtomicLongArray(COUNTERS.length);
    private final TimeRecorder warmUpTimes = new TimeRecorder();
    private final TimeRecorder measuredTimes = new TimeRecorder();
    /** Few: each follows a change of leader, or a session that was lost. */
    private final Queue<SessionEvent> events = new ConcurrentLinkedQueue<>();
    /**
     * Stage times of measured messages, or null. Other threads may read this, and all up to the last answer, once the agent has
     * ended.
     */
    final StageTimes stages;
    /** Measured messages of each kind that were answered. */
    final KindOutcome[] kinds;
    /** Replies of each kind to measured messages. */
    final KindOutcome[] replies;
    /** What failed when the first damaged message was decoded, or null. */
    RuntimeException damage;
    /** Receive time of the last first reply to a measured message on the agent's clock. */
    long lastAnswerNs;
    /** Id of the leader, or -1 if unknown; for any thread. */
    volatile int leaderMemberId = -1;
    private final SlowestMessages warmUpSlowest = new SlowestMessages();
    private final SlowestMessages measuredSlowest = new SlowestMessages();
    private volatile boolean isDone;
    private final AtomicLong lastEchoNs = new AtomicLong();
    private final AtomicLong lastEchoDueNs = new AtomicLong();
    private volatile long quorumLostNs = Long.MAX_VALUE;
    private volatile long echoesWithoutQuorum;
    private boolean isSendable = true;
    private long newestTermId = Long.MIN_VALUE;

    /** Of kinds of messages and replies; with only one, it has no record of its own. */
    LoadRecords(final boolean isStaged, final List<MessageKind> kinds, final List<MessageKind> replies)
    {
        stages = isStaged ? new StageTimes() : null;
        this.kinds = none(kinds);
        this.replies = none(replies);
    }

    private static KindOutcome[] none(final List<MessageKind> kinds)
    {
        return kinds.size() < 2 ? new KindOutcome[0] : kinds.stream().map(LoadRecords::none).toArray(KindOutcome[]::new);
    }

    void onDamaged(final RuntimeException failure)
    {
        increment(Counter.CORRUPT);
        damage = null == damage ? failure : damage;
    }

    /** A kind without messages. */
    static KindOutcome none(final MessageKind kind)
    {
        return new KindOutcome(kind, new Counts(), TimeRecorder.newHistogram());
    }

    /** Count a message with the class of its outcome, and its response time, or without a reply its age, in ns. */
    static void record(final KindOutcome kind, final Counter outcome, final long timeNs)
    {
        kind.responseTimes().recordValue(TimeRecorder.bounded(timeNs));
        kind.counts().increment(outcome);
        kind.counts().increment(Counter.SCHEDULED);
    }

    void onDone()
    {
        isDone = true;
    }

    @Override
    public boolean isDone()
    {
        return isDone;
    }

    @Override
    public long answeredCount()
    {
        return value(Counter.ANSWERED_ALL);
    }

    @Override
    public Collection<SessionEvent> events()
    {
        return events;
    }

    @Override
    public long lastEchoNs()
    {
        return lastEchoNs.get();
    }

    @Override
    public long lastEchoDueNs()
    {
        return lastEchoDueNs.get();
    }

    /** Add one; for the agent's thread. */
    void increment(final Counter counter)
    {
        add(counter, 1);
    }

    /** Add a count; for the agent's thread. */
    void add(final Counter counter, final long count)
    {
        final int place = counter.ordinal();
        counters.lazySet(place, counters.getPlain(place) + count);
    }

    /** Current value; for any thread. */
    long value(final Counter counter)
    {
        return counters.get(counter.ordinal());
    }

    /** Current values; for any thread. Answered messages never exceed those sent. */
    Counts counts()
    {
        final Counts counts = new Counts();
        // In reverse order: sent is read after answered.
        for (int i = COUNTERS.length - 1; i >= 0; i--)
        {
            counts.set(COUNTERS[i], counters.get(i));
        }
        return counts;
    }

    TimeRecorder times(final boolean isMeasured)
    {
        return isMeasured ? measuredTimes : warmUpTimes;
    }

    SlowestMessages slowest(final boolean isMeasured)
    {
        return isMeasured ? measuredSlowest : warmUpSlowest;
    }

    /** A first reply was received. Both times are on one clock. */
    void onEcho(final boolean isMeasured, final long receiveTimeNs, final long dueTimeNs)
    {
        if (isMeasured)
        {
            // Threads of a library take the times, and replies of several sessions can be polled in another order.
            lastAnswerNs = Math.max(lastAnswerNs, receiveTimeNs);
        }
        if (dueTimeNs >= quorumLostNs)
        {
            // Written only by the agent's thread.
            echoesWithoutQuorum = echoesWithoutQuorum + 1;
        }

        // In this order, so that a reader of the newer due time never sees an older receive time.
        lastEchoNs.lazySet(receiveTimeNs);
        lastEchoDueNs.lazySet(dueTimeNs);
    }

    @Override
    public void quorumLostNs(final long timeNs)
    {
        quorumLostNs = timeNs;
    }

    @Override
    public long echoesWithoutQuorum()
    {
        return echoesWithoutQuorum;
    }

    void onSent(final long sendTimeNs)
    {
        if (!isSendable)
        {
            isSendable = true;
            events.add(new SessionEvent(SessionEvent.Kind.SENDABLE, sendTimeNs, 0));
        }
    }

    /** A message was not accepted, because of back pressure or without a connection. */
    void onRefused(final Counter reason)
    {
        increment(reason);
        isSendable &= Counter.DISCONNECTED != reason;
    }

    /** A session heard of a leader, by the agent's clock. Each session does, but a term has one leader. */
    void onNewLeader(final int memberId, final long leadershipTermId, final long nowNs)
    {
        if (leadershipTermId <= newestTermId)
        {
            return;
        }
        newestTermId = leadershipTermId;
        if (-1 != leaderMemberId)
        {
            if (memberId != leaderMemberId)
            {
                increment(Counter.NEW_LEADERS);
            }
            events.add(new SessionEvent(SessionEvent.Kind.NEW_LEADER, nowNs, memberId));
            isSendable = false;
        }
        leaderMemberId = memberId;
    }

    void onReconnected(final long nowNs)
    {
        increment(Counter.RECONNECTS);
        events.add(new SessionEvent(SessionEvent.Kind.RECONNECTED, nowNs, 0));
        isSendable = false;
    }
}

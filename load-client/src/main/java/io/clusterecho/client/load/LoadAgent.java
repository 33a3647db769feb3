package io.clusterecho.client.load;

import java.util.Arrays;

import io.clusterecho.client.record.Journal;
import io.clusterecho.client.record.Ledger;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.schedule.EncodedMessages;
import io.clusterecho.client.schedule.Messages;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.FanOutOutcome;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.schema.EchoMessage;

import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Sends the messages of a plan when they are due and receives the replies. Each duty cycle sends a bounded number and then
 * receives a bounded number, so that neither starves the other when the agent is behind. One thread calls {@link #doWork()}; it
 * does not allocate, block or log. Any thread may call {@link #requestWarmUpEnd()}, {@link #requestEnd()}, {@link #isDone()} and
 * {@link #answeredCount()}.
 */
public final class LoadAgent
{
    private static final int MAX_SEND_COUNT = 128;
    private static final int MAX_POLL_COUNT = 256;
    /** Bytes of a session in one duty cycle: less than the window of its ingress. */
    private static final int MAX_SEND_LENGTH = 64 << 10;
    /** Messages of a session in one duty cycle, however long they are and however many sessions there are. */
    private static final int MIN_SEND_COUNT = 8;
    private static final int MIN_POLL_COUNT = 16;
    private static final int TURN_MASK = 63;
    private static final long CEILING_RATE_PER_SECOND = 1_000_000_000L;
    private static final long CEILING_TIME_NS = 300_000_000L;
    /** For the marks of the last replies; none come from members that do not record stages. */
    private static final long MARK_TIMEOUT_NS = 100_000_000L;

    private final LoadPlan plan;
    private final Schedule schedule;
    private final NanoClock clock;
    private final Ledger ledger;
    final LoadRecords records;
    private final LoadSession[] sessions;
    private final long firstClientId;
    /** Messages of each session in a duty cycle. */
    private final int sendLimit;
    private final int pollLimit;
    /** Null without receivers. */
    private FanOut fanOut;

    private long startNs;
    private long drainDeadlineNs;
    private int turnCount;
    private boolean isEndTaken;
    private volatile boolean isWarmUpEndRequested;
    private volatile long warmUpCount;
    private volatile boolean isEndRequested;
    private volatile long scheduleEndNs;
    private long endNs;

    /**
     * An agent that has not started, with a connected session each and a journal or null; client ids count up from that of
     * session 0 of all clients.
     */
    public LoadAgent(
        final LoadPlan plan,
        final Schedule schedule,
        final Transport[] transports,
        final long firstClientId,
        final NanoClock clock,
        final Journal journal)
    {
        this.plan = plan;
        this.schedule = schedule;
        this.clock = clock;
        this.firstClientId = firstClientId;
        records = new LoadRecords(plan.isStaged(), plan.messages().kinds(), plan.messages().replyKinds());
        ledger = new Ledger(plan.messageCount(), plan.newestCount(), Math.max(1, plan.messages().replyKinds().size()));
        sessions = new LoadSession[transports.length];
        sendLimit = Math.max(MIN_SEND_COUNT, Math.min(
            MAX_SEND_COUNT / transports.length, MAX_SEND_LENGTH / plan.messages().maxLengthBytes()));
        pollLimit = Math.max(MIN_POLL_COUNT, MAX_POLL_COUNT / transports.length);
        final LoadSession.Run run = new LoadSession.Run(plan, schedule, firstClientId, clock, ledger, records, journal);
        for (int i = 0; i < sessions.length; i++)
        {
            // Among those of all clients.
            final int number = i * plan.share().count() + plan.share().number();
            sessions[i] = plan.messages() instanceof EncodedMessages own ?
                new CodecSession(number, transports[i], run, own.newCodec()) : new EchoSession(number, transports[i], run);
        }
    }

    /** Add connected sessions that receive a copy of each reply, before the schedule begins; for the only client of a run. */
    void receivers(final Transport[] transports)
    {
        fanOut = 0 == transports.length ? null : new FanOut(
            plan, schedule, Arrays.copyOf(sessions, sessions.length, EchoSession[].class), firstClientId, transports);
    }

    /** Begin the schedule, before the first {@link #doWork()}: message 0 is due at this time, on the agent's clock. */
    public void begin(final long newStartNs)
    {
        startNs = newStartNs;
        warmUpCount = plan.warmUpCount();
        scheduleEndNs = plan.endNs();
        drainDeadlineNs = startNs + scheduleEndNs + plan.drainTimeoutNs();
        for (final LoadSession session : sessions)
        {
            session.begin(startNs);
        }
    }

    /**
     * The client ceiling: the rate of an agent with all its work per message, into a transport that answers at once. Of another
     * service than the echo nothing answers here: it is the rate of echoes of the same mean length.
     *
     * @return messages sent and answered per second, measured on the calling thread for 300 ms.
     */
    public static long ceilingPerSecond(final Messages load)
    {
        final Messages messages = !(load instanceof EncodedMessages) ? load :
            Messages.ofLength(Math.max(EchoMessage.MIN_LENGTH, load.lengthBytes(0)), CEILING_RATE_PER_SECOND);
        final LoadPlan plan = new LoadPlan(
            CEILING_RATE_PER_SECOND, messages, 0, CEILING_RATE_PER_SECOND, 0, CEILING_RATE_PER_SECOND, 1, CEILING_TIME_NS,
            Long.MAX_VALUE, 1 << 16, Delivery.AT_MOST_ONCE, Share.WHOLE, false);
        final Transport transport = new MemoryTransport(SystemNanoClock.INSTANCE, messages.maxLengthBytes(), 0, 0, 0, 1);
        final LoadAgent agent = new LoadAgent(
            plan, new ConstantSchedule(CEILING_RATE_PER_SECOND), new Transport[]{ transport }, 1, SystemNanoClock.INSTANCE, null);
        final long beginNs = System.nanoTime();
        agent.begin(beginNs);
        while (System.nanoTime() - beginNs < CEILING_TIME_NS)
        {
            agent.doWork();
        }

        return (long)(agent.answeredCount() * 1e9 / (System.nanoTime() - beginNs));
    }

    /** One duty cycle; returns a work count, 0 if idle. */
    public int doWork()
    {
        final long nowNs = clock.nanoTime();
        int workCount = 0;
        if (isWarmUpEndRequested)
        {
            isWarmUpEndRequested = false;
            // Before anything is sent: all sends so far were due by now.
            endWarmUp(nowNs);
        }
        // All before the first poll, which may run the media driver for all of them.
        for (final LoadSession session : sessions)
        {
            workCount += session.sendDue(nowNs, sendLimit);
        }
        for (final LoadSession session : sessions)
        {
            workCount += session.transport.poll(session, pollLimit);
        }
        if (null != fanOut)
        {
            workCount += fanOut.poll(MIN_POLL_COUNT);
        }

        if (isEndRequested && !isEndTaken)
        {
            endSchedule(nowNs);
        }

        // An agent that is never idle still ends.
        if (0 == workCount || 0 == (++turnCount & TURN_MASK))
        {
            onTurn(nowNs);
        }

        return workCount;
    }

    /** End the schedule now, drain and stop; messages due up to now remain part of the run. */
    public void requestEnd()
    {
        isEndRequested = true;
    }

    /**
     * End the warm-up now: messages due after now are measured, as many as planned, and those due before now but not sent are
     * dropped as at any end of a warm-up. Does nothing once the warm-up is over.
     */
    public void requestWarmUpEnd()
    {
        isWarmUpEndRequested = true;
    }

    public boolean isDone()
    {
        return records.isDone();
    }

    /** Phase in which most of an interval lay; times are since the start of the schedule. */
    RunPhase phaseOf(final long beginNs, final long endNs)
    {
        final long measureEndNs = scheduleEndNs;
        final long warmUpEndNs = Math.min(plan.warmUpNs(warmUpCount), measureEndNs);
        final long warmUpNs = Math.min(endNs, warmUpEndNs) - beginNs;
        final long measureNs = Math.min(endNs, measureEndNs) - Math.max(beginNs, warmUpEndNs);
        final long drainNs = endNs - Math.max(beginNs, measureEndNs);
        return warmUpNs > Math.max(measureNs, drainNs) ? RunPhase.WARM_UP :
            drainNs > measureNs ? RunPhase.DRAIN : RunPhase.MEASURE;
    }

    /** How much of an interval lay after the warm-up, in ns; times are since the start of the schedule. */
    long measuredNs(final long beginNs, final long endNs)
    {
        return Math.max(0, endNs - Math.max(beginNs, plan.warmUpNs(warmUpCount)));
    }

    public long answeredCount()
    {
        return records.answeredCount();
    }

    /**
     * End the run without waiting for messages in flight, after a failure or a timeout; on the agent's thread, as its last
     * call. Does nothing if the run has ended.
     */
    void stop(final long nowNs)
    {
        if (!isDone())
        {
            endSchedule(nowNs);
            endAt(nowNs);
        }
    }

    /** Outcome of all messages; after the agent is done, on the thread that saw that. */
    LoadOutcome outcome()
    {
        return LoadAccounts.of(plan(), schedule, sessions, ledger, records, startNs, endNs);
    }

    /** The plan with the warm-up as it was, once that is over; any thread. */
    LoadPlan plan()
    {
        return plan.withWarmUpCount(warmUpCount);
    }

    /** Outcome of the copies for receivers, or null without receivers; like {@link #outcome()}, and once. */
    FanOutOutcome fanOutOutcome()
    {
        return null == fanOut ? null : fanOut.outcome(startNs, endNs);
    }

    private void onTurn(final long nowNs)
    {
        boolean isAllSent = true;
        boolean isAnyDue = false;
        long lastDueNs = 0;
        for (final LoadSession session : sessions)
        {
            isAllSent &= session.isAllSent();
            lastDueNs = Math.max(lastDueNs, session.nextIntendedNs);
            if (session.isHistoryLost)
            {
                // Not |=, which would write back a value read earlier and could undo another thread's request.
                isEndRequested = true;
            }
            isAnyDue |= session.isDue(nowNs);
        }

        final long sentCount = records.value(Counter.SENT_ALL);
        final boolean isAllAnswered = isAllSent && sentCount == records.value(Counter.ANSWERED_ALL) &&
            (null == fanOut || fanOut.isComplete(sentCount));
        final boolean isMarked = null == records.stages || 0 == records.stages.unstampedCount() ||
            nowNs - records.lastEchoNs() >= MARK_TIMEOUT_NS;
        // Drawn arrivals may be due later than the schedule ends on average. That is seen as the sessions come to them, since to
        // ask the schedule for its end would compute all of it.
        final long deadlineNs =
            isEndTaken ? drainDeadlineNs : Math.max(drainDeadlineNs, startNs + lastDueNs + plan.drainTimeoutNs());
        final boolean isTimeUp = nowNs - deadlineNs >= 0 && (isAllSent || isAnyDue);
        if (isAllAnswered && isMarked || isTimeUp)
        {
            endAt(nowNs);
        }
    }

    private void endAt(final long nowNs)
    {
        endNs = nowNs;
        records.onDone();
    }

    private void endWarmUp(final long nowNs)
    {
        long count = plan.messageCount();
        for (final LoadSession session : sessions)
        {
            count = Math.min(count, session.nextIndex);
        }
        while (count < warmUpCount && schedule.timeNs(count) <= nowNs - startNs)
        {
            count++;
        }
        if (count < warmUpCount && !isEndTaken)
        {
            for (final LoadSession session : sessions)
            {
                session.warmUpCount(count);
            }
            scheduleEndNs = plan.warmUpNs(count) + plan.measuredNs();
            drainDeadlineNs = startNs + scheduleEndNs + plan.drainTimeoutNs();
            warmUpCount = count;
        }
    }

    private void endSchedule(final long nowNs)
    {
        isEndTaken = true;
        scheduleEndNs = Math.min(scheduleEndNs, nowNs - startNs);
        for (final LoadSession session : sessions)
        {
            session.endAt(nowNs);
        }
        drainDeadlineNs = Math.min(drainDeadlineNs, nowNs + plan.drainTimeoutNs());
    }
}

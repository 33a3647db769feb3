package io.clusterecho.client.load;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.clusterecho.client.record.Counter;
import io.clusterecho.client.record.TimeRecorder;
import io.clusterecho.platform.StallMeter;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.IdleStrategy;

/**
 * Leads an agent through its run on a thread of its own, and tells what each interval held. {@link #execute(long)} is
 * called once, by the thread that watches; any thread may call {@link #requestEnd()}.
 */
public final class LoadRun
{
    private static final long LEAD_NS = 2_000_000L;

    private final LoadPlan plan;
    private final LoadAgent agent;
    private final IdleStrategy idleStrategy;
    private final List<IntervalListener> listeners;
    private final Histogram responseTimes = TimeRecorder.newHistogram();
    private final Histogram serviceTimes = TimeRecorder.newHistogram();
    private final Histogram sendDelays = TimeRecorder.newHistogram();
    private final Histogram stalls = StallMeter.newHistogram();
    private final LoadInterval interval = new LoadInterval();
    private volatile Throwable failure;

    /**
     * A run that has not begun.
     *
     * @param plan         of it.
     * @param agent        whose transports are connected.
     * @param idleStrategy of the agent's thread.
     * @param listeners    told of each interval, in order, on the watching thread.
     */
    public LoadRun(
        final LoadPlan plan,
        final LoadAgent agent,
        final IdleStrategy idleStrategy,
        final List<IntervalListener> listeners)
    {
        this.plan = plan;
        this.agent = agent;
        this.idleStrategy = idleStrategy;
        this.listeners = listeners;
    }

    /**
     * End the schedule now; what was due so far is drained and kept.
     */
    public void requestEnd()
    {
        agent.requestEnd();
    }

    /**
     * Run to the end.
     *
     * @param intervalNs between two calls of the listeners.
     * @return what became of it.
     */
    public LoadMeasurement execute(final long intervalNs)
    {
        final Thread thread = new Thread(this::runAgent, "load-agent");
        final StallMeter stallMeter = new StallMeter().start();
        final long startNs = System.nanoTime() + LEAD_NS;
        interval.startEpochMs = System.currentTimeMillis() + TimeUnit.NANOSECONDS.toMillis(LEAD_NS);
        agent.begin(startNs);
        thread.start();

        long nextNs = startNs + intervalNs;
        while (thread.isAlive())
        {
            // Woken by the agent's end too, so that a short run is not rounded up to an interval.
            LockSupport.parkNanos(Math.max(1, Math.min(nextNs - System.nanoTime(), 20_000_000L)));
            if (System.nanoTime() - nextNs >= 0)
            {
                takeInterval(System.nanoTime() - startNs, stallMeter);
                nextNs += intervalNs;
            }
        }

        takeInterval(System.nanoTime() - startNs, stallMeter);
        stallMeter.close();
        if (null != failure)
        {
            throw new IllegalStateException("load agent failed: " + failure, failure);
        }

        final LoadOutcome outcome = agent.outcome();
        responseTimes.add(outcome.unansweredAges());
        return new LoadMeasurement(outcome, responseTimes, serviceTimes, sendDelays, stalls);
    }

    private void runAgent()
    {
        try
        {
            while (!agent.isDone())
            {
                idleStrategy.idle(agent.doWork());
            }
        }
        catch (final Throwable ex)
        {
            failure = ex;
        }
    }

    private void takeInterval(final long elapsedNs, final StallMeter stallMeter)
    {
        final LoadRecords records = agent.records();
        final Phase phase = agent.phase();
        interval.beginNs = interval.endNs;
        interval.endNs = elapsedNs;
        interval.phase = phase;
        interval.leaderMemberId = records.leaderMemberId();
        interval.sentAll = records.counters().value(Counter.SENT_ALL);
        interval.answeredAll = records.counters().value(Counter.ANSWERED_ALL);
        interval.sent = records.counters().value(Counter.SENT);
        interval.answered = records.counters().value(Counter.ANSWERED) + records.counters().value(Counter.LATE);
        interval.backPressured = records.counters().value(Counter.BACK_PRESSURED);
        interval.disconnected = records.counters().value(Counter.DISCONNECTED);
        interval.ratePerSecondAsked = plan.ratePerSecond();

        records.times(false).interval(interval.warmUpResponseTimes, interval.ignoredTimes, interval.ignoredDelays);
        records.times(true).interval(interval.responseTimes, interval.serviceTimes, interval.sendDelays);
        stallMeter.interval(interval.stalls);
        responseTimes.add(interval.responseTimes);
        serviceTimes.add(interval.serviceTimes);
        sendDelays.add(interval.sendDelays);
        if (Phase.WARM_UP != phase || interval.sent > 0)
        {
            stalls.add(interval.stalls);
        }
        interval.total = responseTimes;

        for (final IntervalListener listener : listeners)
        {
            listener.onInterval(interval);
        }
    }
}

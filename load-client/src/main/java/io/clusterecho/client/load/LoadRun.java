package io.clusterecho.client.load;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.clusterecho.client.record.Counter;
import io.clusterecho.client.record.TimeRecorder;
import io.clusterecho.platform.StallMeter;
import io.clusterecho.threads.AgentThreads;
import io.clusterecho.threads.Compilers;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.IdleStrategy;

/**
 * Leads an agent through its run on a thread of its own, and tells what each interval held. One of the two execute methods is
 * called once, by the thread that watches; any thread may call {@link #requestEnd()}.
 */
public final class LoadRun
{
    private static final long LEAD_NS = 2_000_000L;
    private static final Counter[] COUNTERS = Counter.values();

    private final LoadPlan plan;
    private final LoadAgent agent;
    private final IdleStrategy idleStrategy;
    private final AgentThreads threads;
    private final List<IntervalListener> listeners;
    private final LoadTotals totals = new LoadTotals();
    private final LoadInterval interval = new LoadInterval();
    private final Histogram ignoredTimes = TimeRecorder.newHistogram();
    private final Histogram ignoredDelays = TimeRecorder.newHistogram();
    private volatile Throwable failure;

    /**
     * A run that has not begun.
     *
     * @param plan         of it.
     * @param agent        whose transports are connected.
     * @param idleStrategy of the agent's thread.
     * @param threads      where that thread runs, of which it is number 0.
     * @param listeners    told of each interval, in order, on the watching thread.
     */
    public LoadRun(
        final LoadPlan plan,
        final LoadAgent agent,
        final IdleStrategy idleStrategy,
        final AgentThreads threads,
        final List<IntervalListener> listeners)
    {
        this.plan = plan;
        this.agent = agent;
        this.idleStrategy = idleStrategy;
        this.threads = threads;
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
     * What the system was told about threads of this process.
     *
     * @return in words, each a thing of its own.
     */
    public List<String> schedulingWords()
    {
        return Stream.of(threads.outcome(), Compilers.outcome()).filter((words) -> !words.isEmpty()).toList();
    }

    /**
     * Run to the end.
     *
     * @param intervalNs between two calls of the listeners.
     * @return what became of it.
     */
    public LoadMeasurement execute(final long intervalNs)
    {
        return execute(intervalNs, System.nanoTime() + LEAD_NS);
    }

    /**
     * Run to the end from a given time on.
     *
     * @param intervalNs between two calls of the listeners.
     * @param startNs    when message 0 may be due, on the clock of {@link System#nanoTime()}. If that has passed, what was due
     *                   since then is late.
     * @return what became of it.
     */
    public LoadMeasurement execute(final long intervalNs, final long startNs)
    {
        final Thread thread = new Thread(this::runAgent, "load-agent");
        final StallMeter stallMeter = new StallMeter().start();
        interval.startEpochMs = System.currentTimeMillis() + TimeUnit.NANOSECONDS.toMillis(startNs - System.nanoTime());
        agent.begin(startNs);
        thread.start();
        if (Cores.areFew())
        {
            Compilers.giveWayOnceSettled((outcome) ->
            {
            });
        }

        long nextNs = startNs + intervalNs;
        try
        {
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
        }
        finally
        {
            threads.release();
        }

        takeInterval(System.nanoTime() - startNs, stallMeter);
        stallMeter.close();
        if (null != failure)
        {
            throw new IllegalStateException("load agent failed: " + failure, failure);
        }

        return totals.measurement(agent.outcome());
    }

    private void runAgent()
    {
        try
        {
            threads.enter(0);
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
        // Backwards: what was sent is read after what was answered, so that no more seems to be answered than was sent.
        for (int i = COUNTERS.length - 1; i >= 0; i--)
        {
            interval.counts[i] = records.counters().value(COUNTERS[i]);
        }
        interval.ratePerSecondAsked = plan.ratePerSecond();

        records.times(false).interval(interval.warmUpResponseTimes, ignoredTimes, ignoredDelays);
        records.times(true).interval(interval.responseTimes, interval.serviceTimes, interval.sendDelays);
        stallMeter.interval(interval.stalls);
        Thread.yield();
        totals.add(interval);
        interval.total = totals.responseTimes();

        for (final IntervalListener listener : listeners)
        {
            // Where cores are few, the agent would else wait until all of them are done.
            Thread.yield();
            listener.onInterval(interval);
        }
    }
}

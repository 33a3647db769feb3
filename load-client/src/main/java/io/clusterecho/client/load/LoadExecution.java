package io.clusterecho.client.load;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import io.clusterecho.client.record.Journal;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.platform.StallMeter;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.Histograms;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.measurement.Time;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.settings.Cause;
import io.clusterecho.threads.AgentThreads;
import io.clusterecho.threads.Compilers;
import io.clusterecho.threads.Uninterrupted;

import org.agrona.CloseHelper;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NanoClock;

/**
 * One load from its open sessions to its result. Owns the agent and its thread, the thread that takes the intervals, the
 * sessions, the journal and the listeners, and on every path ends all of them in this order:
 * <pre>
 *   requestEnd -- agent drains -- agent thread ends -- last interval -- watch thread ends
 *              -- listeners and journal closed                                                awaitEnd() returns
 *              -- sessions closed                                                             close()
 * </pre>
 * A session is never closed while the agent's thread runs, because closing unmaps its buffers. If a listener or the agent
 * fails, everything measured is kept and the failure becomes a problem of the result.
 * <p>
 * Lifecycle: construct, {@link #add(IntervalListener)} and {@link #journal(Path)} as needed, {@link #start(long)},
 * {@link #awaitEnd()}, {@link #close()}, all by one thread. Any thread may call {@link #requestEnd()}.
 */
public final class LoadExecution implements AutoCloseable
{
    private static final long LEAD_NS = 2_000_000L;
    /** A join ends up to a millisecond late: an interval that ends then contains messages of the next phase. */
    private static final long JOIN_ERROR_NS = 2_000_000L;
    private static final long ABORT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

    private final LoadPlan plan;
    private final Schedule schedule;
    private final long firstClientId;
    private final Sessions sessions;
    private final NanoClock clock;
    private final IdleStrategy idleStrategy;
    private final AgentThreads threads;
    private final IntervalListeners listeners = new IntervalListeners();
    private final LoadAccounts.Totals totals = new LoadAccounts.Totals();
    private final Thread agentThread = new Thread(this::runAgent, "load-agent");
    private final Thread watchThread = new Thread(this::watch, "load-watch");
    private Journal journal;
    private StallMeter stallMeter;
    private long startNs;
    private long startEpochMs;
    private long intervalNs;
    private boolean wasWarmUp = true;
    private long measuredCountBefore;
    /** Null before the start. */
    private volatile LoadAgent agent;
    private volatile boolean isEndRequested;
    private volatile boolean isAborted;
    private volatile Throwable agentFailure;
    private volatile Throwable watchFailure;

    /**
     * A load that has not started.
     *
     * @param schedule      of the messages; used by the agent's thread once started.
     * @param firstClientId client id of session 0 of all clients; the others count up from it.
     * @param sessions      open; closed by this object.
     * @param clock         in ns, the same as that of the sessions.
     * @param threads       placement of that thread, which has number 0.
     */
    public LoadExecution(
        final LoadPlan plan,
        final Schedule schedule,
        final long firstClientId,
        final Sessions sessions,
        final NanoClock clock,
        final IdleStrategy idleStrategy,
        final AgentThreads threads)
    {
        this.plan = plan;
        this.schedule = schedule;
        this.firstClientId = firstClientId;
        this.sessions = sessions;
        this.clock = clock;
        this.idleStrategy = idleStrategy;
        this.threads = threads;
    }

    /** Add a listener, called for each interval on the watch thread, and closed after the load; before the start. */
    public void add(final IntervalListener listener)
    {
        listeners.add(listener);
    }

    /** Keep a journal in a new file, closed after the load; its problems become those of the result. Before the start. */
    public void journal(final Path file)
    {
        journal = new Journal(file, firstClientId);
        listeners.add(journal);
    }

    /** Start now, and call the listeners at this interval. Returns when message 0 is due, on this object's clock. */
    public long start(final long newIntervalNs)
    {
        return start(newIntervalNs, () -> clock.nanoTime() + LEAD_NS);
    }

    /**
     * Start at a given time.
     *
     * @param newIntervalNs between two calls of the listeners, in ns.
     * @param newStartNs    when message 0 is due, on this object's clock. If that has passed, messages due since then are late.
     */
    public long start(final long newIntervalNs, final LongSupplier newStartNs)
    {
        // Before the time is read: the accounts of a long load take a while to allocate.
        final LoadAgent newAgent = new LoadAgent(plan, schedule, sessions.transports(), firstClientId, clock, journal);
        newAgent.receivers(sessions.receivers());
        // The garbage of the start fills most of the young generation: its collection would stop the run for 20 ms.
        System.gc();
        intervalNs = newIntervalNs;
        startNs = newStartNs.getAsLong();
        agent = newAgent;
        if (isEndRequested)
        {
            agent.requestEnd();
        }
        stallMeter = StallMeter.of(StallMeter.CLIENT_SLEEP_NS).start();
        startEpochMs = System.currentTimeMillis() + TimeUnit.NANOSECONDS.toMillis(startNs - clock.nanoTime());
        agent.begin(startNs);
        agentThread.start();
        watchThread.start();
        return startNs;
    }

    /** What other threads see of the load, after the start. */
    public LoadView view()
    {
        return agent.records;
    }

    /** End the schedule now; what was due so far is drained and kept. Before the start: end as soon as it starts. */
    public void requestEnd()
    {
        isEndRequested = true;
        final LoadAgent started = agent;
        if (null != started)
        {
            started.requestEnd();
        }
    }

    /** End the warm-up now, see {@link LoadAgent#requestWarmUpEnd()}; after the start, any thread. */
    public void requestWarmUpEnd()
    {
        agent.requestWarmUpEnd();
    }

    /** The plan with the warm-up as it was; after the end. */
    public LoadPlan plan()
    {
        return agent.plan();
    }

    /**
     * Wait until agent and watch thread have ended, and close listeners and journal; once. Interrupts do not end the wait, but
     * the interrupt flag is restored.
     */
    public LoadResult awaitEnd()
    {
        Uninterrupted.join(watchThread);
        CloseHelper.quietClose(stallMeter);
        // After their last writer has ended.
        listeners.close();
        final List<String> problems = new ArrayList<>(listeners.problems());
        if (null != agentFailure)
        {
            problems.add("the load ended early: its agent failed with " + Cause.ofError(agentFailure));
        }
        if (null != watchFailure)
        {
            problems.add("the intervals end early: taking them failed with " + watchFailure);
        }
        return new LoadResult(
            totals.measurement(agent.outcome()).with(agent.fanOutOutcome()), List.copyOf(problems),
            Stream.of(threads.outcome(), Compilers.outcome())
            .filter((words) -> !words.isEmpty()).toList(), List.of(), false, Stream.ofNullable(agent.records.damage)
            .map((damage) -> "the first damaged message could not be decoded: " + Cause.ofError(damage)).toList());
    }

    /** Start, call the listeners at this interval, and wait for the end. */
    public LoadResult execute(final long newIntervalNs)
    {
        start(newIntervalNs);
        return awaitEnd();
    }

    /** Stop without draining and release everything. Idempotent. */
    @Override
    public void close()
    {
        isAborted = true;
        boolean isEnded = true;
        if (null != agent)
        {
            isEnded = Uninterrupted.join(agentThread, ABORT_TIMEOUT_NS);
            Uninterrupted.join(watchThread, isEnded ? Long.MAX_VALUE : 0);
            CloseHelper.quietClose(stallMeter);
        }
        if (!isEnded)
        {
            // The sessions stay open: unmapping them under a running agent would crash the process.
            System.err.println("warning: the load agent did not end within 30 s, so its sessions are not closed");
            return;
        }

        listeners.close();
        sessions.close();
    }

    private void runAgent()
    {
        try
        {
            threads.enter(0);
            final LoadAgent running = agent;
            while (!running.isDone() && !isAborted)
            {
                idleStrategy.idle(running.doWork());
            }
        }
        catch (final Throwable ex)
        {
            agentFailure = ex;
        }
        finally
        {
            agent.stop(clock.nanoTime());
        }
    }

    private void watch()
    {
        try
        {
            long nextNs = startNs + intervalNs;
            while (agentThread.isAlive())
            {
                // The end of the agent wakes this thread too, so that a short run is not rounded up to an interval.
                final long leftNs = nextNs - clock.nanoTime();
                if (leftNs > JOIN_ERROR_NS)
                {
                    TimeUnit.NANOSECONDS.timedJoin(agentThread, leftNs - JOIN_ERROR_NS);
                }
                else
                {
                    LockSupport.parkNanos(Math.max(1, leftNs));
                }
                if (clock.nanoTime() - nextNs >= 0)
                {
                    takeInterval(clock.nanoTime() - startNs, false);
                    nextNs += intervalNs;
                }
            }
            takeInterval(clock.nanoTime() - startNs, true);
        }
        catch (final Throwable ex)
        {
            watchFailure = ex;
            agent.requestEnd();
            Uninterrupted.join(agentThread);
        }
        finally
        {
            threads.release();
        }
    }

    private void takeInterval(final long elapsedNs, final boolean isLast)
    {
        final LoadRecords records = agent.records;
        final long beginNs = totals.endNs;
        final RunPhase phase = agent.phaseOf(beginNs, elapsedNs);
        final Counts counts = records.counts();
        final long measuredCount = counts.of(Counter.SENT) + counts.of(Counter.ANSWERED) + counts.of(Counter.LATE);
        // Reading histograms is most of the work of this thread: only those are read in which something was recorded, and all at
        // the end. The interval after the warm-up has the last replies of it, unless they are so late that only the end has them.
        final boolean isWarmUp = RunPhase.WARM_UP == phase;
        final Histograms warmUpTimes = take(records.times(false), isLast || isWarmUp || wasWarmUp);
        final Histograms times = take(records.times(true), isLast || measuredCount != measuredCountBefore);
        wasWarmUp = isWarmUp;
        measuredCountBefore = measuredCount;
        stallMeter.interval(times.of(Time.STALL));
        final RunInterval interval = new RunInterval(
            phase, isLast, startEpochMs, beginNs, elapsedNs, agent.measuredNs(beginNs, elapsedNs),
            Math.round(schedule.ratePerSecond(beginNs, elapsedNs)), records.leaderMemberId, counts,
            counts.since(totals.counts), times, warmUpTimes.of(Time.RESPONSE), totals.times.of(Time.RESPONSE));
        Thread.yield();
        totals.add(interval);
        listeners.onInterval(interval);
    }

    private static Histograms take(final TimeRecorder times, final boolean isChanged)
    {
        return isChanged ? times.takeInterval() : times.passEmptyInterval();
    }
}

package io.clusterecho.client.churn;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.client.transport.cluster.ClusterConnector;
import io.clusterecho.reporting.evidence.EvidenceFile;
import io.clusterecho.reporting.measurement.ChurnCounter;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.reporting.results.ChurnCost;
import io.clusterecho.reporting.results.HistogramRows;
import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.threads.Uninterrupted;

import org.HdrHistogram.Histogram;
import org.agrona.CloseHelper;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Sessions that come and go beside a load, on a thread of their own with a media driver and an Aeron client of its own, so that
 * the load's thread does no work for them; its core time is in the result. Writes a row of {@code churn.csv} and a histogram of
 * {@code connect-time.hlog} for each interval of the load.
 * <p>
 * Lifecycle: construct before the load, {@link #onInterval} for each interval on one thread, {@link #close} after the last.
 */
public final class SessionChurn implements IntervalListener
{
    private static final double NS_PER_S = 1e9;
    private static final double NS_PER_MS = 1e6;
    /** Longest wait at the end for sessions that are being opened, or wait for replies. */
    private static final long DRAIN_NS = TimeUnit.SECONDS.toNanos(2);
    /** The requests to close are in buffers: the driver, which has no thread of its own, sends them. */
    private static final long LAST_SENDS_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MIN_PARK_NS = 20_000;
    private static final long MAX_PARK_NS = 200_000;

    private final ChurnPlan plan;
    private final ClusterConnector connector;
    private final ResultFolder folder;
    private final ChurnAgent agent;
    private final List<EvidenceFile> files = new ArrayList<>();
    private final HistogramRows histograms;
    private final Histogram connectTimes = TimeRecorder.newHistogram();
    private final Map<ChurnCounter, Long> before = new EnumMap<>(ChurnCounter.class);
    private final Thread thread = new Thread(this::run, "churn");
    private boolean isBegun;
    private long cpuBeforeNs;
    private long startEpochMs;
    private long lastEndNs;
    private volatile boolean isEnded;
    private volatile Throwable failure;

    /**
     * Open the files and start the thread, which opens no session before the first interval.
     *
     * @param connector    that nothing else uses; closed by this object.
     * @param timeoutNs    of an attempt, and of each reply, in ns.
     * @throws java.io.UncheckedIOException if a file cannot be written; the message names it.
     */
    public SessionChurn(
        final ChurnPlan plan,
        final ClusterConnector connector,
        final long timeoutNs,
        final ResultFolder folder,
        final long startEpochMs)
    {
        this.plan = plan;
        this.connector = connector;
        this.folder = folder;
        histograms = new HistogramRows(ChurnCost.CONNECT_TIMES, startEpochMs);
        try
        {
            files.add(folder.evidence(ChurnCost.FILE, ChurnCost.header()));
            files.add(folder.evidence(ChurnCost.CONNECT_TIMES, histograms.take()));
            agent = new ChurnAgent(
                plan, connector.sharedEgressSource(), SystemNanoClock.INSTANCE, timeoutNs,
                ThreadLocalRandom.current().nextLong(Long.MAX_VALUE - plan.count()));
        }
        catch (final RuntimeException | InternalError ex)
        {
            CloseHelper.quietCloseAll(files);
            CloseHelper.quietClose(connector);
            throw ex;
        }
        thread.setDaemon(true);
        thread.start();
    }

    /** Begins with the first interval, because the start of the schedule is known then. */
    @Override
    public void onInterval(final RunInterval interval)
    {
        if (!isBegun)
        {
            isBegun = true;
            startEpochMs = interval.startEpochMs();
            agent.begin(System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() - startEpochMs));
        }
        append(interval.beginNs(), interval.endNs());
    }

    @Override
    public List<String> problems()
    {
        return Stream.concat(
            EvidenceFile.problems(files).stream(),
            Stream.ofNullable(failure).map((ex) -> "the sessions that come and go ended early: " + ex)).toList();
    }

    /** Open no more sessions, wait shortly for replies, close all sessions, write the last row, and close everything. */
    @Override
    public void close()
    {
        agent.requestEnd();
        isEnded = true;
        Uninterrupted.join(thread);
        if (isBegun)
        {
            append(lastEndNs, Math.max(
                lastEndNs, TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis() - startEpochMs)));
        }
        CloseHelper.quietCloseAll(files);
        if (!agent.firstFailures.isEmpty())
        {
            folder.write(ChurnCost.FAILURES_FILE, agent.firstFailures.entrySet().stream()
                .map((entry) -> entry.getKey().label() + ": " + entry.getValue() + "\n").collect(Collectors.joining()));
        }
    }

    private void run()
    {
        final IdleStrategy idle = new BackoffIdleStrategy(0, 1, MIN_PARK_NS, MAX_PARK_NS);
        try
        {
            while (!isEnded)
            {
                idle.idle(agent.doWork());
            }
            final long deadlineNs = System.nanoTime() + DRAIN_NS;
            do
            {
                idle.idle(agent.doWork());
            }
            while (!agent.isDrained() && System.nanoTime() - deadlineNs < 0);
            agent.close();
            final long lastSendsNs = System.nanoTime() + LAST_SENDS_NS;
            while (System.nanoTime() - lastSendsNs < 0)
            {
                idle.idle(connector.drive());
            }
        }
        catch (final Throwable ex)
        {
            failure = ex;
        }
        finally
        {
            CloseHelper.quietClose(connector);
        }
    }

    private void append(final long beginNs, final long endNs)
    {
        final StringBuilder row = new StringBuilder();
        row.append(String.format(Locale.ROOT, "%.3f,%.3f", beginNs / NS_PER_S, endNs / NS_PER_S));
        for (final ChurnCounter counter : ChurnCounter.values())
        {
            final long value = agent.value(counter);
            final Long previous = before.put(counter, value);
            row.append(',').append(counter.isLevel() || null == previous ? value : value - previous);
        }
        // -1 after the end of the thread.
        final long cpuNs = ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId());
        row.append(String.format(
            Locale.ROOT, ",%.3f,%.3f\n", Math.max(0, cpuNs - cpuBeforeNs) / NS_PER_MS, plan.turnNs(beginNs, endNs) / NS_PER_S));
        cpuBeforeNs = Math.max(cpuNs, cpuBeforeNs);
        agent.connectTimes(connectTimes);
        final String histogram = histograms.row(
            connectTimes, startEpochMs + TimeUnit.NANOSECONDS.toMillis(beginNs),
            startEpochMs + TimeUnit.NANOSECONDS.toMillis(endNs));
        EvidenceFile.append(files, List.of(row.toString(), histogram), beginNs);
        lastEndNs = endNs;
    }
}

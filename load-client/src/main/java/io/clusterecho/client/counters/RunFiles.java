package io.clusterecho.client.counters;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.control.member.MemberHost;
import io.clusterecho.reporting.evidence.Evidence;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.results.IntervalFiles;
import io.clusterecho.reporting.results.ResultFolder;

import org.agrona.CloseHelper;

/**
 * All files that grow during a run, except its journal: the series of {@link IntervalFiles} and
 * {@link CounterFiles}. For the thread that takes the intervals; any thread may ask for {@link #problems()}.
 */
public final class RunFiles implements IntervalListener, Evidence, AutoCloseable
{
    private final IntervalFiles intervals;
    private final CounterFiles counters;

    /**
     * Open the files. If one cannot be opened, all are closed.
     *
     * @param source       of the counter rows, closed with the files.
     * @throws java.io.UncheckedIOException if a file cannot be opened; the message names it.
     */
    public RunFiles(
        final ResultFolder folder,
        final long startEpochMs,
        final CounterSource source,
        final List<MemberHost> memberHosts)
    {
        intervals = new IntervalFiles(folder, startEpochMs);
        try
        {
            counters = new CounterFiles(folder, source, memberHosts);
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.quietClose(intervals);
            throw ex;
        }
    }

    @Override
    public void onInterval(final RunInterval interval)
    {
        intervals.onInterval(interval);
        // On few cores, threads that yield to each other would otherwise wait for all of them.
        Thread.yield();
        counters.onInterval(interval);
    }

    @Override
    public List<String> problems()
    {
        final List<String> problems = new ArrayList<>(intervals.problems());
        problems.addAll(counters.problems());
        return problems;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(counters, intervals);
    }
}

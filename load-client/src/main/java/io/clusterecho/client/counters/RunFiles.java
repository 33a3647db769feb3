package io.clusterecho.client.counters;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.client.load.IntervalListener;
import io.clusterecho.client.load.LoadInterval;
import io.clusterecho.client.record.Evidence;
import io.clusterecho.client.results.IntervalFiles;
import io.clusterecho.client.results.ResultFolder;
import io.clusterecho.control.member.MemberHost;

import org.agrona.CloseHelper;

/**
 * All files that grow while a run goes on, but for its journal: the series of {@link IntervalFiles}, {@link CounterFiles} and
 * {@link HostFiles}. For the thread that takes the intervals; any thread may ask for {@link #problems()}.
 */
public final class RunFiles implements IntervalListener, Evidence, AutoCloseable
{
    private final IntervalFiles intervals;
    private final CounterFiles counters;
    private final HostFiles hosts;

    /**
     * Open the files; when one cannot be opened, all are closed.
     *
     * @param folder       of the run.
     * @param startEpochMs of the run.
     * @param source       of the rows about processes and machine, closed with the files.
     * @param memberHosts  hosts of the members.
     * @throws java.io.UncheckedIOException that names the file.
     */
    public RunFiles(
        final ResultFolder folder,
        final long startEpochMs,
        final CounterSource source,
        final List<MemberHost> memberHosts)
    {
        IntervalFiles openIntervals = null;
        CounterFiles openCounters = null;
        boolean isOpen = false;
        try
        {
            openIntervals = new IntervalFiles(folder, startEpochMs);
            openCounters = new CounterFiles(folder, source);
            hosts = new HostFiles(folder, memberHosts);
            isOpen = true;
        }
        finally
        {
            if (!isOpen)
            {
                CloseHelper.quietCloseAll(openCounters, openIntervals);
            }
        }
        intervals = openIntervals;
        counters = openCounters;
    }

    @Override
    public void onInterval(final LoadInterval interval)
    {
        intervals.onInterval(interval);
        counters.onInterval(interval);
        hosts.onInterval(interval);
    }

    @Override
    public List<String> problems()
    {
        final List<String> problems = new ArrayList<>(intervals.problems());
        problems.addAll(counters.problems());
        problems.addAll(hosts.problems());
        return problems;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(hosts, counters, intervals);
    }
}

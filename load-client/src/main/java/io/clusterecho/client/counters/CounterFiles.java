package io.clusterecho.client.counters;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.media.counters.CounterColumn;
import io.clusterecho.reporting.evidence.Evidence;
import io.clusterecho.reporting.evidence.EvidenceFile;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.reporting.results.ResultFolder;

import org.agrona.CloseHelper;

/**
 * Writes the counters of members, client and machine at the end of each interval of a run: {@code counters.csv} with a row for
 * each process, and {@code machine.csv}. The rows match those of {@code intervals.csv}. Everything is read by the thread that
 * watches the run: if it has a core of its own, neither the load's thread nor the members are disturbed.
 */
public final class CounterFiles implements IntervalListener, Evidence, AutoCloseable
{
    private final CounterSource source;
    private final EvidenceFile counters;
    private final EvidenceFile machine;

    /**
     * Open the files.
     *
     * @param source of the rows; closed with the files, or at once if they cannot be opened.
     * @throws java.io.UncheckedIOException if one cannot be written; the message names it.
     */
    public CounterFiles(final ResultFolder folder, final CounterSource source)
    {
        this.source = source;
        EvidenceFile opened = null;
        try
        {
            opened = folder.evidence(FileNames.COUNTERS, header());
            machine = folder.evidence(FileNames.MACHINE, "begin_s,end_s" + MachineSampler.header() + "\n");
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.quietCloseAll(opened, source);
            throw ex;
        }
        counters = opened;
    }

    private static String header()
    {
        final StringBuilder header = new StringBuilder("begin_s,end_s,process,pid");
        for (final CounterColumn column : CounterColumn.values())
        {
            header.append(',').append(column.label());
        }
        return header.append('\n').toString();
    }

    @Override
    public void onInterval(final RunInterval interval)
    {
        final String times = String.format(Locale.ROOT, "%.3f,%.3f,", interval.beginNs() / 1e9, interval.endNs() / 1e9);
        counters.append(
            source.processRows().stream().map((row) -> times + row + "\n").collect(Collectors.joining()), interval.beginNs());
        final String row = source.machineRow();
        if (null != row)
        {
            machine.append(times + row + "\n", interval.beginNs());
        }
    }

    @Override
    public List<String> problems()
    {
        return Stream.of(counters, machine).map(EvidenceFile::problems).flatMap(List::stream).toList();
    }

    @Override
    public void close()
    {
        try (counters; machine)
        {
            source.close();
        }
    }
}

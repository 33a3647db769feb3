package io.clusterecho.client.counters;

import java.util.List;

import io.clusterecho.media.counters.CounterColumn;

/** Passes rows on, and keeps how much the processes in them compiled. For the thread that takes the intervals. */
public final class CompilationWatch implements CounterSource
{
    /** After the name and the pid. */
    private static final int FIELD = 2 + CounterColumn.COMPILE_MS.ordinal();

    private final CounterSource source;
    private double largestMs;

    /** @param source of the rows; closed with this. */
    public CompilationWatch(final CounterSource source)
    {
        this.source = source;
    }

    /** Time of compilations in the last interval, of the process with the most, in ms; 0 if none is known. */
    public double largestMs()
    {
        return largestMs;
    }

    @Override
    public List<String> processRows()
    {
        final List<String> rows = source.processRows();
        largestMs = 0;
        for (final String row : rows)
        {
            final String[] fields = row.split(",", -1);
            if (FIELD < fields.length && !fields[FIELD].isEmpty())
            {
                largestMs = Math.max(largestMs, Double.parseDouble(fields[FIELD]));
            }
        }
        return rows;
    }

    @Override
    public String machineRow()
    {
        return source.machineRow();
    }

    @Override
    public void close()
    {
        source.close();
    }
}

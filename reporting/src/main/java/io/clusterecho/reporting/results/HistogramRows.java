package io.clusterecho.reporting.results;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** The text of an interval log, row by row. One thread. */
public final class HistogramRows
{
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private final HistogramLogWriter writer = new HistogramLogWriter(text);

    /** A log of values in ns, whose times relate to the start of the run. */
    public HistogramRows(final String name, final long startEpochMs)
    {
        writer.outputLogFormatVersion();
        writer.outputComment("[" + name + ": values in ns]");
        writer.outputStartTime(startEpochMs);
        writer.setBaseTime(startEpochMs);
        writer.outputBaseTime(startEpochMs);
        writer.outputLegend();
    }

    /** The text of a row; the time stamps of the histogram are set. */
    public String row(final Histogram histogram, final long beginEpochMs, final long endEpochMs)
    {
        histogram.setStartTimeStamp(beginEpochMs);
        histogram.setEndTimeStamp(endEpochMs);
        writer.outputIntervalHistogram(histogram);
        return take();
    }

    /** The text since the last call: at first that before the rows. */
    public String take()
    {
        final String taken = text.toString(StandardCharsets.UTF_8);
        text.reset();
        return taken;
    }
}

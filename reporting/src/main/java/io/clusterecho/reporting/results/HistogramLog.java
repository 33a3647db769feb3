package io.clusterecho.reporting.results;

import java.io.File;
import java.io.FileNotFoundException;
import java.nio.file.Path;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;

/**
 * Reads the histograms of an interval log one by one: each takes about 300 kB of memory.
 */
public final class HistogramLog implements AutoCloseable
{
    private final HistogramLogReader reader;

    /**
     * @param file to read.
     * @throws IllegalArgumentException if it cannot be opened.
     */
    public HistogramLog(final Path file)
    {
        try
        {
            reader = new HistogramLogReader(new File(file.toString()));
        }
        catch (final FileNotFoundException ex)
        {
            throw new IllegalArgumentException("it cannot be opened", ex);
        }
    }

    /**
     * The next histogram, or null after the last.
     *
     * @throws IllegalArgumentException if the log is damaged.
     */
    public Histogram next()
    {
        final EncodableHistogram histogram;
        try
        {
            histogram = reader.nextIntervalHistogram();
        }
        catch (final RuntimeException ex)
        {
            // The library does not document what it throws for a damaged line.
            throw new IllegalArgumentException("it cannot be read as an interval log of HdrHistogram (" + ex + ")", ex);
        }
        if (null != histogram && !(histogram instanceof Histogram))
        {
            throw new IllegalArgumentException("it contains a " + histogram.getClass().getSimpleName());
        }

        return (Histogram)histogram;
    }

    @Override
    public void close()
    {
        reader.close();
    }
}

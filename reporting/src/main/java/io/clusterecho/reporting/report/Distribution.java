package io.clusterecho.reporting.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

import io.clusterecho.reporting.results.HistogramLog;
import io.clusterecho.reporting.results.Percentile;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * The distribution of a time within one interval, as charts need it.
 *
 * @param cells   count of times in each tenth of a decade: key <i>k</i> is from {@code 10^(k/10)} ns, included, to
 *                {@code 10^((k+1)/10)} ns.
 */
record Distribution(long count, long p50Ns, long p99Ns, long p99_9Ns, long maxNs, SortedMap<Integer, Long> cells)
{
    static final int CELLS_PER_DECADE = 10;

    static Distribution of(final Histogram histogram)
    {
        final SortedMap<Integer, Long> cells = new TreeMap<>();
        for (final HistogramIterationValue value : histogram.recordedValues())
        {
            final double timeNs = Math.max(1, value.getValueIteratedTo());
            cells.merge(
                (int)Math.floor(CELLS_PER_DECADE * Math.log10(timeNs)), value.getCountAtValueIteratedTo(), Long::sum);
        }

        return new Distribution(
            histogram.getTotalCount(), Percentile.P50.of(histogram), Percentile.P99.of(histogram),
            Percentile.P99_9.of(histogram), Percentile.MAX.of(histogram), cells);
    }

    /**
     * Read an interval log. A merged interval has the percentiles of its merged histograms, since percentiles cannot be merged.
     * One histogram is in memory at a time: each takes about 300 kB.
     *
     * @param file      with a histogram for each row of {@code intervals.csv}.
     * @throws IllegalArgumentException if the file is damaged or has another number of histograms.
     */
    static List<Distribution> read(final Path file, final List<Interval> intervals)
    {
        final List<Distribution> distributions = new ArrayList<>();
        final int rowCount = intervals.stream().mapToInt(Interval::rowCount).sum();
        int rowIndex = 0;
        try (HistogramLog log = new HistogramLog(file))
        {
            for (final Interval interval : intervals)
            {
                Histogram joined = null;
                for (int i = 0; i < interval.rowCount(); i++, rowIndex++)
                {
                    final Histogram next = log.next();
                    if (null == next)
                    {
                        throw new IllegalArgumentException(
                            "it has " + rowIndex + " histograms, intervals.csv has " + rowCount + " rows");
                    }
                    joined = null == joined ? next : sum(joined, next);
                }
                distributions.add(of(joined));
            }
            if (null != log.next())
            {
                throw new IllegalArgumentException(
                    "it has more histograms than intervals.csv has rows (" + rowCount + ")");
            }
        }

        return distributions;
    }

    private static Histogram sum(final Histogram joined, final Histogram next)
    {
        joined.add(next);
        return joined;
    }
}

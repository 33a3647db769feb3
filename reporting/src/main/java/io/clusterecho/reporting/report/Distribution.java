package io.clusterecho.reporting.report;

import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.results.HistogramLog;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.settings.IllegalArgument;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** The distribution of a time in each point of a chart. */
final class Distribution
{
    static final int CELLS_PER_DECADE = 10;

    /**
     * Read an interval log. A joined point has the percentiles of its joined histograms, since percentiles cannot be joined. One
     * histogram is in memory at a time: each takes about 300 kB.
     *
     * @param file  with a histogram for each row of the series.
     * @param times receives the percentiles of each point in ns, null where it has no times.
     * @param cells receives index of the point, cell, count, and again: cell <i>k</i> is from {@code 10^(k/10)} ns, included, to
     *              {@code 10^((k+1)/10)} ns; or null.
     * @return {@code times}, completed.
     * @throws IllegalArgumentException if the file is damaged or has another number of histograms.
     */
    static ObjectNode read(final Path file, final ChartSeries series, final ObjectNode times, final ArrayNode cells)
    {
        int rowIndex = 0;
        try (HistogramLog log = new HistogramLog(file))
        {
            for (int point = 0; point < series.pointCount(); point++)
            {
                Histogram joined = null;
                for (int i = 0; i < series.rowCount(point); i++, rowIndex++)
                {
                    final Histogram next = log.next();
                    IllegalArgument.throwIf(
                        null == next, "it has " + rowIndex + " histograms, intervals.csv has " + series.rowCount() + " rows");
                    if (null != joined)
                    {
                        next.setAutoResize(true);
                        next.add(joined);
                    }
                    joined = next;
                }
                final Histogram ofPoint = joined;
                Percentile.MAIN.forEach((percentile) -> times.withArray(percentile.label())
                    .add(0 == ofPoint.getTotalCount() ? null : percentile.of(ofPoint)));
                if (null != cells)
                {
                    putCells(joined, point, cells);
                }
            }
            IllegalArgument.throwIf(
                null != log.next(), "it has more histograms than intervals.csv has rows (" + series.rowCount() + ")");
        }
        return times;
    }

    private static void putCells(final Histogram histogram, final int point, final ArrayNode cells)
    {
        final SortedMap<Integer, Long> counts = new TreeMap<>();
        for (final HistogramIterationValue value : histogram.recordedValues())
        {
            final double timeNs = Math.max(1, value.getValueIteratedTo());
            counts.merge(
                (int)Math.floor(CELLS_PER_DECADE * Math.log10(timeNs)), value.getCountAtValueIteratedTo(), Long::sum);
        }
        counts.forEach((cell, count) -> cells.add(point).add((int)cell).add((long)count));
    }
}

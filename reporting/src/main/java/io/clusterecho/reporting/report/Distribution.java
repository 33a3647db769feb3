package io.clusterecho.reporting.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.results.HistogramLog;
import io.clusterecho.reporting.results.Percentile;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * The distribution of a time in a point of a chart.
 *
 * @param timesNs at each of {@link #PERCENTILES}.
 * @param cells   count of times in each tenth of a decade: key <i>k</i> is from {@code 10^(k/10)} ns, included, to
 *                {@code 10^((k+1)/10)} ns.
 */
record Distribution(long count, List<Long> timesNs, SortedMap<Integer, Long> cells)
{
    static final int CELLS_PER_DECADE = 10;

    private static final List<Percentile> PERCENTILES =
        List.of(Percentile.P50, Percentile.P99, Percentile.P99_9, Percentile.MAX);

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
            histogram.getTotalCount(), PERCENTILES.stream().map((percentile) -> percentile.of(histogram)).toList(), cells);
    }

    /**
     * Read an interval log. A joined point has the percentiles of its joined histograms, since percentiles cannot be joined. One
     * histogram is in memory at a time: each takes about 300 kB.
     *
     * @param file with a histogram for each row of the series.
     * @throws IllegalArgumentException if the file is damaged or has another number of histograms.
     */
    static List<Distribution> read(final Path file, final ChartSeries series)
    {
        final List<Distribution> distributions = new ArrayList<>();
        int rowIndex = 0;
        try (HistogramLog log = new HistogramLog(file))
        {
            for (int point = 0; point < series.pointCount(); point++)
            {
                Histogram joined = null;
                for (int i = 0; i < series.rowCount(point); i++, rowIndex++)
                {
                    final Histogram next = log.next();
                    if (null == next)
                    {
                        throw new IllegalArgumentException(
                            "it has " + rowIndex + " histograms, intervals.csv has " + series.rowCount() + " rows");
                    }
                    if (null != joined)
                    {
                        next.setAutoResize(true);
                        next.add(joined);
                    }
                    joined = next;
                }
                distributions.add(of(joined));
            }
            if (null != log.next())
            {
                throw new IllegalArgumentException(
                    "it has more histograms than intervals.csv has rows (" + series.rowCount() + ")");
            }
        }

        return distributions;
    }

    /** Add the percentiles of each point, null where it has no times. */
    static void put(final ObjectNode node, final List<Distribution> points)
    {
        for (int i = 0; i < PERCENTILES.size(); i++)
        {
            final int index = i;
            node.set(PERCENTILES.get(i).label(), ChartSeries.array(points.stream()
                .mapToDouble((point) -> 0 == point.count ? Double.NaN : point.timesNs.get(index)), 1));
        }
    }

    /** Add the cells of all points, flat: index of the point, cell, count, and again. */
    static void putCells(final ArrayNode cells, final List<Distribution> points)
    {
        for (int i = 0; i < points.size(); i++)
        {
            final int index = i;
            points.get(i).cells.forEach((cell, count) -> cells.add(index).add((int)cell).add((long)count));
        }
    }
}

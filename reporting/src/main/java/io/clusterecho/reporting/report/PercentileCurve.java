package io.clusterecho.reporting.report;

import java.util.ArrayList;
import java.util.List;

import io.clusterecho.reporting.results.ResultFolder;

import org.HdrHistogram.Histogram;

/**
 * A percentile distribution on a logarithmic axis: the percentile <i>p</i> (a share) is at {@code -log10(1 - p)}, so 90% is
 * at 1, 99% at 2, 99.9% at 3.
 *
 * @param places on that axis, ascending, from 0 to {@code log10} of the number of messages.
 */
record PercentileCurve(double[] places, long[] timesNs)
{
    static final PercentileCurve NONE = new PercentileCurve(new double[0], new long[0]);

    private static final String COLUMNS = "Value Percentile TotalCount 1/(1-Percentile)";
    private static final double NS_PER_US = 1_000;

    /**
     * Read a distribution in the text form of HdrHistogram, values in microseconds.
     *
     * @return the curve; empty if nothing was recorded.
     * @throws IllegalArgumentException which names the line that cannot be read.
     */
    static PercentileCurve parse(final List<String> lines)
    {
        if (lines.isEmpty() || !COLUMNS.equals(lines.get(0).trim().replaceAll("\\s+", " ")))
        {
            throw new IllegalArgumentException("line 1 is not '" + COLUMNS + "'");
        }

        final List<double[]> rows = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++)
        {
            final String line = lines.get(i).trim();
            if (!line.isEmpty() && !line.startsWith("#"))
            {
                rows.add(row(line, i + 1));
            }
        }

        return of(rows);
    }

    /** The curve of a histogram in ns, from its text form; empty if nothing was recorded. */
    static PercentileCurve of(final Histogram histogram)
    {
        return parse(ResultFolder.percentiles(histogram).lines().toList());
    }

    private static double[] row(final String line, final int number)
    {
        final String[] fields = line.split("\\s+");
        try
        {
            return new double[]{
                Double.parseDouble(fields[0]) * NS_PER_US, Double.parseDouble(fields[1]), Double.parseDouble(fields[2]) };
        }
        catch (final NumberFormatException | ArrayIndexOutOfBoundsException ex)
        {
            throw new IllegalArgumentException("line " + number + " is not a row of numbers: '" + line + "'", ex);
        }
    }

    /** The last point is the maximum, at the percentile of one message in all; there is no message beyond it. */
    private static PercentileCurve of(final List<double[]> rows)
    {
        final double count = rows.isEmpty() ? 0 : rows.get(rows.size() - 1)[2];
        if (0 == count)
        {
            return new PercentileCurve(new double[0], new long[0]);
        }

        final double lastPlace = Math.log10(count);
        final List<double[]> points = new ArrayList<>();
        for (final double[] row : rows)
        {
            final double place = -Math.log10(1 - row[1]);
            if (place < lastPlace)
            {
                points.add(new double[]{ Math.max(0, place), row[0] });
            }
        }
        points.add(new double[]{ lastPlace, rows.get(rows.size() - 1)[0] });

        return new PercentileCurve(
            points.stream().mapToDouble((point) -> point[0]).toArray(),
            points.stream().mapToLong((point) -> Math.round(point[1])).toArray());
    }
}

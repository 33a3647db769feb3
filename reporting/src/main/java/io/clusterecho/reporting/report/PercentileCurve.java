package io.clusterecho.reporting.report;

import java.util.List;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import io.clusterecho.reporting.results.ResultFolder;
import io.clusterecho.settings.IllegalArgument;

import org.HdrHistogram.Histogram;

/**
 * A percentile distribution on a logarithmic axis: the percentile <i>p</i> (a share) is at {@code -log10(1 - p)}, so 90% is
 * at 1, 99% at 2, 99.9% at 3. Each point is its place, from 0 to {@code log10} of the number of messages, and its time in ns.
 */
final class PercentileCurve
{
    private static final String COLUMNS = "Value Percentile TotalCount 1/(1-Percentile)";
    private static final double NS_PER_US = 1_000;
    private static final double PLACES_PER_UNIT = 1e4;

    /**
     * Read a distribution in the text form of HdrHistogram, values in microseconds.
     *
     * @return its points; none if nothing was recorded.
     * @throws IllegalArgumentException which names the line that cannot be read.
     */
    static ArrayNode parse(final List<String> lines)
    {
        IllegalArgument.throwIf(
            lines.isEmpty() || !COLUMNS.equals(lines.get(0).trim().replaceAll("\\s+", " ")), "line 1 is not '" + COLUMNS + "'");

        final List<String> texts = lines.stream().map(String::trim).toList();
        return points(IntStream.range(1, texts.size())
            .filter((i) -> !texts.get(i).isEmpty() && !texts.get(i).startsWith("#"))
            .mapToObj((i) -> row(texts.get(i), i + 1)).toList());
    }

    /** The curve of a histogram in ns, from its text form. */
    static ArrayNode of(final Histogram histogram)
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
    private static ArrayNode points(final List<double[]> rows)
    {
        final ArrayNode points = JsonNodeFactory.instance.arrayNode();
        final double[] last = rows.isEmpty() ? new double[3] : rows.get(rows.size() - 1);
        if (last[2] > 0)
        {
            final double lastPlace = Math.log10(last[2]);
            for (final double[] row : rows)
            {
                final double place = -Math.log10(1 - row[1]);
                if (place < lastPlace)
                {
                    add(points, Math.max(0, place), row[0]);
                }
            }
            add(points, lastPlace, last[0]);
        }
        return points;
    }

    private static void add(final ArrayNode points, final double place, final double timeNs)
    {
        points.addArray().add(Math.round(place * PLACES_PER_UNIT) / PLACES_PER_UNIT).add(Math.round(timeNs));
    }
}

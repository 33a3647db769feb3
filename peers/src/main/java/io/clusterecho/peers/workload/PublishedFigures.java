package io.clusterecho.peers.workload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

import io.clusterecho.settings.InvalidSettingException;

/**
 * Figures of public reports, of which only ratios within one report are used.
 */
final class PublishedFigures
{
    private static final String HEADER = "source,system,test,setup,payload_bytes,rate_per_second,metric,value,unit";
    private static final int COLUMN_COUNT = 9;

    private final Map<String, Double> values = new HashMap<>();

    private PublishedFigures()
    {
    }

    /**
     * Read the file of figures.
     *
     * @throws InvalidSettingException when it is not such a file.
     */
    static PublishedFigures load(final Path file)
    {
        final List<String> lines;
        try
        {
            lines = Files.readAllLines(file);
        }
        catch (final IOException ex)
        {
            throw new InvalidSettingException("--published", file, "a readable file (" + ex + ")");
        }
        if (lines.isEmpty() || !HEADER.equals(lines.get(0)))
        {
            throw new InvalidSettingException("--published", file, "a file that begins with " + HEADER);
        }

        final PublishedFigures figures = new PublishedFigures();
        for (final String line : lines.subList(1, lines.size()))
        {
            final String[] columns = line.split(",", -1);
            if (columns.length != COLUMN_COUNT)
            {
                throw new InvalidSettingException("--published", line, COLUMN_COUNT + " columns in each line");
            }
            figures.values.put(
                key(columns[0], columns[1], columns[2], columns[3], columns[4], columns[6]), Double.parseDouble(columns[7]));
        }

        return figures;
    }

    /**
     * How the system of a cell compares with the base of its load in the published report.
     *
     * @param cell   whose system it is.
     * @param metric that is compared.
     * @return value of the system by value of the base, or nothing where the report has not both.
     */
    OptionalDouble ratio(final Cell cell, final Workload.Metric metric)
    {
        final Double own = value(cell, cell.system(), metric);
        final Double base = value(cell, cell.workload().base(), metric);
        return null == own || null == base ? OptionalDouble.empty() : OptionalDouble.of(own / base);
    }

    private Double value(final Cell cell, final String system, final Workload.Metric metric)
    {
        final Workload.Published published = cell.workload().published();
        final String theirs = published.systems().get(system);
        if (null == theirs)
        {
            return null;
        }
        if (Workload.PRICE_STREAM == cell.workload() && Workload.Metric.RATE == metric)
        {
            // The reports give the time of the last price, not a rate; all sent the same number.
            final Double time = find(published, theirs, cell, "max");
            return null == time ? null : 1 / time;
        }

        return find(published, theirs, cell, metric.publishedName());
    }

    private Double find(final Workload.Published published, final String system, final Cell cell, final String metric)
    {
        final String suffix = switch (cell.workload())
        {
            case CONCURRENCY_SWEEP, MEMORY -> cell.setup();
            default -> "";
        };
        for (final Map.Entry<String, Double> entry : values.entrySet())
        {
            final String[] parts = entry.getKey().split("\\|", -1);
            final boolean isSetup = suffix.isEmpty() || parts[3].endsWith(" " + suffix);
            if (parts[0].equals(published.source()) && parts[1].equals(system) && parts[2].equals(published.test()) && isSetup &&
                parts[4].equals(cell.payload()) && parts[5].equals(metric))
            {
                return entry.getValue();
            }
        }

        return null;
    }

    private static String key(final String... parts)
    {
        return String.join("|", parts);
    }
}

package io.clusterecho.reporting.published;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;

/** Figures from public reports, found by what they measure. */
public final class PublishedFigures
{
    private static final String PACKED = "/io/clusterecho/published/published.csv";
    private static final String HEADER = "source,system,test,setup,payload_bytes,rate_per_second,metric,value,unit";
    private static final int COLUMN_COUNT = 9;

    private final List<PublishedFigure> figures = new ArrayList<>();

    private PublishedFigures(final List<String> lines)
    {
        if (lines.isEmpty() || !HEADER.equals(lines.get(0)))
        {
            throw new IllegalArgumentException("a file that begins with " + HEADER);
        }
        for (final String line : lines.subList(1, lines.size()))
        {
            final String[] columns = line.split(",", -1);
            if (COLUMN_COUNT != columns.length)
            {
                throw new IllegalArgumentException(COLUMN_COUNT + " columns in each line, other than in '" + line + "'");
            }
            figures.add(new PublishedFigure(
                columns[0], columns[1], columns[2], columns[3], columns[4], columns[5], columns[6],
                Double.parseDouble(columns[7])));
        }
    }

    /** The figures included in this program. */
    public static PublishedFigures packed()
    {
        return new PublishedFigures(packed(PACKED));
    }

    /** The lines of a file included in this program. */
    static List<String> packed(final String name)
    {
        try (InputStream in = PublishedFigures.class.getResourceAsStream(name))
        {
            if (null == in)
            {
                throw new IllegalStateException(name + " is missing: the build did not pack it");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(name + " cannot be read", ex);
        }
    }

    /**
     * Read figures from a file.
     *
     * @param option that names the file, for errors.
     * @throws InvalidSettingException if it is not such a file.
     */
    public static PublishedFigures read(final String option, final Path file)
    {
        try
        {
            return new PublishedFigures(Files.readAllLines(file, StandardCharsets.UTF_8));
        }
        catch (final IOException ex)
        {
            throw new InvalidSettingException(option, file, "a readable file (" + Cause.of(ex) + ")");
        }
        catch (final IllegalArgumentException ex)
        {
            throw new InvalidSettingException(option, file, ex.getMessage());
        }
    }

    /** All figures, in the order of the file. */
    public List<PublishedFigure> all()
    {
        return List.copyOf(figures);
    }

    /** Find a figure; the length is empty if it is not stated. */
    public Optional<PublishedFigure> find(
        final String source,
        final String system,
        final String test,
        final Predicate<String> setup,
        final String lengthBytes,
        final String metric)
    {
        return figures.stream().filter((figure) ->
            figure.source().equals(source) && figure.system().equals(system) && figure.test().equals(test) &&
            setup.test(figure.setup()) && figure.lengthBytes().equals(lengthBytes) && figure.metric().equals(metric))
            .findFirst();
    }
}

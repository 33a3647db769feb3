package io.clusterecho.reporting.results;

import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Iterator;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;

import io.clusterecho.settings.Io;

import org.HdrHistogram.Histogram;

/**
 * Reads the histograms of an interval log of HdrHistogram one by one: each takes about 300 kB of memory. The library's own reader
 * takes a row that it cannot read for the end of the log, or leaves it out.
 */
public final class HistogramLog implements AutoCloseable
{
    private static final Pattern HEADER_TIME = Pattern.compile("#\\[(StartTime|BaseTime): ([0-9]+(\\.[0-9]+)?).*");
    private static final String TAG = "Tag=";
    private static final int COLUMN_COUNT = 4;
    private static final int MAX_QUOTED = 40;
    private static final double MS_PER_S = 1e3;
    /** A row that is earlier than the start of the log by more than this counts from it, as in the library. */
    private static final double MAX_CLOCK_DIFFERENCE_S = 365 * 24 * 3600;

    private final Stream<String> text;
    private final Iterator<String> lines;
    private int lineNumber;
    private int rowCount;
    private double startTimeS;
    private double baseTimeS = Double.NaN;
    private String tag;

    /** A log of one series: of one tag, if rows have any. */
    public HistogramLog(final Path file)
    {
        // Every byte is a character of this encoding.
        text = Io.call(
            (ex) -> new IllegalArgumentException("it cannot be opened", ex),
            () -> Files.lines(file, StandardCharsets.ISO_8859_1));
        lines = text.iterator();
    }

    /** The next histogram with times and tag, or null after the last; an error names line and column of what is damaged. */
    public Histogram next()
    {
        for (String line = line(); null != line; line = line())
        {
            final Matcher time = HEADER_TIME.matcher(line);
            if (time.matches())
            {
                startTimeS = "StartTime".equals(time.group(1)) ? Double.parseDouble(time.group(2)) : startTimeS;
                baseTimeS = "BaseTime".equals(time.group(1)) ? Double.parseDouble(time.group(2)) : baseTimeS;
            }
            else if (!line.isBlank() && !line.startsWith("#") && !line.startsWith("\"StartTimestamp\""))
            {
                final String[] columns = line.split(",", -1);
                final Histogram row = row(columns);
                if (rowCount > 0 && !Objects.equals(tag, row.getTag()))
                {
                    throw refusal(columns, 0, "tag " + tag + ", as before: several series cannot be added");
                }
                tag = row.getTag();
                rowCount++;
                return row;
            }
        }
        return null;
    }

    @Override
    public void close()
    {
        text.close();
    }

    private String line()
    {
        try
        {
            lineNumber++;
            return lines.hasNext() ? lines.next() : null;
        }
        catch (final UncheckedIOException ex)
        {
            throw new IllegalArgumentException("line " + lineNumber + " cannot be read: " + ex.getCause(), ex);
        }
    }

    private Histogram row(final String[] columns)
    {
        final int first = columns[0].startsWith(TAG) ? 1 : 0;
        final double timeS = number(columns, first);
        final double lengthS = number(columns, first + 1);
        number(columns, first + 2);
        final int last = first + COLUMN_COUNT - 1;
        final Histogram histogram = histogram(columns, last);
        if (columns.length - 1 != last)
        {
            throw refusal(columns, last + 1, "nothing after the histogram");
        }

        if (Double.isNaN(baseTimeS))
        {
            baseTimeS = timeS < startTimeS - MAX_CLOCK_DIFFERENCE_S ? startTimeS : 0;
        }
        histogram.setStartTimeStamp(Math.round((baseTimeS + timeS) * MS_PER_S));
        histogram.setEndTimeStamp(Math.round((baseTimeS + timeS + lengthS) * MS_PER_S));
        histogram.setTag(1 == first ? columns[0].substring(TAG.length()) : null);
        return histogram;
    }

    private double number(final String[] columns, final int index)
    {
        try
        {
            return new BigDecimal(index < columns.length ? columns[index].strip() : "").doubleValue();
        }
        catch (final NumberFormatException ex)
        {
            throw refusal(columns, index, columns[0].contains("1/(1-Percentile)") ?
                "an interval log; this is a table of percentiles (.hgrm)" : "a number with a decimal point");
        }
    }

    private Histogram histogram(final String[] columns, final int index)
    {
        final String encoded = index < columns.length ? columns[index].strip() : "";
        try
        {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(encoded)), 0);
        }
        catch (final DataFormatException | RuntimeException ex)
        {
            // The library does not document what it throws for a damaged histogram.
            throw refusal(columns, index, encoded.startsWith("DHIST") ?
                "a histogram of whole numbers; this is one of fractions (DoubleHistogram)" :
                "a compressed histogram of HdrHistogram, and numbers before it with a decimal point");
        }
    }

    private IllegalArgumentException refusal(final String[] columns, final int index, final String allowed)
    {
        final String value = index < columns.length ? columns[index].strip() : "missing";
        return new IllegalArgumentException(
            "line " + lineNumber + ", column " + (index + 1) + " of " + columns.length + " is " +
            value.substring(0, Math.min(MAX_QUOTED, value.length())) + "; allowed: " + allowed);
    }
}

package io.clusterecho.reporting.evidence;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

import io.clusterecho.settings.Io;
import io.clusterecho.settings.Cause;
import io.clusterecho.text.Lines;

import org.agrona.CloseHelper;

/**
 * A file that grows row by row during a run. After the first failure nothing more is appended, so no row is missing in between;
 * a partly written row is cut off. Once open, the file never throws because of the disk. One thread at a time appends and
 * closes; any thread may call {@link #problems()}.
 */
public final class EvidenceFile implements AutoCloseable
{
    private static final double NS_PER_S = 1e9;

    private final String name;
    private final Disk.DiskFile file;
    private long length;
    private long recordCount;
    private boolean isClosed;
    private volatile String problem;

    /** Create or empty the file and write the text before its rows; an {@link UncheckedIOException} names the path. */
    public EvidenceFile(final Disk disk, final Path path, final String name, final byte[] head)
    {
        this.name = name;
        Disk.DiskFile opened = null;
        try
        {
            opened = disk.open(path);
            opened.append(head, head.length);
        }
        catch (final IOException ex)
        {
            CloseHelper.quietClose(opened);
            throw new UncheckedIOException("cannot write " + path + ": " + Cause.of(ex), ex);
        }
        file = opened;
        length = head.length;
    }

    /**
     * Append the rows of an interval: all or none.
     *
     * @param beginNs of the interval, in ns since the start of the schedule.
     * @return false if the disk failed, now or before, and they were not appended.
     */
    public boolean append(final String rows, final long beginNs)
    {
        final byte[] bytes = rows.getBytes(UTF_8);
        // No part of them is a record.
        return append(bytes, bytes.length, Integer.MAX_VALUE, (wholeCount) -> seconds(beginNs));
    }

    /**
     * Append a row to each of several files that cover the same intervals. If one cannot be written, all end before this
     * interval, and count as incomplete.
     *
     * @param rows    in the order of the files.
     * @param beginNs of the interval, in ns since the start of the schedule.
     */
    public static void append(final List<EvidenceFile> files, final List<String> rows, final long beginNs)
    {
        final long[] lengths = files.stream().mapToLong((file) -> file.length).toArray();
        final int failed = IntStream.range(0, lengths.length).filter((i) -> !files.get(i).append(rows.get(i), beginNs))
            .findFirst().orElse(-1);
        for (int i = 0; i < lengths.length; i++)
        {
            if (failed >= 0 && null == files.get(i).problem)
            {
                files.get(i).endAt(
                    lengths[i],
                    " is incomplete from " + seconds(beginNs) + " on: it ends where " + files.get(failed).name + " does");
            }
        }
    }

    /** Problems of several files. */
    public static List<String> problems(final Collection<EvidenceFile> files)
    {
        return files.stream().flatMap((file) -> file.problems().stream()).toList();
    }

    /**
     * Append records of equal length. If the disk fails, those written completely are kept.
     *
     * @param records      contiguous, from the beginning of the array.
     * @param bytesLength  of all records, in bytes.
     * @param recordLength of each record, in bytes.
     * @return false if the disk failed, now or before, and not all of them were appended.
     */
    public boolean append(final byte[] records, final int bytesLength, final int recordLength)
    {
        return append(
            records, bytesLength, recordLength,
            (wholeCount) -> Lines.text("record %,d", recordCount + wholeCount + 1));
    }

    private boolean append(
        final byte[] bytes, final int bytesLength, final int recordLength, final LongFunction<String> where)
    {
        if (null != problem)
        {
            return false;
        }

        try
        {
            file.append(bytes, bytesLength);
            length += bytesLength;
            recordCount += bytesLength / recordLength;
            return true;
        }
        catch (final IOException ex)
        {
            // Without its length only what was appended before is known to be there, and truncating reports what is wrong.
            final long wholeCount = Math.max(0, Io.orElse(length, file::length) - length) / recordLength;
            endAt(
                length + wholeCount * recordLength,
                " is incomplete from " + where.apply(wholeCount) + " on: " + Cause.of(ex));
            return false;
        }
    }

    /** Name in reports. */
    public String name()
    {
        return name;
    }

    /** A sentence if the file is incomplete, during the run or after it. */
    public List<String> problems()
    {
        final String text = problem;
        return null == text ? List.of() : List.of(text);
    }

    /** Wait until the rows have reached the device, and close the file. */
    @Override
    public void close()
    {
        if (isClosed)
        {
            return;
        }

        isClosed = true;
        try (file)
        {
            file.force();
        }
        catch (final IOException ex)
        {
            if (null == problem)
            {
                problem = name + " may be incomplete: " + Cause.of(ex) + " when closing it";
            }
        }
    }

    private void endAt(final long wholeLength, final String what)
    {
        try
        {
            file.truncate(wholeLength);
            length = wholeLength;
            problem = name + what;
        }
        catch (final IOException ex)
        {
            problem = name + what + "; its last row is incomplete (" + Cause.of(ex) + ")";
        }
    }

    private static String seconds(final long timeNs)
    {
        return Lines.text("%.1f s", timeNs / NS_PER_S);
    }
}

package io.clusterecho.node.member;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.clusterecho.media.counters.DriverCounters;
import io.clusterecho.media.counters.ServiceCounter;

import org.agrona.concurrent.status.CountersReader;

/**
 * A log of the state of a member's echo service by log position, one line each, so that an audit can check whether the member
 * applied what its log contains:
 * <pre>
 *   position applied checksum              in bytes, as a count, as 16 hexadecimal digits
 * </pre>
 * The counters with the state are polled by another thread, so the service neither waits for a disk nor knows of this file. The
 * file is beside the terms and votes, because it is useless without the log. One thread.
 */
final class StateLog
{
    static final String FILE = "state.log";

    /** The lines before; older ones are deleted. */
    static final String EARLIER_FILE = "state-earlier.log";

    private static final Pattern LAST_LINE = Pattern.compile("(\\d{1,18}) \\d+ [0-9a-f]{16}\\n[^\\n]*\\z");
    /** Of a file, in bytes. */
    static final long MAX_LENGTH = 4L << 20;
    private static final int ATTEMPTS = 1_000;

    private final Path file;
    private final CountersReader counters;
    private final long maxLength;
    private long writtenPosition = -1;

    StateLog(final Path clusterDir, final CountersReader counters, final long maxLength)
    {
        file = clusterDir.resolve(FILE);
        this.counters = counters;
        this.maxLength = maxLength;
    }

    /** Position of the newest line in a member's files, up to which it has applied the log; 0 without one. */
    static long lastPosition(final Path clusterDir) throws IOException
    {
        for (final String name : List.of(FILE, EARLIER_FILE))
        {
            final Path written = clusterDir.resolve(name);
            // A kill may have cut the last line.
            final String text = Files.exists(written) ? Files.readString(written, StandardCharsets.ISO_8859_1) : "";
            final Matcher last = LAST_LINE.matcher(text);
            if (last.find())
            {
                return Long.parseLong(last.group(1));
            }
        }
        return 0;
    }

    /** Append the present state, unless it is already written or the service has not started. */
    void write() throws IOException
    {
        final int positionId = DriverCounters.find(counters, ServiceCounter.STATE_POSITION.typeId());
        final int appliedId = DriverCounters.find(counters, ServiceCounter.APPLIED.typeId());
        final int checksumId = DriverCounters.find(counters, ServiceCounter.STATE_CHECKSUM.typeId());
        if (CountersReader.NULL_COUNTER_ID == positionId || CountersReader.NULL_COUNTER_ID == appliedId ||
            CountersReader.NULL_COUNTER_ID == checksumId)
        {
            return;
        }

        for (int i = 0; i < ATTEMPTS; i++)
        {
            final long position = counters.getCounterValue(positionId);
            final long applied = counters.getCounterValue(appliedId);
            final long checksum = counters.getCounterValue(checksumId);
            if (position >= 0 && position == counters.getCounterValue(positionId))
            {
                if (position != writtenPosition)
                {
                    append(String.format(Locale.ROOT, "%d %d %016x\n", position, applied, checksum));
                    writtenPosition = position;
                }
                return;
            }
            Thread.onSpinWait();
        }
    }

    private void append(final String line) throws IOException
    {
        if (file.toFile().length() > maxLength)
        {
            Files.move(file, file.resolveSibling(EARLIER_FILE), StandardCopyOption.REPLACE_EXISTING);
        }
        // Opened for each line: once a second that is cheap, and nothing needs to be closed.
        Files.writeString(
            file, line, StandardCharsets.US_ASCII, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}

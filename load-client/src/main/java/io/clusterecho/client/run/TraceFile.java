package io.clusterecho.client.run;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

import io.clusterecho.client.schedule.Messages;
import io.clusterecho.client.schedule.Trace;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

import org.agrona.collections.IntArrayList;
import org.agrona.collections.LongArrayList;

/**
 * Reads and checks the file of a trace: CSV with a header that names the columns {@code time_s} or {@code time_ns}, and
 * {@code bytes}; other columns are ignored. Times are in order and count from the first row; lengths are those of messages,
 * headers included.
 */
public final class TraceFile
{
    private static final String TIME_S = "time_s";
    private static final String TIME_NS = "time_ns";
    private static final String BYTES = "bytes";
    private static final int DIGEST_BYTES = 8;
    private static final int MAX_DECIMALS = 9;
    private static final long MAX_SECONDS = 9_000_000_000L;
    private static final double MAX_REPLAYED_NS = 1000 * 24 * 3_600e9;
    private static final int MAX_DIGITS = 9 + MAX_DECIMALS;
    /** 12 bytes a message, while the arrays are copied twice that. */
    private static final int BYTES_OF_ROW = 24;

    private final Path file;
    private final long maxRows;
    private final LongArrayList timesNs = new LongArrayList();
    private final IntArrayList lengthsBytes = new IntArrayList();
    private int timePlace;
    private int bytesPlace;
    private boolean isInSeconds;
    private long line;

    private TraceFile(final Path file, final long maxRows)
    {
        this.file = file;
        this.maxRows = maxRows;
    }

    /**
     * Read a file to its end.
     *
     * @param speed      factor by which it is replayed faster.
     * @param isRepeated whether it begins again after its end.
     * @param digest     that it must have, or null for any.
     * @throws InvalidSettingException with the number of the first line that cannot be used, its value and what is allowed.
     */
    public static Trace read(final Path file, final double speed, final boolean isRepeated, final String digest)
    {
        final Trace trace =
            read(file, speed, isRepeated, Math.min(1 << 30, Runtime.getRuntime().maxMemory() / 4 / BYTES_OF_ROW));
        InvalidSettingException.throwIf(
            null != digest && !digest.equals(trace.digest()), LoadConfig.TRACE, file,
            "a file with the digest " + digest + "; this one has " + trace.digest());

        return trace;
    }

    static Trace read(final Path file, final double speed, final boolean isRepeated, final long maxRows)
    {
        final TraceFile reader = new TraceFile(file, maxRows);
        try (InputStream bytes = Files.newInputStream(file);
            DigestInputStream digested = new DigestInputStream(bytes, MessageDigest.getInstance("SHA-256"));
            BufferedReader lines = new BufferedReader(new InputStreamReader(digested, StandardCharsets.UTF_8)))
        {
            reader.readAll(lines);
            final byte[] digest = Arrays.copyOf(digested.getMessageDigest().digest(), DIGEST_BYTES);
            return reader.trace(speed, isRepeated, HexFormat.of().formatHex(digest));
        }
        catch (final IOException ex)
        {
            throw new InvalidSettingException(LoadConfig.TRACE, file, "a readable file (" + Cause.of(ex) + ")");
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private void readAll(final BufferedReader lines) throws IOException
    {
        line = 1;
        final String header = lines.readLine();
        readHeader(null == header ? "" : Settings.withoutMark(header));
        boolean isEnded = false;
        for (String text = lines.readLine(); null != text; text = lines.readLine())
        {
            line++;
            if (text.isBlank())
            {
                isEnded = true;
                continue;
            }
            rejectIf(isEnded, text, "rows without empty lines between them");
            readRow(text);
        }
    }

    private void readHeader(final String header)
    {
        final List<String> names = Arrays.stream(header.split(",")).map(String::strip).toList();
        isInSeconds = names.contains(TIME_S);
        timePlace = names.indexOf(isInSeconds ? TIME_S : TIME_NS);
        bytesPlace = names.indexOf(BYTES);
        rejectIf(
            1 != names.stream().filter(List.of(TIME_S, TIME_NS)::contains).count() ||
            1 != names.stream().filter(BYTES::equals).count(), header,
            "a header with one column time_s or time_ns, and one bytes, separated by commas and without quotes");
    }

    private void readRow(final String text)
    {
        rejectIf(
            timesNs.size() >= maxRows, "row " + (timesNs.size() + 1),
            "at most " + maxRows + " rows, which a quarter of the heap holds; more with -Xmx");
        final String[] cells = text.split(",", -1);
        rejectIf(cells.length <= Math.max(timePlace, bytesPlace), text, "a cell for each column of the header");

        final long timeNs = timeNs(cells[timePlace].strip());
        rejectIf(
            !timesNs.isEmpty() && timeNs < timesNs.getLong(timesNs.size() - 1), cells[timePlace].strip(),
            "a time that is not before that of the line above");
        timesNs.addLong(timeNs);
        lengthsBytes.addInt(lengthBytes(cells[bytesPlace].strip()));
    }

    private long timeNs(final String text)
    {
        if (!isInSeconds)
        {
            rejectIf(!text.matches("[0-9]{1," + MAX_DIGITS + "}"), text, "a time in ns: digits, at most " + MAX_DIGITS);
            return Long.parseLong(text);
        }

        final boolean isNumber = text.matches("[0-9]{1,10}(\\.[0-9]{1,9})?");
        final BigDecimal seconds = new BigDecimal(isNumber ? text : "0");
        rejectIf(
            !isNumber || seconds.longValue() > MAX_SECONDS, text,
            "a time in s: digits, with at most " + MAX_DECIMALS + " decimals, and at most " + MAX_SECONDS);
        return seconds.movePointRight(MAX_DECIMALS).longValueExact();
    }

    private int lengthBytes(final String text)
    {
        final int length = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
        rejectIf(
            length < EchoMessage.MIN_LENGTH || length > Messages.MAX_LENGTH, text,
            "a length in bytes, header included, from " + EchoMessage.MIN_LENGTH + " to " + Messages.MAX_LENGTH);
        return length;
    }

    private Trace trace(final double speed, final boolean isRepeated, final String digest)
    {
        final int count = timesNs.size();
        final long firstNs = 0 == count ? 0 : timesNs.getLong(0);
        final double replayedNs = count < 2 ? 0 : (timesNs.getLong(count - 1) - firstNs) / speed;
        InvalidSettingException.throwIf(
            replayedNs < Math.max(1, count - 1) || replayedNs > MAX_REPLAYED_NS, LoadConfig.TRACE, file,
            "at least two rows with different times, which at its speed take from 1 ns a row to 1000 days in all");

        final long[] sinceFirstNs = timesNs.longStream().map((timeNs) -> timeNs - firstNs).toArray();
        return Trace.of(sinceFirstNs, lengthsBytes.toIntArray(), speed, isRepeated, digest);
    }

    private void rejectIf(final boolean isInvalid, final String value, final String allowed)
    {
        if (isInvalid)
        {
            // Without the key, whose value would be replaced by what was typed: the name of the file alone.
            throw new InvalidSettingException(
                LoadConfig.TRACE + "=" + file + " line " + line + ": '" + value + "' is not allowed: " + allowed);
        }
    }
}

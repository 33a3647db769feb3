package io.clusterecho.client.results;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import io.clusterecho.client.load.IntervalListener;
import io.clusterecho.client.load.LoadInterval;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/**
 * Writes each interval of a run as it ends: {@code response-time.hlog}, {@code service-time.hlog}, {@code send-delay.hlog}
 * and {@code stall.hlog} (values in ns), and a row of {@code intervals.csv}. So a run that is cut short has kept what it
 * measured.
 */
public final class IntervalFiles implements IntervalListener, AutoCloseable
{
    private static final long NS_PER_MS = 1_000_000L;

    private final HistogramFile responseTimes;
    private final HistogramFile serviceTimes;
    private final HistogramFile sendDelays;
    private final HistogramFile stalls;
    private final PrintStream csv;
    private long sentBefore;
    private long answeredBefore;
    private long backPressuredBefore;
    private long disconnectedBefore;

    /**
     * Open the files.
     *
     * @param folder       of the run.
     * @param startEpochMs of the run.
     */
    public IntervalFiles(final ResultFolder folder, final long startEpochMs)
    {
        try
        {
            responseTimes = new HistogramFile(folder, "response-time.hlog", startEpochMs);
            serviceTimes = new HistogramFile(folder, "service-time.hlog", startEpochMs);
            sendDelays = new HistogramFile(folder, "send-delay.hlog", startEpochMs);
            stalls = new HistogramFile(folder, "stall.hlog", startEpochMs);
            csv = new PrintStream(folder.path().resolve("intervals.csv").toFile(), StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write to " + folder.path(), ex);
        }

        final StringBuilder header = new StringBuilder(
            "begin_s,end_s,phase,leader,sent,answered,in_flight,back_pressured,disconnected");
        for (final String time : new String[]{ "response", "service", "send_delay" })
        {
            for (final Percentile percentile : Percentile.values())
            {
                header.append(',').append(time).append('_').append(percentile.label()).append("_us");
            }
        }
        csv.println(header.append(",stall_max_us"));
    }

    @Override
    public void onInterval(final LoadInterval interval)
    {
        final long beginEpochMs = interval.startEpochMs() + interval.beginNs() / NS_PER_MS;
        final long endEpochMs = interval.startEpochMs() + interval.endNs() / NS_PER_MS;
        responseTimes.write(interval.responseTimes(), beginEpochMs, endEpochMs);
        serviceTimes.write(interval.serviceTimes(), beginEpochMs, endEpochMs);
        sendDelays.write(interval.sendDelays(), beginEpochMs, endEpochMs);
        stalls.write(interval.stalls(), beginEpochMs, endEpochMs);

        final StringBuilder row = new StringBuilder();
        row.append(String.format(Locale.ROOT, "%.3f,%.3f,", interval.beginNs() / 1e9, interval.endNs() / 1e9));
        row.append(interval.phase().name().toLowerCase(Locale.ROOT)).append(',');
        row.append(interval.leaderMemberId() < 0 ? "" : String.valueOf(interval.leaderMemberId())).append(',');
        row.append(interval.sentAll() - sentBefore).append(',');
        row.append(interval.answeredAll() - answeredBefore).append(',');
        row.append(interval.sentAll() - interval.answeredAll()).append(',');
        row.append(interval.backPressured() - backPressuredBefore).append(',');
        row.append(interval.disconnected() - disconnectedBefore);
        sentBefore = interval.sentAll();
        answeredBefore = interval.answeredAll();
        backPressuredBefore = interval.backPressured();
        disconnectedBefore = interval.disconnected();
        appendPercentiles(row, interval.responseTimes());
        appendPercentiles(row, interval.serviceTimes());
        appendPercentiles(row, interval.sendDelays());
        appendUs(row, Percentile.MAX.of(interval.stalls()));
        csv.println(row);
        csv.flush();
    }

    @Override
    public void close()
    {
        responseTimes.out.close();
        serviceTimes.out.close();
        sendDelays.out.close();
        stalls.out.close();
        csv.close();
    }

    private static void appendPercentiles(final StringBuilder row, final Histogram histogram)
    {
        for (final Percentile percentile : Percentile.values())
        {
            if (0 == histogram.getTotalCount())
            {
                row.append(',');
            }
            else
            {
                appendUs(row, percentile.of(histogram));
            }
        }
    }

    private static void appendUs(final StringBuilder row, final long valueNs)
    {
        row.append(String.format(Locale.ROOT, ",%.3f", valueNs / 1e3));
    }

    private static final class HistogramFile
    {
        private final PrintStream out;
        private final HistogramLogWriter writer;

        private HistogramFile(final ResultFolder folder, final String name, final long startEpochMs)
            throws FileNotFoundException
        {
            out = new PrintStream(folder.path().resolve(name).toFile());
            writer = new HistogramLogWriter(out);
            writer.outputLogFormatVersion();
            writer.outputComment("[" + name + ": values in ns]");
            writer.outputStartTime(startEpochMs);
            writer.setBaseTime(startEpochMs);
            writer.outputBaseTime(startEpochMs);
            writer.outputLegend();
        }

        private void write(final Histogram histogram, final long beginEpochMs, final long endEpochMs)
        {
            histogram.setStartTimeStamp(beginEpochMs);
            histogram.setEndTimeStamp(endEpochMs);
            writer.outputIntervalHistogram(histogram);
            out.flush();
        }
    }
}

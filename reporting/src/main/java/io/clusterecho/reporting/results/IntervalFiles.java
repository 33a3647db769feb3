package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.platform.Decimals;
import io.clusterecho.platform.StallMeter;
import io.clusterecho.reporting.confidence.TailShare;
import io.clusterecho.reporting.evidence.EvidenceFile;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.IntervalListener;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.RunPhase;
import io.clusterecho.reporting.measurement.Time;

import org.HdrHistogram.Histogram;
import org.agrona.CloseHelper;

/**
 * Writes each interval of a run as it ends: {@code response-time.hlog}, {@code service-time.hlog}, {@code send-delay.hlog},
 * {@code receive-lateness.hlog}, {@code client-part.hlog} and {@code stall.hlog} (in ns), and a row of
 * {@code intervals.csv}, so that a run that is cut short keeps what it measured. All files cover the same intervals: if one
 * cannot be written, all end before that interval. The histograms have no message of the warm-up, so that the sum of each file
 * is the distribution in the result; an interval whose phase is the warm-up may end a little late, with measured messages.
 */
public final class IntervalFiles implements IntervalListener
{
    /** First columns of {@link FileNames#INTERVALS}. */
    public static final String COLUMNS = "begin_s,end_s,phase,leader,sent,answered,in_flight,back_pressured,disconnected";

    private static final long NS_PER_MS = 1_000_000L;
    private static final double NS_PER_US = 1e3;
    private static final double NS_PER_S = 1e9;

    private final List<EvidenceFile> files = new ArrayList<>();
    private final List<HistogramRows> logs;
    private final Histogram noStalls = StallMeter.newHistogram();

    /** Open the files; an {@link java.io.UncheckedIOException} names one that cannot be written. */
    public IntervalFiles(final ResultFolder folder, final long startEpochMs)
    {
        logs = Stream.of(Time.values()).map((time) -> new HistogramRows(time.log(), startEpochMs)).toList();
        try
        {
            Stream.of(Time.values()).forEach((time) ->
                files.add(folder.evidence(time.log(), logs.get(time.ordinal()).take())));
            files.add(folder.evidence(FileNames.INTERVALS, header()));
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.quietCloseAll(files);
            throw ex;
        }
    }

    private static String header()
    {
        return COLUMNS + Time.OF_MESSAGES.stream().flatMap((time) -> Stream.of(Percentile.values())
            .map((percentile) -> "," + time.column() + "_" + percentile.label() + "_us")).collect(Collectors.joining()) +
            ",client_tail_share,stall_max_us,target_per_s\n";
    }

    @Override
    public void onInterval(final RunInterval interval)
    {
        if (RunPhase.WARM_UP == interval.phase())
        {
            // Not kept. Without this the first measured interval took 40 ms of a core, most of it for code that had never run.
            rows(interval, (time) -> interval.warmUpResponseTimes());
        }
        EvidenceFile.append(files, rows(
            interval, (time) -> Time.STALL != time || interval.isMeasured() ? interval.times().of(time) : noStalls),
            interval.beginNs());
    }

    private List<String> rows(final RunInterval interval, final Function<Time, Histogram> times)
    {
        final long beginEpochMs = interval.startEpochMs() + interval.beginNs() / NS_PER_MS;
        final long endEpochMs = interval.startEpochMs() + interval.endNs() / NS_PER_MS;
        final List<String> rows = new ArrayList<>();
        for (final Time time : Time.values())
        {
            // On few cores, threads that yield to each other would otherwise wait for all histograms.
            Thread.yield();
            rows.add(logs.get(time.ordinal()).row(times.apply(time), beginEpochMs, endEpochMs));
        }
        rows.add(csvRow(interval, times));
        return rows;
    }

    @Override
    public List<String> problems()
    {
        return EvidenceFile.problems(files);
    }

    @Override
    public void close()
    {
        files.forEach(EvidenceFile::close);
    }

    private static String csvRow(final RunInterval interval, final Function<Time, Histogram> times)
    {
        final StringBuilder row = new StringBuilder();
        Decimals.append(row, interval.beginNs(), NS_PER_S);
        row.append(',');
        Decimals.append(row, interval.endNs(), NS_PER_S);
        row.append(',').append(interval.phase().label()).append(',');
        row.append(interval.leaderMemberId() < 0 ? "" : String.valueOf(interval.leaderMemberId())).append(',');
        row.append(interval.counts().of(Counter.SENT_ALL)).append(',');
        row.append(interval.counts().of(Counter.ANSWERED_ALL)).append(',');
        row.append(interval.inFlight()).append(',');
        row.append(interval.counts().of(Counter.BACK_PRESSURED)).append(',');
        row.append(interval.counts().of(Counter.DISCONNECTED));
        Time.OF_MESSAGES.forEach((time) -> appendPercentiles(row, times.apply(time)));
        appendClientShare(row, times.apply(Time.RESPONSE), times.apply(Time.CLIENT_PART));
        appendUs(row, Percentile.MAX.of(interval.times().of(Time.STALL)));
        row.append(',').append(interval.ratePerSecondAsked());
        return row.append('\n').toString();
    }

    private static void appendClientShare(final StringBuilder row, final Histogram responseTimes, final Histogram clientPart)
    {
        row.append(',');
        if (clientPart.getTotalCount() > 0)
        {
            final TailShare tail = new TailShare(responseTimes);
            tail.add(responseTimes, clientPart);
            Decimals.append(row, Math.round(1e3 * tail.share()), 1e3);
        }
    }

    private static void appendPercentiles(final StringBuilder row, final Histogram histogram)
    {
        Thread.yield();
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
        row.append(',');
        Decimals.append(row, valueNs, NS_PER_US);
    }
}

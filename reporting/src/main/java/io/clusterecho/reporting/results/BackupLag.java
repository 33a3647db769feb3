package io.clusterecho.reporting.results;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import io.clusterecho.settings.Quantity;
import io.clusterecho.statistics.NearestRank;
import io.clusterecho.text.Lines;

/**
 * How far the backup was behind in the measured window, from the rows of {@code counters.csv}. Committed bytes that it lacks are
 * what would be lost with the disks of all members; at most as much of it was acknowledged.
 *
 * @param intervals   of the measured window in which the lag was known.
 * @param down        of these, those in which the backup did not run at the end.
 * @param medianBytes of the lags at the ends of intervals.
 * @param maxBytes    largest lag, as seen every few ms.
 * @param medianNs    of the lags in time at the ends of intervals.
 * @param cores       that the backup used, on average; null if unknown.
 */
public record BackupLag(
    int intervals, int down, long medianBytes, long maxBytes, long lastBytes, long medianNs, long maxNs, long lastNs,
    Double cores)
{
    private static final double NS_PER_MS = 1e6;

    /** Lag of a run; null without a backup, or if it was never known. */
    public static BackupLag of(final IntervalTable run)
    {
        final int[] known = IntStream.range(0, run.rowCount()).filter(run::isInWindow)
            .filter((row) -> !Double.isNaN(run.counter(ProcessName.BACKUP, row, "backup_lag_bytes"))).toArray();
        if (0 == known.length)
        {
            return null;
        }

        final int[] counted =
            IntStream.of(known).filter((row) -> !Double.isNaN(run.counter(ProcessName.BACKUP, row, "cpu_ms"))).toArray();
        final double coreNs = Arrays.stream(values(run, counted, "cpu_ms", NS_PER_MS)).sum();
        final double lengthNs = IntStream.of(counted).mapToDouble((row) -> run.endNs(row) - run.beginNs(row)).sum();
        final double[] bytes = values(run, known, "backup_lag_bytes", 1);
        final double[] timesNs = values(run, known, "backup_lag_ms", NS_PER_MS);
        return new BackupLag(
            known.length,
            (int)IntStream.of(known).filter((row) -> run.counterText(ProcessName.BACKUP, row, "pid").isEmpty()).count(),
            Math.round(NearestRank.of(bytes, NearestRank.MEDIAN)), max(values(run, known, "backup_lag_max_bytes", 1)),
            Math.round(bytes[bytes.length - 1]), Math.round(NearestRank.of(timesNs, NearestRank.MEDIAN)),
            max(values(run, known, "backup_lag_max_ms", NS_PER_MS)), Math.round(timesNs[timesNs.length - 1]),
            0 == lengthNs ? null : Math.round(coreNs / lengthNs * 1e3) / 1e3);
    }

    private static double[] values(final IntervalTable run, final int[] rows, final String column, final double unit)
    {
        return IntStream.of(rows).mapToDouble((row) -> run.counter(ProcessName.BACKUP, row, column) * unit).toArray();
    }

    private static long max(final double[] values)
    {
        return Math.round(Arrays.stream(values).max().orElse(0));
    }

    /** Positions are looked for at intervals, so a shorter time is not seen. */
    private static String time(final long timeNs)
    {
        return 0 == timeNs ? "not at two looks" : Quantity.formatNs(timeNs);
    }

    List<String> text()
    {
        return List.of(Lines.text(
            "backup     behind by %,d B (%s) in the median, at most %,d B (%s), at the end %,d B%s%s", medianBytes,
            time(medianNs), maxBytes, time(maxNs), lastBytes,
            null == cores ? "" : Lines.text("; %.2f cores", cores),
            0 == down ? "" : "; down in " + down + " of " + intervals + " intervals"));
    }
}

package io.clusterecho.reporting.results;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

import io.clusterecho.settings.Quantity;
import io.clusterecho.statistics.NearestRank;

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
    private static final double MS_PER_S = 1e3;

    /** Lag of a run; null without a backup, if it was never known, or if the files cannot be read. */
    public static BackupLag of(final IntervalTable run)
    {
        return run.examine(BackupLag::read, (why) -> null);
    }

    private static BackupLag read(final IntervalTable run)
    {
        final CsvTable counters = run.counters();
        final List<Integer> known = IntStream.range(0, run.rowCount()).filter(run::isInWindow)
            .mapToObj((row) -> run.counterRow(ProcessName.BACKUP, row))
            .filter((row) -> null != row && !counters.text(row, "backup_lag_bytes").isEmpty()).toList();
        if (known.isEmpty())
        {
            return null;
        }

        final List<Integer> counted = known.stream().filter((row) -> !Double.isNaN(counters.number(row, "cpu_ms"))).toList();
        final double cpuMs = counted.stream().mapToDouble((row) -> counters.number(row, "cpu_ms")).sum();
        final double lengthS =
            counted.stream().mapToDouble((row) -> counters.number(row, "end_s") - counters.number(row, "begin_s")).sum();
        final double[] bytes = values(counters, known, "backup_lag_bytes", 1);
        final double[] timesNs = values(counters, known, "backup_lag_ms", NS_PER_MS);
        return new BackupLag(
            known.size(), (int)known.stream().filter((row) -> counters.text(row, "pid").isEmpty()).count(),
            Math.round(NearestRank.of(bytes, NearestRank.MEDIAN)), max(values(counters, known, "backup_lag_max_bytes", 1)),
            Math.round(bytes[bytes.length - 1]), Math.round(NearestRank.of(timesNs, NearestRank.MEDIAN)),
            max(values(counters, known, "backup_lag_max_ms", NS_PER_MS)), Math.round(timesNs[timesNs.length - 1]),
            0 == lengthS ? null : Math.round(cpuMs / lengthS / MS_PER_S * 1e3) / 1e3);
    }

    private static double[] values(final CsvTable counters, final List<Integer> rows, final String column, final double unit)
    {
        return rows.stream().mapToDouble((row) -> counters.number(row, column) * unit).toArray();
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
        return List.of(String.format(
            Locale.ROOT, "backup     behind by %,d B (%s) in the median, at most %,d B (%s), at the end %,d B%s%s", medianBytes,
            time(medianNs), maxBytes, time(maxNs), lastBytes,
            null == cores ? "" : String.format(Locale.ROOT, "; %.2f cores", cores),
            0 == down ? "" : "; down in " + down + " of " + intervals + " intervals"));
    }
}

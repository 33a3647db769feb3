package io.clusterecho.reporting.sides;

import java.util.List;
import java.util.stream.IntStream;

import io.clusterecho.reporting.results.CsvTable;

/**
 * One run of a comparison of sides: a row of its {@code rows.csv}. Numbers that the row does not have are NaN.
 *
 * @param start         of the members, from 1.
 * @param verdict       label; empty in files of versions that judged no run.
 * @param p99Us         of the response time; NaN if too few messages are beyond it.
 * @param sent          share of the messages that were sent.
 * @param writtenKb     that the kernel wrote to disks meanwhile.
 */
public record SideRun(
    int start, String side, long ratePerSecond, String verdict, double p50Us, double p99Us, double sent, double stealMs,
    double writtenKb)
{
    /** The label of a run that does not count. */
    public static final String FAILED = "FAILED";

    private static final double MAX_P50_US = 1e3;
    private static final double MAX_P99_US = 1e4;

    /** The rows of a file; an {@link IllegalArgumentException} names the line of a damaged number. */
    public static List<SideRun> of(final CsvTable table)
    {
        return IntStream.range(0, table.rowCount()).mapToObj((row) -> new SideRun(
            (int)table.number(row, "start"), table.text(row, "side"), (long)table.number(row, "messages_per_second"),
            table.text(row, "verdict"), table.number(row, "p50_us"), table.number(row, "p99_us"), table.number(row, "sent"),
            table.number(row, "steal_ms"), table.number(row, "written_kb"))).toList();
    }

    /** Whether medians and counts include it: it has a result, and did not fail. */
    public boolean isCounted()
    {
        return !FAILED.equals(verdict) && !"PARTIAL".equals(verdict) && !Double.isNaN(p50Us);
    }

    /** Whether it counts, with a p50 below 1 ms and a p99 below 10 ms. */
    public boolean isMet()
    {
        return isCounted() && p50Us < MAX_P50_US && p99Us < MAX_P99_US;
    }
}

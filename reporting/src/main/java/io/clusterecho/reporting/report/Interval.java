package io.clusterecho.reporting.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.clusterecho.reporting.results.CsvTable;

/**
 * One row of {@code intervals.csv}, or several rows merged.
 *
 * @param beginS        in s since the start of the schedule.
 * @param phase         in which most of it lay; of results of older builds, the phase at its end.
 * @param leader        at its end, a member id; empty if there is none or it is unknown.
 * @param sent          messages in it, warm-up included.
 * @param answered      first replies in it, warm-up included.
 * @param inFlight      messages at its end; the maximum of merged rows.
 * @param targetPerS    mean target rate in it, in messages/s; NaN if unknown, as in results of older builds.
 */
record Interval(
    double beginS, double endS, int rowCount, String phase, String leader, long sent, long answered, long inFlight,
    long backPressured, long disconnected, double targetPerS)
{
    private static final List<String> COLUMNS = List.of(
        "begin_s", "end_s", "phase", "leader", "sent", "answered", "in_flight", "back_pressured", "disconnected");

    /**
     * The rows of a table.
     *
     * @throws IllegalArgumentException which names the damaged line.
     */
    static List<Interval> of(final CsvTable table)
    {
        table.having(COLUMNS);
        return IntStream.range(0, table.rowCount()).mapToObj((row) -> new Interval(
            table.given(row, "begin_s"), table.given(row, "end_s"), 1, table.text(row, "phase"), table.text(row, "leader"),
            table.count(row, "sent"), table.count(row, "answered"), table.count(row, "in_flight"),
            table.count(row, "back_pressured"), table.count(row, "disconnected"), table.number(row, "target_per_s"))).toList();
    }

    /**
     * Merge adjacent rows of the same phase.
     *
     * @param maxCount of intervals; each change of the phase may add one.
     * @return intervals of equally many rows each, as far as phases allow.
     */
    static List<Interval> join(final List<Interval> rows, final int maxCount)
    {
        final int factor = Math.max(1, (rows.size() + maxCount - 1) / maxCount);
        final List<Interval> joined = new ArrayList<>();
        for (final Interval row : rows)
        {
            final int last = joined.size() - 1;
            if (last >= 0 && joined.get(last).rowCount < factor && joined.get(last).phase.equals(row.phase))
            {
                joined.set(last, joined.get(last).join(row));
            }
            else
            {
                joined.add(row);
            }
        }
        return joined;
    }

    double lengthS()
    {
        return endS - beginS;
    }

    private Interval join(final Interval next)
    {
        return new Interval(
            beginS, next.endS, rowCount + next.rowCount, phase, next.leader, sent + next.sent, answered + next.answered,
            Math.max(inFlight, next.inFlight), backPressured + next.backPressured, disconnected + next.disconnected,
            (targetPerS * lengthS() + next.targetPerS * next.lengthS()) / (lengthS() + next.lengthS()));
    }
}

package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.clusterecho.settings.Quantity;
import io.clusterecho.statistics.NearestRank;
import io.clusterecho.text.Lines;

/**
 * What a pulse of overload did, and whether and when the cluster returned from it. The p99 before the pulse is the median of
 * those of the measured intervals before it. It has returned from the begin of the first of {@value #HELD_COUNT} successive
 * intervals after the pulse whose p99 exceeds it by no more than the tolerance. The backlog is what is due by the schedule and
 * not answered; it is drained at the end of the first interval after the pulse in which it is at most as long as it ever was
 * before the pulse.
 *
 * @param baseRatePerSecond  before and after the pulse.
 * @param pulseBeginNs       since the start of the schedule.
 * @param tolerance          of the p99, 0.5 for half.
 * @param intervalNs         longest interval after the pulse: the resolution of the times below.
 * @param limitNs            p99 that counts as returned; null if unknown.
 * @param returnedAfterNs    from the end of the pulse until the p99 had returned; null if it did not.
 * @param backlogMax         longest backlog from the begin of the pulse on, in messages.
 * @param drainedAfterNs     from the end of the pulse until the backlog was drained; null if it was not.
 * @param backlogLast        backlog at the end of the last interval of the schedule, in messages.
 * @param exceededAgainCount most successive intervals after the return whose p99 exceeded the limit, or that had no replies;
 *                           null if it did not return.
 * @param unknown            why the outcome is unknown, a sentence; null if it is known.
 */
public record Overload(
    Outcome outcome, long baseRatePerSecond, long pulseRatePerSecond, long pulseBeginNs, long pulseEndNs, double tolerance,
    Long intervalNs, Long p99BeforeNs, Long limitNs, Long returnedAfterNs, Long backlogMax, Long drainedAfterNs, Long backlogLast,
    Integer exceededAgainCount, String unknown)
{
    /** Successive intervals within the limit that count as a return. */
    static final int HELD_COUNT = 5;

    private static final int MIN_COUNT_BEFORE = 5;
    private static final double NS_PER_S = 1e9;
    // Times in intervals.csv are rounded to it.
    private static final double RESOLUTION_NS = 1e6;
    private static final double SHRINKING_SHARE = 0.9;

    /** How it ended. */
    public enum Outcome
    {
        /** The p99 is back. */
        RETURNED,
        /** The p99 stayed within its limit all the time. */
        NOT_OVERLOADED,
        /** The p99 is not back, while the backlog still shrinks. */
        STILL_DRAINING,
        /** The p99 is not back, and the backlog does not shrink or is gone. */
        METASTABLE,
        /** Too few intervals, or a run that ended before its schedule and before the p99 was back. */
        UNKNOWN
    }

    private record Row(double beginNs, double endNs, long p99Ns, double backlog)
    {
        boolean isWithin(final double limitNs)
        {
            // Without replies nothing is within anything.
            return p99Ns >= 0 && p99Ns <= limitNs;
        }
    }

    /** Examine a stored run. */
    public static Overload of(final IntervalTable run, final OverloadPulse pulse)
    {
        return run.examine(
            (table) -> read(table, pulse), (why) -> unknown(pulse, null, "its intervals cannot be read: " + why));
    }

    private static Overload read(final IntervalTable run, final OverloadPulse pulse)
    {
        final List<Row> before = new ArrayList<>();
        final List<Row> from = new ArrayList<>();
        final double[] answered = new double[1];
        run.forEachRow((times, row) ->
        {
            answered[0] += run.interval(row, "answered");
            final Row next = new Row(
                run.beginNs(row), run.endNs(row), 0 == times.getTotalCount() ? -1 : Percentile.P99.of(times),
                pulse.dueCount(run.endNs(row)) - answered[0]);
            if (next.endNs <= pulse.beginNs() + RESOLUTION_NS)
            {
                if (run.isMeasured(row) && next.p99Ns >= 0)
                {
                    before.add(next);
                }
            }
            else if (next.beginNs < pulse.scheduleEndNs() - RESOLUTION_NS)
            {
                from.add(next);
            }
        });

        return judge(before, from, pulse);
    }

    private static Overload judge(final List<Row> before, final List<Row> from, final OverloadPulse pulse)
    {
        if (before.size() < MIN_COUNT_BEFORE)
        {
            return unknown(
                pulse, null, before.size() + " measured intervals with replies before the pulse, fewer than " + MIN_COUNT_BEFORE);
        }

        final long p99BeforeNs = Math.round(NearestRank.of(
            before.stream().mapToDouble(Row::p99Ns).toArray(), NearestRank.MEDIAN));
        final double limitNs = p99BeforeNs * (1 + pulse.tolerance());
        final List<Row> after = from.stream().filter((row) -> row.endNs > pulse.endNs() + RESOLUTION_NS).toList();
        if (after.size() < HELD_COUNT)
        {
            return unknown(pulse, p99BeforeNs, after.size() + " intervals after the pulse, fewer than " + HELD_COUNT);
        }

        final int held = IntStream.rangeClosed(0, after.size() - HELD_COUNT)
            .filter((first) -> after.subList(first, first + HELD_COUNT).stream().allMatch((row) -> row.isWithin(limitNs)))
            .findFirst().orElse(-1);
        final Row last = after.get(after.size() - 1);
        final double intervalNs = after.stream().mapToDouble((row) -> row.endNs - row.beginNs).max().orElseThrow();
        // A run ends with its last reply, up to a message before its schedule.
        final double leftOutNs = pulse.scheduleEndNs() - last.endNs;
        if (held < 0 && leftOutNs > Math.max(intervalNs, NS_PER_S / pulse.baseRatePerSecond()) + RESOLUTION_NS)
        {
            return unknown(pulse, p99BeforeNs, "the run ended " + Quantity.formatNs(leftOutNs) + " before its schedule");
        }
        final double normal = before.stream().mapToDouble(Row::backlog).max().orElseThrow() +
            1 + pulse.baseRatePerSecond() * RESOLUTION_NS / NS_PER_S;
        final Row drained = after.stream().filter((row) -> row.backlog <= normal).findFirst().orElse(null);
        final Row middle = after.get(after.size() / 2);
        final Outcome outcome = held >= 0 ?
            from.stream().allMatch((row) -> row.isWithin(limitNs)) ? Outcome.NOT_OVERLOADED : Outcome.RETURNED :
            null == drained && last.backlog < SHRINKING_SHARE * middle.backlog ? Outcome.STILL_DRAINING : Outcome.METASTABLE;
        return new Overload(
            outcome, pulse.baseRatePerSecond(), pulse.pulseRatePerSecond(), pulse.beginNs(), pulse.endNs(), pulse.tolerance(),
            Math.round(intervalNs), p99BeforeNs,
            (long)limitNs, held < 0 ? null : sinceNs(after.get(held).beginNs, pulse),
            Math.round(from.stream().mapToDouble(Row::backlog).max().orElseThrow()),
            null == drained ? null : sinceNs(drained.endNs, pulse), Math.max(0, Math.round(last.backlog)),
            held < 0 ? null : exceededAgainCount(after.subList(held + HELD_COUNT, after.size()), limitNs), null);
    }

    private static int exceededAgainCount(final List<Row> rows, final double limitNs)
    {
        int count = 0;
        int most = 0;
        for (final Row row : rows)
        {
            count = row.isWithin(limitNs) ? 0 : count + 1;
            most = Math.max(most, count);
        }
        return most;
    }

    private static long sinceNs(final double timeNs, final OverloadPulse pulse)
    {
        return Math.max(0, Math.round(timeNs - pulse.endNs()));
    }

    private static Overload unknown(final OverloadPulse pulse, final Long p99BeforeNs, final String why)
    {
        return new Overload(
            Outcome.UNKNOWN, pulse.baseRatePerSecond(), pulse.pulseRatePerSecond(), pulse.beginNs(), pulse.endNs(),
            pulse.tolerance(), null, p99BeforeNs, null, null, null, null, null, null, why);
    }

    /** Why the test failed, a sentence; null if it did not. */
    String failure()
    {
        return switch (outcome)
        {
            case METASTABLE -> "METASTABLE: " + notBack() + (null == drainedAfterNs ?
                "and the backlog of " + Lines.text("%,d messages does not shrink", backlogLast) :
                "though the backlog was drained " + Quantity.formatNs(drainedAfterNs) + " after the pulse");
            case STILL_DRAINING -> "not returned: " + notBack() +
                Lines.text("and the backlog of %,d messages still shrinks: a longer --return shows when it is gone", backlogLast);
            case UNKNOWN -> "whether the cluster returned from the pulse is unknown: " + unknown;
            default -> null;
        };
    }

    /** A warning about a test that shows nothing, or a return that did not last; null if there is no reason for one. */
    String warning()
    {
        if (Outcome.RETURNED == outcome && exceededAgainCount >= HELD_COUNT)
        {
            return "p99 returned, and left the limit again for " + exceededAgainCount + " successive intervals";
        }
        return Outcome.NOT_OVERLOADED == outcome ? Lines.text(
            "the pulse of %,d/s did not overload the cluster: p99 stayed within %s in every interval; raise --pulse",
            pulseRatePerSecond, Quantity.formatNs(limitNs)) : null;
    }

    private String notBack()
    {
        return "p99 did not return to " + Quantity.formatNs(limitNs) + " after the pulse (before it: " +
            Quantity.formatNs(p99BeforeNs) + "), ";
    }

    List<String> text()
    {
        final String pulse = Lines.text(
            "overload   %s; pulse of %,d/s for %s over %,d/s", outcome.name().replace('_', ' '), pulseRatePerSecond,
            Quantity.formatNs(pulseEndNs - pulseBeginNs), baseRatePerSecond);
        return null == limitNs ? List.of(pulse) : List.of(pulse, Lines.text(
            "           p99 %s before, %s; backlog up to %,d messages, %s", Quantity.formatNs(p99BeforeNs),
            null == returnedAfterNs ? "not within " + Quantity.formatNs(limitNs) + " again" :
            "within " + Quantity.formatNs(limitNs) + " again " + after(returnedAfterNs), backlogMax,
            null == drainedAfterNs ? "not drained" : "drained " + after(drainedAfterNs)));
    }

    private String after(final long timeNs)
    {
        return Quantity.formatNs(timeNs) + " (+-" + Quantity.formatNs(intervalNs) + ") after the pulse";
    }
}

package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.Lines;

import org.HdrHistogram.Histogram;

/**
 * A step of a schedule whose rate goes up or down in steps, and the response time in it: that of the intervals which lie in the
 * step as a whole. A rate that was reached from below and later from above shows hysteresis if its p99 differs.
 *
 * @param ratePerSecond target rate, 0 for a pause.
 * @param beginNs       since the start of the schedule.
 * @param count         of replies in its whole intervals; null until that was read, or if it has no whole interval.
 * @param p50Ns         of them; null if there are none.
 * @param p99ToUp       p99 of a step that follows a higher rate, as a multiple of that of the first step of the same rate that
 *                      did not; null for others.
 */
public record RateStep(long ratePerSecond, long beginNs, long endNs, Long count, Long p50Ns, Long p99Ns, Double p99ToUp)
{
    private static final double NS_PER_S = 1e9;
    // Times in intervals.csv are rounded to it.
    private static final double RESOLUTION_NS = 1e6;
    /** From which multiple on the way down is called worse. */
    private static final double WORSE_FACTOR = 1.5;
    private static final int MAX_LINES = 40;
    private static final double ROUNDING = 1e3;

    /** A step whose times have not been read. */
    public RateStep(final long ratePerSecond, final long beginNs, final long endNs)
    {
        this(ratePerSecond, beginNs, endNs, null, null, null, null);
    }

    /** The steps with their times; as given if the intervals cannot be read. */
    static List<RateStep> of(final IntervalTable run, final List<RateStep> steps)
    {
        return run.examine((table) -> compared(read(table, steps)), (why) -> steps);
    }

    private static List<RateStep> read(final IntervalTable run, final List<RateStep> steps)
    {
        final Histogram[] sums = new Histogram[steps.size()];
        run.forEachRow((times, row) ->
        {
            for (int i = 0; i < sums.length; i++)
            {
                final RateStep step = steps.get(i);
                if (run.beginNs(row) >= step.beginNs - RESOLUTION_NS && run.endNs(row) <= step.endNs + RESOLUTION_NS)
                {
                    sums[i] = null == sums[i] ? TimeRecorder.newHistogram() : sums[i];
                    sums[i].add(times);
                }
            }
        });
        return IntStream.range(0, sums.length)
            .mapToObj((i) -> null == sums[i] ? steps.get(i) : steps.get(i).with(sums[i])).toList();
    }

    private RateStep with(final Histogram times)
    {
        final long found = times.getTotalCount();
        return new RateStep(
            ratePerSecond, beginNs, endNs, found, 0 == found ? null : Percentile.P50.of(times),
            0 == found ? null : Percentile.P99.of(times), null);
    }

    private static List<RateStep> compared(final List<RateStep> steps)
    {
        final List<RateStep> all = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++)
        {
            final RateStep step = steps.get(i);
            final boolean isDown = i > 0 && steps.get(i - 1).ratePerSecond > step.ratePerSecond;
            final RateStep up = isDown ? up(steps.subList(0, i), step.ratePerSecond) : null;
            all.add(null == up || null == up.p99Ns || null == step.p99Ns ? step : new RateStep(
                step.ratePerSecond, step.beginNs, step.endNs, step.count, step.p50Ns, step.p99Ns,
                Math.round(ROUNDING * step.p99Ns / up.p99Ns) / ROUNDING));
        }

        return all;
    }

    /** The first step of a rate that does not follow a higher one. */
    private static RateStep up(final List<RateStep> earlier, final long ratePerSecond)
    {
        return IntStream.range(0, earlier.size()).filter((i) -> ratePerSecond == earlier.get(i).ratePerSecond &&
            (0 == i || earlier.get(i - 1).ratePerSecond <= ratePerSecond)).mapToObj(earlier::get).findFirst().orElse(null);
    }

    /** Steps in lines for a person, the first {@value #MAX_LINES} of them. */
    static List<String> text(final List<RateStep> steps)
    {
        final List<String> lines = new ArrayList<>();
        for (final RateStep step : steps.subList(0, Math.min(MAX_LINES, steps.size())))
        {
            lines.add((lines.isEmpty() ? "steps      " : "           ") + step.text());
        }
        if (steps.size() > MAX_LINES)
        {
            lines.add("           and " + (steps.size() - MAX_LINES) + " more in " + DocumentKind.RUN.fileName());
        }
        return lines;
    }

    private String text()
    {
        final String rate = Lines.text("%,d/s for %s: ", ratePerSecond, Quantity.formatNs(endNs - beginNs));
        if (null == p99Ns)
        {
            return rate + (null == count ? "no whole interval" : "no replies");
        }

        return rate + "p50 " + Quantity.formatNs(p50Ns) + ", p99 " + Quantity.formatNs(p99Ns) + (null == p99ToUp ? "" :
            Lines.text(", %.2f times that on the way up%s", p99ToUp, p99ToUp >= WORSE_FACTOR ? ": worse" : ""));
    }
}

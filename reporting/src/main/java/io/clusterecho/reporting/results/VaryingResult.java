package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.List;

/**
 * What a run whose rate varied shows beyond its percentiles.
 *
 * @param rateSteps of a rate that went in steps, with their times; none for other shapes.
 */
public record VaryingResult(Overload overload, List<RateStep> rateSteps)
{
    /** What a run at a constant rate has: nothing. */
    public static final VaryingResult NONE = new VaryingResult(null, List.of());

    /** Examine a stored run; the rate is null if it was constant. */
    public static VaryingResult of(final IntervalTable run, final VaryingRate rate)
    {
        return null == rate ? NONE : new VaryingResult(
            null == rate.pulse() ? null : Overload.of(run, rate.pulse()), RateStep.of(run, rate.steps()));
    }

    List<String> text()
    {
        final List<String> lines = new ArrayList<>(null == overload ? List.of() : overload.text());
        lines.addAll(RateStep.text(rateSteps));
        return lines;
    }
}

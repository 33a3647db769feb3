package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.List;

/**
 * The rate of a schedule that varies. {@code ratePerSecondAsked} of such a run is its mean.
 *
 * @param text                as the user gave it, such as {@code sine:2k..20k/10s}.
 * @param warmUpRatePerSecond constant rate of the warm-up before it.
 * @param pulse               of overload, or null if the rate varies for another purpose.
 * @param steps               of a rate that goes in steps, none for other shapes and for a pulse; without times until examined.
 * @param overload            what the pulse did, or null until that was examined.
 */
public record VaryingRate(
    String text, long warmUpRatePerSecond, OverloadPulse pulse, List<RateStep> steps, Overload overload)
{
    public VaryingRate(final String text, final OverloadPulse pulse)
    {
        this(text, pulse.baseRatePerSecond(), pulse, List.of(), null);
    }

    /** A rate that varies for another purpose. */
    public VaryingRate(final String text, final long warmUpRatePerSecond, final List<RateStep> steps)
    {
        this(text, warmUpRatePerSecond, null, steps, null);
    }

    /** The same rate with what a stored run shows of it. */
    public VaryingRate examined(final IntervalTable run)
    {
        return new VaryingRate(
            text, warmUpRatePerSecond, pulse, RateStep.of(run, steps), null == pulse ? null : Overload.of(run, pulse));
    }

    List<String> lines()
    {
        final List<String> lines = new ArrayList<>(null == overload ? List.of() : overload.text());
        lines.addAll(RateStep.text(steps));
        return lines;
    }

    /** Why what presumes a steady load is not known, as the end of a sentence. */
    public String reason()
    {
        return "the target rate varies by schedule (" + text + ")";
    }
}

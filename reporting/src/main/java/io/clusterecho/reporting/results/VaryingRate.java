package io.clusterecho.reporting.results;

/**
 * The rate of a schedule that varies. {@code ratePerSecondAsked} of such a run is its mean.
 *
 * @param text                as the user gave it, such as {@code sine:2k..20k/10s}.
 * @param warmUpRatePerSecond constant rate of the warm-up before it.
 * @param pulse               of overload, or null if the rate varies for another purpose.
 * @param overload            what the pulse did, or null until that was examined.
 */
public record VaryingRate(String text, long warmUpRatePerSecond, OverloadPulse pulse, Overload overload)
{
    public VaryingRate examined(final IntervalTable run)
    {
        return new VaryingRate(text, warmUpRatePerSecond, pulse, null == pulse ? null : Overload.of(run, pulse));
    }

    /** Why what presumes a steady load is not known, as the end of a sentence. */
    public String reason()
    {
        return "the target rate varies by schedule (" + text + ")";
    }
}

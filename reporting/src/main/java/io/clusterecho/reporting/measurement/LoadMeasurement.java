package io.clusterecho.reporting.measurement;

/**
 * What a run measured.
 *
 * @param fanOut copies of the replies for receivers, or null if there were none.
 */
public record LoadMeasurement(LoadOutcome outcome, Histograms times, FanOutOutcome fanOut)
{
    /** A measurement without receivers. */
    public LoadMeasurement(final LoadOutcome outcome, final Histograms times)
    {
        this(outcome, times, null);
    }

    /** A copy with receivers, or null. */
    public LoadMeasurement with(final FanOutOutcome newFanOut)
    {
        return new LoadMeasurement(outcome, times, newFanOut);
    }
}

package io.clusterecho.reporting.measurement;

/** What a run measured; copies of the replies for receivers are null if there were none. */
public record LoadMeasurement(LoadOutcome outcome, Histograms times, FanOutOutcome fanOut)
{
    public LoadMeasurement(final LoadOutcome outcome, final Histograms times)
    {
        this(outcome, times, null);
    }

    public LoadMeasurement with(final FanOutOutcome newFanOut)
    {
        return new LoadMeasurement(outcome, times, newFanOut);
    }
}

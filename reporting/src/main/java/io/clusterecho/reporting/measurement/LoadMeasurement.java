package io.clusterecho.reporting.measurement;

import org.HdrHistogram.Histogram;

/**
 * What a run measured.
 *
 * @param outcome       of all messages.
 * @param responseTimes receive - intended in ns; age at the end of the run for messages without a reply.
 * @param serviceTimes  receive - send in ns.
 * @param sendDelays    send - intended in ns.
 * @param stalls        of this process in ns.
 * @param fanOut        copies of the replies for receivers, or null if there were none.
 */
public record LoadMeasurement(
    LoadOutcome outcome, Histogram responseTimes, Histogram serviceTimes, Histogram sendDelays, Histogram stalls,
    FanOutOutcome fanOut)
{
    /**
     * A measurement without receivers.
     */
    public LoadMeasurement(
        final LoadOutcome outcome,
        final Histogram responseTimes,
        final Histogram serviceTimes,
        final Histogram sendDelays,
        final Histogram stalls)
    {
        this(outcome, responseTimes, serviceTimes, sendDelays, stalls, null);
    }

    /**
     * A copy with receivers.
     *
     * @param newFanOut copies for receivers, or null.
     */
    public LoadMeasurement with(final FanOutOutcome newFanOut)
    {
        return new LoadMeasurement(outcome, responseTimes, serviceTimes, sendDelays, stalls, newFanOut);
    }
}

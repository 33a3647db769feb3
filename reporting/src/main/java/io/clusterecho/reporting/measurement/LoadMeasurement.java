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
 */
public record LoadMeasurement(
    LoadOutcome outcome, Histogram responseTimes, Histogram serviceTimes, Histogram sendDelays, Histogram stalls)
{
}

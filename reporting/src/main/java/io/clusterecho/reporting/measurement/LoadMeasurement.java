package io.clusterecho.reporting.measurement;

import org.HdrHistogram.Histogram;

/**
 * What a run measured.
 *
 * @param outcome       fate of each message.
 * @param responseTimes receive - intended in ns, with the age at the end for messages without a reply.
 * @param serviceTimes  receive - send in ns.
 * @param sendDelays    send - intended in ns.
 * @param stalls        of this process in ns.
 */
public record LoadMeasurement(
    LoadOutcome outcome, Histogram responseTimes, Histogram serviceTimes, Histogram sendDelays, Histogram stalls)
{
}

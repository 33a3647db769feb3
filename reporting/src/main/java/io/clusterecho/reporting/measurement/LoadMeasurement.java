package io.clusterecho.reporting.measurement;

import org.HdrHistogram.Histogram;

/**
 * What a run measured.
 *
 * @param responseTimes   receive - intended in ns; age at the end of the run for messages without a reply.
 * @param serviceTimes    receive - send in ns.
 * @param sendDelays      send - intended in ns.
 * @param receiveLateness receive - arrival in ns, of the replies whose arrival is known.
 * @param clientParts     what the client added, at least: at a response time, the sum in ns as the count; empty where there is
 *                        no system but the client.
 * @param stalls          of this process in ns.
 * @param fanOut          copies of the replies for receivers, or null if there were none.
 */
public record LoadMeasurement(
    LoadOutcome outcome, Histogram responseTimes, Histogram serviceTimes, Histogram sendDelays, Histogram receiveLateness,
    Histogram clientParts, Histogram stalls, FanOutOutcome fanOut)
{
    /**
     * A measurement in which the client's part is unknown, without receivers.
     *
     * @param responseTimes receive - intended in ns.
     * @param serviceTimes  receive - send in ns.
     * @param sendDelays    send - intended in ns.
     * @param stalls        of this process in ns.
     */
    public LoadMeasurement(
        final LoadOutcome outcome, final Histogram responseTimes, final Histogram serviceTimes, final Histogram sendDelays,
        final Histogram stalls)
    {
        this(
            outcome, responseTimes, serviceTimes, sendDelays, TimeRecorder.newHistogram(), TimeRecorder.newHistogram(), stalls);
    }

    /**
     * A measurement without receivers.
     *
     * @param responseTimes   receive - intended in ns.
     * @param serviceTimes    receive - send in ns.
     * @param sendDelays      send - intended in ns.
     * @param receiveLateness receive - arrival in ns.
     * @param clientParts     what the client added, by response time.
     * @param stalls          of this process in ns.
     */
    public LoadMeasurement(
        final LoadOutcome outcome, final Histogram responseTimes, final Histogram serviceTimes, final Histogram sendDelays,
        final Histogram receiveLateness, final Histogram clientParts, final Histogram stalls)
    {
        this(outcome, responseTimes, serviceTimes, sendDelays, receiveLateness, clientParts, stalls, null);
    }

    /**
     * A copy with receivers.
     *
     * @param newFanOut copies for receivers, or null.
     */
    public LoadMeasurement with(final FanOutOutcome newFanOut)
    {
        return new LoadMeasurement(
            outcome, responseTimes, serviceTimes, sendDelays, receiveLateness, clientParts, stalls, newFanOut);
    }
}

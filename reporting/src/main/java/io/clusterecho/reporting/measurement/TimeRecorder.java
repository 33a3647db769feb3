package io.clusterecho.reporting.measurement;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * Records the times of messages on one thread, for another to read at intervals: <b>response time</b> = receive - intended,
 * <b>service time</b> = receive - send, <b>send delay</b> = send - intended, <b>receive lateness</b> = receive - arrival of the
 * reply, and <b>system time</b>, the response time without what the client added; in ns, with three significant digits from
 * 1 ns to 24 h.
 */
public final class TimeRecorder
{
    /**
     * Longest recorded time in ns: 24 hours. A longer one counts as this.
     */
    public static final long MAX_TIME_NS = 24 * 3_600_000_000_000L;

    /**
     * A time that is not known, and not recorded.
     */
    public static final long UNKNOWN_NS = -1;

    private static final int SIGNIFICANT_DIGITS = 3;

    private final SingleWriterRecorder responseTimes = new SingleWriterRecorder(MAX_TIME_NS, SIGNIFICANT_DIGITS);
    private final SingleWriterRecorder serviceTimes = new SingleWriterRecorder(MAX_TIME_NS, SIGNIFICANT_DIGITS);
    private final SingleWriterRecorder sendDelays = new SingleWriterRecorder(MAX_TIME_NS, SIGNIFICANT_DIGITS);
    private final SingleWriterRecorder receiveLateness = new SingleWriterRecorder(MAX_TIME_NS, SIGNIFICANT_DIGITS);
    private final SingleWriterRecorder systemTimes = new SingleWriterRecorder(MAX_TIME_NS, SIGNIFICANT_DIGITS);

    /**
     * A message was handed to the transport.
     *
     * @param sendDelayNs send - intended.
     */
    public void onSent(final long sendDelayNs)
    {
        sendDelays.recordValue(bounded(sendDelayNs));
    }

    /**
     * The first reply to a message was received.
     *
     * @param responseTimeNs receive - intended.
     * @param serviceTimeNs  receive - send.
     */
    public void onAnswered(final long responseTimeNs, final long serviceTimeNs)
    {
        responseTimes.recordValue(bounded(responseTimeNs));
        serviceTimes.recordValue(bounded(serviceTimeNs));
    }

    /**
     * What is known of the client's part in the same reply.
     *
     * @param receiveLatenessNs receive - arrival, or {@link #UNKNOWN_NS}.
     * @param systemTimeNs      response time without the client's part, or {@link #UNKNOWN_NS}.
     */
    public void onClientPart(final long receiveLatenessNs, final long systemTimeNs)
    {
        if (UNKNOWN_NS != receiveLatenessNs)
        {
            receiveLateness.recordValue(bounded(receiveLatenessNs));
        }
        if (UNKNOWN_NS != systemTimeNs)
        {
            systemTimes.recordValue(bounded(systemTimeNs));
        }
    }

    /**
     * Move what was recorded since the last call into histograms. For one thread other than the recording one.
     *
     * @param response overwritten.
     * @param service  overwritten.
     * @param delay    overwritten.
     * @param lateness overwritten.
     * @param system   overwritten.
     */
    public void interval(
        final Histogram response, final Histogram service, final Histogram delay, final Histogram lateness,
        final Histogram system)
    {
        responseTimes.getIntervalHistogramInto(response);
        serviceTimes.getIntervalHistogramInto(service);
        sendDelays.getIntervalHistogramInto(delay);
        receiveLateness.getIntervalHistogramInto(lateness);
        systemTimes.getIntervalHistogramInto(system);
    }

    /**
     * An empty histogram in ns for {@link #interval}.
     */
    public static Histogram newHistogram()
    {
        return new Histogram(MAX_TIME_NS, SIGNIFICANT_DIGITS);
    }

    private static long bounded(final long timeNs)
    {
        return Math.max(0, Math.min(timeNs, MAX_TIME_NS));
    }
}

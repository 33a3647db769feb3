package io.clusterecho.reporting.measurement;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * Records the three times of messages on one thread, for another to read at intervals: <b>response time</b> = receive -
 * intended, <b>service time</b> = receive - send, <b>send delay</b> = send - intended; in ns, with three significant digits
 * from 1 ns to 24 h.
 */
public final class TimeRecorder
{
    /**
     * Longest recorded time in ns: 24 hours. A longer one counts as this.
     */
    public static final long MAX_TIME_NS = 24 * 3_600_000_000_000L;

    private static final int SIGNIFICANT_DIGITS = 3;

    private final SingleWriterRecorder responseTimes = new SingleWriterRecorder(MAX_TIME_NS, SIGNIFICANT_DIGITS);
    private final SingleWriterRecorder serviceTimes = new SingleWriterRecorder(MAX_TIME_NS, SIGNIFICANT_DIGITS);
    private final SingleWriterRecorder sendDelays = new SingleWriterRecorder(MAX_TIME_NS, SIGNIFICANT_DIGITS);

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
     * Move what was recorded since the last call into histograms. For one thread other than the recording one.
     *
     * @param response overwritten.
     * @param service  overwritten.
     * @param delay    overwritten.
     */
    public void interval(final Histogram response, final Histogram service, final Histogram delay)
    {
        responseTimes.getIntervalHistogramInto(response);
        serviceTimes.getIntervalHistogramInto(service);
        sendDelays.getIntervalHistogramInto(delay);
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

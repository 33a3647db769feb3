package io.clusterecho.reporting.measurement;

import java.util.List;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * Records the times of messages on one thread, for another to read at intervals: <b>response time</b> = receive - intended,
 * <b>service time</b> = receive - send, <b>send delay</b> = send - intended, <b>receive lateness</b> = receive - arrival of the
 * reply; in ns, with three significant digits from 1 ns to 24 h. Beside each response time, the sum of what the <b>client
 * added</b> to the messages with it is a count in ns.
 */
public final class TimeRecorder
{
    /** Longest recorded time in ns: 24 hours. A longer one counts as this. */
    public static final long MAX_TIME_NS = 24 * 3_600_000_000_000L;

    /** A time that is not known, and not recorded. */
    public static final long UNKNOWN_NS = -1;

    private static final int SIGNIFICANT_DIGITS = 3;

    private final SingleWriterRecorder responseTimes = new SingleWriterRecorder(MAX_TIME_NS, SIGNIFICANT_DIGITS);
    private final SingleWriterRecorder serviceTimes = new SingleWriterRecorder(MAX_TIME_NS, SIGNIFICANT_DIGITS);
    private final SingleWriterRecorder sendDelays = new SingleWriterRecorder(MAX_TIME_NS, SIGNIFICANT_DIGITS);
    private final SingleWriterRecorder receiveLateness = new SingleWriterRecorder(MAX_TIME_NS, SIGNIFICANT_DIGITS);
    private final SingleWriterRecorder clientParts = new SingleWriterRecorder(MAX_TIME_NS, SIGNIFICANT_DIGITS);
    private Histogram responseInterval = responseTimes.getIntervalHistogram();
    private Histogram serviceInterval = serviceTimes.getIntervalHistogram();
    private Histogram delayInterval = sendDelays.getIntervalHistogram();
    private Histogram latenessInterval = receiveLateness.getIntervalHistogram();
    private Histogram partInterval = clientParts.getIntervalHistogram();

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
     * @param responseTimeNs    receive - intended.
     * @param receiveLatenessNs receive - arrival, or {@link #UNKNOWN_NS}.
     * @param partNs            what the client added to the response time; 0 where there is no system but the client.
     */
    public void onClientPart(final long responseTimeNs, final long receiveLatenessNs, final long partNs)
    {
        if (UNKNOWN_NS != receiveLatenessNs)
        {
            receiveLateness.recordValue(bounded(receiveLatenessNs));
        }
        if (partNs > 0)
        {
            clientParts.recordValueWithCount(bounded(responseTimeNs), bounded(partNs));
        }
    }

    /**
     * Begin an interval: the histograms of the one before contain what was recorded in it, until the next call. They are
     * exchanged, not copied: each is a third of a megabyte. For one thread other than the recording one.
     */
    public void takeInterval()
    {
        responseInterval = responseTimes.getIntervalHistogram(responseInterval);
        serviceInterval = serviceTimes.getIntervalHistogram(serviceInterval);
        delayInterval = sendDelays.getIntervalHistogram(delayInterval);
        latenessInterval = receiveLateness.getIntervalHistogram(latenessInterval);
        partInterval = clientParts.getIntervalHistogram(partInterval);
    }

    /** Begin an interval after one in which nothing was recorded. For the same thread. */
    public void passEmptyInterval()
    {
        for (final Histogram times : List.of(responseInterval, serviceInterval, delayInterval, latenessInterval, partInterval))
        {
            if (times.getTotalCount() > 0)
            {
                times.reset();
            }
        }
    }

    /** Response times in the last interval that was taken. */
    public Histogram responseTimes()
    {
        return responseInterval;
    }

    /** Service times in the last interval that was taken. */
    public Histogram serviceTimes()
    {
        return serviceInterval;
    }

    /** Send delays in the last interval that was taken. */
    public Histogram sendDelays()
    {
        return delayInterval;
    }

    /** Receive lateness in the last interval that was taken. */
    public Histogram receiveLateness()
    {
        return latenessInterval;
    }

    /** What the client added in the last interval that was taken, by response time: a count is the sum in ns. */
    public Histogram clientParts()
    {
        return partInterval;
    }

    /** An empty histogram in ns for times of this kind. */
    public static Histogram newHistogram()
    {
        return new Histogram(MAX_TIME_NS, SIGNIFICANT_DIGITS);
    }

    private static long bounded(final long timeNs)
    {
        return Math.max(0, Math.min(timeNs, MAX_TIME_NS));
    }
}

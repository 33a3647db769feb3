package io.clusterecho.reporting.measurement;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.WriterReaderPhaser;

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
    /** How long to yield in the wait for the end of a recording, which takes some 100 ns. */
    private static final long FLIP_YIELD_NS = 500_000;

    private final WriterReaderPhaser phaser = new WriterReaderPhaser();
    private volatile Histograms active = new Histograms();
    private Histograms taken = new Histograms();

    /** A message was handed to the transport: send - intended. */
    public void onSent(final long sendDelayNs)
    {
        final long entered = phaser.writerCriticalSectionEnter();
        try
        {
            active.of(Time.SEND_DELAY).recordValue(bounded(sendDelayNs));
        }
        finally
        {
            phaser.writerCriticalSectionExit(entered);
        }
    }

    /**
     * The first reply to a message was received.
     *
     * @param responseTimeNs    receive - intended.
     * @param serviceTimeNs     receive - send.
     * @param receiveLatenessNs receive - arrival, or {@link #UNKNOWN_NS}.
     * @param partNs            what the client added to the response time; 0 where there is no system but the client.
     */
    public void onAnswered(
        final long responseTimeNs, final long serviceTimeNs, final long receiveLatenessNs, final long partNs)
    {
        // One critical section for all four: entering one takes longer than recording a value.
        final long entered = phaser.writerCriticalSectionEnter();
        try
        {
            final Histograms times = active;
            final long boundedTimeNs = bounded(responseTimeNs);
            times.of(Time.RESPONSE).recordValue(boundedTimeNs);
            times.of(Time.SERVICE).recordValue(bounded(serviceTimeNs));
            if (UNKNOWN_NS != receiveLatenessNs)
            {
                times.of(Time.RECEIVE_LATENESS).recordValue(bounded(receiveLatenessNs));
            }
            if (partNs > 0)
            {
                times.of(Time.CLIENT_PART).recordValueWithCount(boundedTimeNs, bounded(partNs));
            }
        }
        finally
        {
            phaser.writerCriticalSectionExit(entered);
        }
    }

    /**
     * Begin an interval, on a thread other than the recording one. The histograms of the one before, without stalls, are
     * exchanged, not copied: they are valid until the next call.
     */
    public Histograms takeInterval()
    {
        taken.reset();
        phaser.readerLock();
        try
        {
            final Histograms recorded = active;
            active = taken;
            taken = recorded;
            phaser.flipPhase(FLIP_YIELD_NS);
        }
        finally
        {
            phaser.readerUnlock();
        }
        return taken;
    }

    /** Begin an interval after one in which nothing was recorded. For the same thread. */
    public Histograms passEmptyInterval()
    {
        taken.reset();
        return taken;
    }

    /** An empty histogram in ns for times of this kind. */
    public static Histogram newHistogram()
    {
        return new Histogram(MAX_TIME_NS, SIGNIFICANT_DIGITS);
    }

    /** A time in the range of the histograms, in ns. */
    public static long bounded(final long timeNs)
    {
        return Math.max(0, Math.min(timeNs, MAX_TIME_NS));
    }
}

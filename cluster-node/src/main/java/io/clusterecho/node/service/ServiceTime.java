package io.clusterecho.node.service;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

import io.clusterecho.schema.RunningChecksum;
import io.clusterecho.settings.Quantity;

/**
 * How long the service works on each message that it applies: a substitute for the work of a real service. The time of a
 * message is a function of the message's position in the log, so that it is the same on all members and in each replay, and the
 * times of different messages are independent draws:
 * <pre>
 *   u = (fold(SALT, position) / 2^11 + 1) / 2^53          fold of {@link RunningChecksum}, unsigned; 0 &lt; u &lt;= 1
 *   fixed:T             T
 *   exponential:T       -T ln u                           the inverse of the exponential distribution with mean T
 *   bimodal:T,L@SHARE   L if u &lt;= SHARE, else T
 * </pre>
 * One thread, which is busy for that time: it does not yield, since a service at work does not either. Does not allocate.
 */
public final class ServiceTime
{
    /** Description of the allowed texts. */
    public static final String ALLOWED =
        "none, fixed:TIME, exponential:MEAN, or bimodal:TIME,LONGER@SHARE with a share between 0 and 1, as in fixed:10us or " +
        "bimodal:5us,500us@1%";

    /** No work. */
    public static final String NONE = "none";

    private static final Pattern ONE = Pattern.compile("(fixed|exponential):([^,@]+)");
    private static final Pattern TWO = Pattern.compile("bimodal:([^,@]+),([^,@]+)@([^,@]+)");
    private static final long SALT = 0x7365_7276_6963_6521L;
    private static final double UNIT = 0x1p-53;
    /** The sum of 50 exponential times exceeds three times its mean with a probability below 1e-20. */
    private static final int EXPONENTIAL_EXCESS = 3;

    private final boolean isExponential;
    private final long timeNs;
    /** Of a share of the messages, from 0; otherwise the same time. */
    private final long longerNs;
    private final double longerShare;
    private final NanoClock clock;

    private ServiceTime(
        final boolean isExponential, final long timeNs, final long longerNs, final double longerShare, final NanoClock clock)
    {
        this.isExponential = isExponential;
        this.timeNs = timeNs;
        this.longerNs = longerNs;
        this.longerShare = longerShare;
        this.clock = clock;
    }

    /** The times that a text as in {@link #ALLOWED} describes; rejects any other. */
    public static ServiceTime of(final String text)
    {
        return of(text, SystemNanoClock.INSTANCE);
    }

    static ServiceTime of(final String text, final NanoClock clock)
    {
        if (NONE.equals(text))
        {
            return new ServiceTime(false, 0, 0, 0, clock);
        }

        final Matcher one = ONE.matcher(text);
        if (one.matches())
        {
            final long timeNs = positiveNs(one.group(2));
            return new ServiceTime("exponential".equals(one.group(1)), timeNs, timeNs, 0, clock);
        }

        final Matcher two = TWO.matcher(text);
        if (!two.matches())
        {
            throw new IllegalArgumentException(ALLOWED);
        }
        final long timeNs = positiveNs(two.group(1));
        final long longerNs = positiveNs(two.group(2));
        final double share = Quantity.parseShare(two.group(3));
        if (longerNs <= timeNs || share <= 0 || share >= 1)
        {
            throw new IllegalArgumentException(ALLOWED);
        }
        return new ServiceTime(false, timeNs, longerNs, share, clock);
    }

    /** Whether the service works on no message. */
    public boolean isNone()
    {
        return 0 == timeNs;
    }

    /** Mean time per message in ns. */
    public double meanNs()
    {
        return timeNs + longerShare * (longerNs - timeNs);
    }

    /**
     * Bound of the time in ns that several messages in a row take, about 50, for checks of timeouts. Exponential times have no
     * bound; they practically never exceed this.
     */
    public long boundNs(final int messageCount)
    {
        final double excess = isExponential ? EXPONENTIAL_EXCESS : 1;
        return (long)(excess * messageCount * Math.max(timeNs, longerNs));
    }

    /** Time of a message in ns, by the end of its log entry in bytes. */
    long timeNs(final long logPosition)
    {
        if (!isExponential && longerNs == timeNs)
        {
            return timeNs;
        }

        final double u = ((RunningChecksum.fold(SALT, logPosition) >>> 11) + 1) * UNIT;
        // Strict: to the bit the same on members with other processors or another compiler.
        return isExponential ? Math.round(-timeNs * StrictMath.log(u)) : u <= longerShare ? longerNs : timeNs;
    }

    /** Work on a message, by the end of its log entry in bytes. Time in which the thread has no core counts as work. */
    void spin(final long logPosition)
    {
        if (isNone())
        {
            return;
        }

        final long beginNs = clock.nanoTime();
        final long neededNs = timeNs(logPosition);
        while (clock.nanoTime() - beginNs < neededNs)
        {
            Thread.onSpinWait();
        }
    }

    private static long positiveNs(final String text)
    {
        final long timeNs = Quantity.parseDurationNs(text);
        if (0 == timeNs)
        {
            throw new IllegalArgumentException(ALLOWED);
        }

        return timeNs;
    }
}

package io.clusterecho.node.service;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

import io.clusterecho.schema.RunningChecksum;
import io.clusterecho.settings.IllegalArgument;
import io.clusterecho.settings.Quantity;

/**
 * How long the service works on each message that it applies: a substitute for the work of a real service. The time of a
 * message is a function of the message's position in the log, so that it is the same on all members and in each replay, and the
 * times of different messages are independent draws:
 * <pre>
 *   u = (fold(SALT, position) / 2^11 + 1) / 2^53          fold of {@link RunningChecksum}, unsigned; 0 &lt; u &lt;= 1
 *   fixed:T             T
 *   exponential:T       -T ln u                           the inverse of the exponential distribution with mean T
 * </pre>
 * One thread, which is busy for that time: it does not yield, since a service at work does not either. Does not allocate.
 *
 * @param timeNs of each message, or the mean; 0 for none.
 */
public record ServiceTime(boolean isExponential, long timeNs, NanoClock clock)
{
    public static final String ALLOWED = "none, fixed:TIME or exponential:MEAN, as in fixed:10us";

    public static final String NONE = "none";

    private static final Pattern PATTERN = Pattern.compile("(fixed|exponential):(.+)");
    private static final long SALT = 0x7365_7276_6963_6521L;
    private static final double UNIT = 0x1p-53;
    /** The sum of 50 exponential times exceeds three times its mean with a probability below 1e-20. */
    private static final int EXPONENTIAL_EXCESS = 3;

    /** The times that a text as in {@link #ALLOWED} describes; rejects any other. */
    public static ServiceTime of(final String text)
    {
        return of(text, SystemNanoClock.INSTANCE);
    }

    static ServiceTime of(final String text, final NanoClock clock)
    {
        if (NONE.equals(text))
        {
            return new ServiceTime(false, 0, clock);
        }

        final Matcher parts = PATTERN.matcher(text);
        final long timeNs = parts.matches() ? Quantity.parseDurationNs(parts.group(2)) : 0;
        IllegalArgument.throwIf(0 == timeNs, ALLOWED);
        return new ServiceTime("exponential".equals(parts.group(1)), timeNs, clock);
    }

    /**
     * Bound of the time in ns that several messages in a row take, about 50, for checks of timeouts. Exponential times have no
     * bound; they practically never exceed this.
     */
    public long boundNs(final int messageCount)
    {
        final double excess = isExponential ? EXPONENTIAL_EXCESS : 1;
        return (long)(excess * messageCount * timeNs);
    }

    /** Time of a message in ns, by the end of its log entry in bytes. */
    long timeNs(final long logPosition)
    {
        if (!isExponential)
        {
            return timeNs;
        }

        final double u = ((RunningChecksum.fold(SALT, logPosition) >>> 11) + 1) * UNIT;
        // Strict: to the bit the same on members with other processors or another compiler.
        return Math.round(-timeNs * StrictMath.log(u));
    }

    /** Work on a message, by the end of its log entry in bytes. Time in which the thread has no core counts as work. */
    void spin(final long logPosition)
    {
        if (0 == timeNs)
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
}

package io.clusterecho.client.load;

import java.util.SplittableRandom;

import io.clusterecho.settings.Quantity;

/**
 * How long a user of a closed loop waits between a reply and the next message.
 *
 * @param meanNs        mean in ns; 0 for none.
 * @param isExponential whether it is drawn from the exponential distribution; otherwise it is always the mean.
 */
public record ThinkTime(long meanNs, boolean isExponential, String text)
{
    /** Each reply sends the next message at once. */
    public static final ThinkTime NONE = new ThinkTime(0, false, "none");

    private static final String FIXED = "fixed:";
    private static final String EXPONENTIAL = "exponential:";
    private static final String ALLOWED =
        "none, TIME, fixed:TIME, or exponential:MEAN, with a time above 0, as in 1ms or exponential:1ms";

    /** Parse {@code 1ms}, {@code fixed:1ms}, {@code exponential:1ms} or {@code none}; an error says what is allowed. */
    public static ThinkTime parse(final String text)
    {
        if (NONE.text.equals(text))
        {
            return NONE;
        }

        final boolean isExponential = text.startsWith(EXPONENTIAL);
        final String time =
            isExponential ? text.substring(EXPONENTIAL.length()) : text.startsWith(FIXED) ? text.substring(FIXED.length()) : text;
        final long meanNs;
        try
        {
            meanNs = Quantity.parseDurationNs(time);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IllegalArgumentException(ALLOWED, ex);
        }
        if (0 == meanNs)
        {
            throw new IllegalArgumentException(ALLOWED);
        }

        return new ThinkTime(meanNs, isExponential, text);
    }

    boolean isNone()
    {
        return 0 == meanNs;
    }

    /** Draw a time in ns; does not allocate. */
    long nextNs(final SplittableRandom random)
    {
        // 1 - nextDouble() is in (0, 1].
        return isExponential ? Math.round(-meanNs * StrictMath.log(1 - random.nextDouble())) : meanNs;
    }

    @Override
    public String toString()
    {
        return text;
    }
}

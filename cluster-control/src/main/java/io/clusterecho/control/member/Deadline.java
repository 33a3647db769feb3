package io.clusterecho.control.member;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.clusterecho.platform.WaitClock;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

/**
 * A point in time that ends all waiting. For any thread.
 */
public final class Deadline
{
    private static final long POLL_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final WaitClock clock;
    private final long deadlineNs;

    private Deadline(final WaitClock clock, final long deadlineNs)
    {
        this.clock = clock;
        this.deadlineNs = deadlineNs;
    }

    /**
     * A deadline from now.
     *
     * @param timeoutNs in ns, from 0.
     */
    public static Deadline in(final long timeoutNs)
    {
        return in(timeoutNs, WaitClock.SYSTEM);
    }

    /**
     * A deadline from now.
     *
     * @param timeoutNs in ns, from 0.
     * @param clock     that it is of.
     */
    public static Deadline in(final long timeoutNs, final WaitClock clock)
    {
        return new Deadline(clock, clock.nanoTime() + timeoutNs);
    }

    /**
     * A deadline as a user writes it.
     *
     * @param option that the text was given for.
     * @param text   from now, as in 30s.
     * @throws InvalidSettingException for any other text.
     */
    public static Deadline parse(final String option, final String text)
    {
        try
        {
            return in(Quantity.parseDurationNs(text));
        }
        catch (final IllegalArgumentException ex)
        {
            throw new InvalidSettingException(option, text, ex.getMessage());
        }
    }

    /**
     * The earlier one of this and another.
     *
     * @param timeoutNs of the other, from now in ns.
     */
    public Deadline butAtMostIn(final long timeoutNs)
    {
        return in(Math.min(timeoutNs, remainingNs()), clock);
    }

    /**
     * Time left.
     *
     * @return in ns, 0 when it is over.
     */
    public long remainingNs()
    {
        return Math.max(0, deadlineNs - clock.nanoTime());
    }

    /**
     * Whether the time is up.
     *
     * @return true from then on.
     */
    public boolean isOver()
    {
        return 0 == remainingNs();
    }

    /**
     * Wait for a condition.
     *
     * @param condition looked at twenty times a second, and once more when the time is up.
     * @return whether it came true. False at once if the thread is interrupted.
     */
    public boolean await(final BooleanSupplier condition)
    {
        while (!condition.getAsBoolean())
        {
            final long remainingNs = remainingNs();
            if (0 == remainingNs || Thread.currentThread().isInterrupted())
            {
                return condition.getAsBoolean();
            }
            clock.park(Math.min(POLL_INTERVAL_NS, remainingNs));
        }

        return true;
    }
}

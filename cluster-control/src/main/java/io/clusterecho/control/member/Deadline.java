package io.clusterecho.control.member;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import io.clusterecho.platform.WaitClock;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

/** A point in time at which a wait ends. Thread-safe. */
public record Deadline(WaitClock clock, long deadlineNs)
{
    private static final long POLL_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** A deadline from now, in ns from 0. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Deadline in(final long timeoutNs)
    {
        return in(timeoutNs, WaitClock.SYSTEM);
    }

    public static Deadline in(final long timeoutNs, final WaitClock clock)
    {
        return new Deadline(clock, clock.nanoTime() + timeoutNs);
    }

    /** Parse a timeout of the command line, a time from now as in 30s; rejects any other text. */
    public static Deadline parse(final String option, final String text)
    {
        return in(InvalidSettingException.parsed(option, text, null, Quantity::parseDurationNs));
    }

    /** The earlier of this deadline and another, in ns from now. */
    public Deadline atMostIn(final long timeoutNs)
    {
        return in(Math.min(timeoutNs, remainingNs()), clock);
    }

    /** Remaining time in ns, 0 once it has passed. */
    @JsonValue
    public long remainingNs()
    {
        return Math.max(0, deadlineNs - clock.nanoTime());
    }

    public boolean isOver()
    {
        return 0 == remainingNs();
    }

    /** Wait for a condition, checked each 50 ms and at the deadline; returns whether it became true, false if interrupted. */
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

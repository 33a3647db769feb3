package io.clusterecho.failover.lab;

import io.clusterecho.settings.Quantity;

/**
 * When the victims of a fault return, that is, are restarted, resumed or reconnected.
 *
 * @param afterNs time after the fault in ns, a minimum for {@link Kind#RECOVERED}, 0 for {@link Kind#NEVER}.
 */
public record VictimReturn(Kind kind, long afterNs)
{
    /** Default minimum time from fault to return, in ns. */
    public static final long DEFAULT_AFTER_NS = 3_000_000_000L;

    private static final String AUTO = "auto";
    private static final String NEVER = "never";

    /** The condition of the return. */
    public enum Kind
    {
        /** A fixed time, whatever the cluster does. */
        AFTER,
        /** Echoes have resumed without the victims; without a quorum, a fixed time. */
        RECOVERED,
        /** Victims return when the cycle has ended. */
        NEVER
    }

    /** @throws IllegalArgumentException if the text is not auto, never or a time. */
    public static VictimReturn parse(final String text)
    {
        return switch (text)
        {
            case AUTO -> new VictimReturn(Kind.RECOVERED, DEFAULT_AFTER_NS);
            case NEVER -> new VictimReturn(Kind.NEVER, 0);
            default -> new VictimReturn(Kind.AFTER, timeNs(text));
        };
    }

    private static long timeNs(final String text)
    {
        try
        {
            return Quantity.parseDurationNs(text);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IllegalArgumentException(AUTO + ", " + NEVER + " or " + ex.getMessage(), ex);
        }
    }

    public boolean isWithinCycle()
    {
        return Kind.NEVER != kind;
    }

    @Override
    public String toString()
    {
        return switch (kind)
        {
            case RECOVERED -> AUTO;
            case NEVER -> NEVER;
            default -> afterNs + "ns";
        };
    }
}

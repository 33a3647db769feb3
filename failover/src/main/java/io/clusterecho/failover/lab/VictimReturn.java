package io.clusterecho.failover.lab;

import io.clusterecho.settings.Quantity;

/**
 * When the victims of a fault return: are restarted, continued, or reached again.
 *
 * @param kind    which of the three.
 * @param afterNs after the fault, in ns; for {@link Kind#RECOVERED} at the earliest. 0 for {@link Kind#NEVER}.
 */
public record VictimReturn(Kind kind, long afterNs)
{
    /**
     * Time at which victims return at the earliest when nothing else was said, in ns.
     */
    public static final long DEFAULT_AFTER_NS = 3_000_000_000L;

    private static final String AUTO = "auto";
    private static final String NEVER = "never";

    /** What the return waits for. */
    public enum Kind
    {
        /** The time alone, whatever the cluster does. */
        AFTER,
        /** Echoes that flow again without the victims; where too few members are left for that, the time alone. */
        RECOVERED,
        /** The end of the cycle. */
        NEVER
    }

    /**
     * Read what a user wrote.
     *
     * @param text auto, never or a time.
     * @return the same as an object.
     * @throws IllegalArgumentException if it is none of these.
     */
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

    /**
     * Whether the victims return within the cycle.
     *
     * @return true unless they never do.
     */
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

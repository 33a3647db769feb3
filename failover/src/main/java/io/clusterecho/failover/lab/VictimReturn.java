package io.clusterecho.failover.lab;

import io.clusterecho.settings.Quantity;

/**
 * When the victims of a fault return, that is, are restarted, resumed or reconnected.
 *
 * @param isOnceRecovered whether echoes must have resumed without them; without a quorum the time is enough.
 * @param afterNs         minimum time after the fault in ns.
 */
public record VictimReturn(boolean isOnceRecovered, long afterNs)
{
    private static final String AUTO = "auto";
    private static final long AUTO_NS = 3_000_000_000L;

    /** @throws IllegalArgumentException if the text is not auto or a time. */
    public static VictimReturn parse(final String text)
    {
        try
        {
            return AUTO.equals(text) ? new VictimReturn(true, AUTO_NS) : new VictimReturn(false, Quantity.parseDurationNs(text));
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IllegalArgumentException(AUTO + " or " + ex.getMessage(), ex);
        }
    }
}

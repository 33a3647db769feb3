package io.clusterecho.media.driver;

import java.util.Locale;

/** Idle strategy of the C driver's threads, with the C driver's names, and its arguments or an empty text. */
public record DriverIdle(String name, String arguments)
{
    public static final DriverIdle SPIN = new DriverIdle("spin", "");
    public static final DriverIdle YIELD = new DriverIdle("yield", "");

    /** Spin, then yield, then park for increasing times. */
    public static DriverIdle backoff(final long spins, final long yields, final long minParkNs, final long maxParkNs)
    {
        return new DriverIdle(
            "backoff", String.format(Locale.ROOT, "%d-%d-%d-%d", spins, yields, minParkNs, maxParkNs));
    }
}

package io.clusterecho.media.driver;

import java.util.Locale;
import java.util.Map;

import io.clusterecho.settings.InvalidSettingException;

/**
 * Idle strategy of the C driver's threads, with the C driver's names.
 *
 * @param arguments of the strategy, or empty for none.
 */
public record DriverIdle(String name, String arguments)
{
    public static final DriverIdle SPIN = new DriverIdle("spin", "");

    public static final DriverIdle YIELD = new DriverIdle("yield", "");

    private static final Map<String, String> BY_CLASS = Map.of(
        "BusySpinIdleStrategy", "spin", "YieldingIdleStrategy", "yield", "SleepingIdleStrategy", "sleep-ns",
        "BackoffIdleStrategy", "backoff", "NoOpIdleStrategy", "noop");

    /**
     * Spin, then yield, then park for increasing times.
     *
     * @param minParkNs first park.
     * @param maxParkNs longest park.
     */
    public static DriverIdle backoff(final long spins, final long yields, final long minParkNs, final long maxParkNs)
    {
        return new DriverIdle(
            "backoff", String.format(Locale.ROOT, "%d-%d-%d-%d", spins, yields, minParkNs, maxParkNs));
    }

    /**
     * Name in the C driver of a strategy that an Aeron key sets for the Java driver.
     *
     * @param value class or alias of Agrona's strategy.
     * @return its name in C.
     * @throws InvalidSettingException if the C driver has no equivalent.
     */
    static String nameOf(final String key, final String value)
    {
        final String simpleName = value.substring(value.lastIndexOf('.') + 1);
        final String name = BY_CLASS.getOrDefault(simpleName, value);
        if (!BY_CLASS.containsValue(name))
        {
            throw new InvalidSettingException(
                key, value, "with the C driver: spin, yield, sleep-ns, backoff or noop, or Agrona's class of one of them");
        }

        return name;
    }
}

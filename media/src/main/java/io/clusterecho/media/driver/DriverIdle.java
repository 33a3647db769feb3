package io.clusterecho.media.driver;

import java.util.Locale;
import java.util.Map;

import io.clusterecho.settings.InvalidSettingException;

/** Idle strategy of the C driver's threads, with the C driver's names, and its arguments or an empty text. */
public record DriverIdle(String name, String arguments)
{
    public static final DriverIdle SPIN = new DriverIdle("spin", "");

    public static final DriverIdle YIELD = new DriverIdle("yield", "");

    private static final Map<String, String> BY_CLASS = Map.of(
        "BusySpinIdleStrategy", "spin", "YieldingIdleStrategy", "yield", "SleepingIdleStrategy", "sleep-ns",
        "BackoffIdleStrategy", "backoff", "NoOpIdleStrategy", "noop");

    /** Spin, then yield, then park for increasing times. */
    public static DriverIdle backoff(final long spins, final long yields, final long minParkNs, final long maxParkNs)
    {
        return new DriverIdle(
            "backoff", String.format(Locale.ROOT, "%d-%d-%d-%d", spins, yields, minParkNs, maxParkNs));
    }

    /**
     * Name in the C driver of a strategy that an Aeron key sets for the Java driver, by class or alias.
     *
     * @throws InvalidSettingException if the C driver has no equivalent.
     */
    static String nameOf(final String key, final String value)
    {
        final String simpleName = value.substring(value.lastIndexOf('.') + 1);
        final String name = BY_CLASS.getOrDefault(simpleName, value);
        InvalidSettingException.throwIf(
            !BY_CLASS.containsValue(name), key, value,
            "with the C driver: spin, yield, sleep-ns, backoff or noop, or Agrona's class of one of them");

        return name;
    }
}

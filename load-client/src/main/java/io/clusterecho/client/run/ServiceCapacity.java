package io.clusterecho.client.run;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.service.ServiceTime;

/** What the members' service can process at most, if it works on each message for a configured time. */
final class ServiceCapacity
{
    private ServiceCapacity()
    {
    }

    /** A warning if the service is offered as much as it can do: the response time then grows for as long as the load lasts. */
    static Optional<String> warning(final Map<String, String> settings, final long ratePerSecond)
    {
        final String key = NodeSettings.SERVICE_TIME.key();
        final String text = settings.getOrDefault(key, ServiceTime.NONE);
        final double offered = ServiceTime.of(text).meanNs() * ratePerSecond / 1e9;
        return offered < 1 ? Optional.empty() : Optional.of(String.format(
            Locale.ROOT,
            "the members' service cannot keep up: with %s=%s it processes at most %,.0f messages/s, and the load of %,d/s " +
            "needs %.0f%% of its time",
            key, text, ratePerSecond / offered, ratePerSecond, 100 * offered));
    }
}

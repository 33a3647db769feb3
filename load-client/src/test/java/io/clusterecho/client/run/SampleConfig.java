package io.clusterecho.client.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.clusterecho.client.calibration.Baselines;
import io.clusterecho.client.load.Delivery;
import io.clusterecho.client.load.Idle;
import io.clusterecho.client.schedule.ConstantRate;
import io.clusterecho.client.transport.cluster.SessionRecovery;

/** A configuration made without a command line. */
public final class SampleConfig
{
    private static final long MS = 1_000_000L;

    private SampleConfig()
    {
    }

    /**
     * 1,000 messages/s without a warm-up, in intervals of 100 ms.
     *
     * @param transport name.
     * @param output    folder of results.
     */
    public static RunConfig of(final String transport, final Path output)
    {
        return new RunConfig(
            new LoadConfig(
            new ConstantRate(1_000), MixConfig.ofLength(64), 0, 1_000 * MS, 1_000 * MS, 1, 1, LoadConfig.Arrivals.constant, 1,
            Delivery.AT_MOST_ONCE, false, EndRules.NONE),
            new TargetConfig(
                transport, List.of(), null, null, output.resolve("no-cluster"), null, null, null, null, 1, null,
                SessionRecovery.PROBE, null, null, 0, 0, 0, TargetConfig.Beside.NONE),
            new ThreadConfig(ThreadConfig.Profile.auto, Idle.sleep, ThreadConfig.AUTO, ThreadConfig.Compilation.auto,
                ThreadConfig.AUTO),
            DriverConfig.of("java"),
            new ClientsConfig(1, false, List.of(), MS), List.of(), RunConfig.DEFAULT_LABEL, output, 100 * MS,
            Baselines.below(Path.of("/nonexistent"), (warning) -> { }),
            new OptionTexts(new TreeMap<>(Map.of("transport", List.of(transport))), Set.of()), "java -jar load-client.jar");
    }
}

package io.clusterecho.client.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.clusterecho.client.calibration.Calibrations;

/** A configuration made without a command line. */
public final class SampleConfig
{
    private SampleConfig()
    {
    }

    /**
     * 1,000 messages/s without a warm-up, in intervals of 100 ms.
     *
     * @param transport name.
     * @param output    folder of results.
     * @param others    further options, which win.
     */
    public static RunConfig of(final String transport, final Path output, final String... others)
    {
        final List<String> arguments = new ArrayList<>(List.of(
            "--transport=" + transport, "--output=" + output, "--base-dir=" + output.resolve("no-cluster"), "--rate=1000",
            "--size=64", "--warm-up=0s", "--drain-timeout=1s", "--late-after=1s", "--idle=sleep", "--interval=100ms",
            "--connect-timeout=1ns", "--client-timeout=1ms", "--memory-delay=0s", "--duty-cycle-interval=0us"));
        arguments.addAll(List.of(others));
        return RunConfig.parse(arguments)
            .with("calibrations", Calibrations.below(Path.of("/nonexistent"), (warning) -> { }));
    }
}

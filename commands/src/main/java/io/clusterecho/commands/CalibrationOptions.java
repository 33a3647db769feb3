package io.clusterecho.commands;

import io.clusterecho.control.command.OptionGroup;

import picocli.CommandLine.Option;

/** Delay and stall of the transport in memory, against which the client itself can be checked. */
@OptionGroup(OptionGroup.Heading.CALIBRATION)
final class CalibrationOptions
{
    @Option(names = "--memory-delay", paramLabel = "TIME", defaultValue = "100us", converter = Converters.Duration.class,
        description = "Delay of --transport memory. Default: ${DEFAULT-VALUE}.")
    long delayNs;

    @Option(names = "--memory-stall", paramLabel = "TIME@TIME", defaultValue = "0s@0s", converter = Converters.Stall.class,
        description = "Stall of --transport memory: 1s@5s stalls for 1 s, 5 s after the start. Default: none.")
    Converters.StallSpan stall;
}

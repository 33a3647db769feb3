package io.clusterecho.commands;

import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.settings.Quantity;

import picocli.CommandLine.Option;

/** Delay and stall of the transport in memory, against which the client itself can be checked. */
@OptionGroup(OptionGroup.Heading.CALIBRATION)
final class CalibrationOptions
{
    /** When the echo stalls, and for how long; both in ns after the start. */
    record Stall(long lengthNs, long beginNs)
    {
        static Stall parse(final String text)
        {
            final String[] parts = text.split("@");
            if (2 != parts.length)
            {
                throw new IllegalArgumentException("a length and a begin, such as 1s@5s");
            }

            return new Stall(Quantity.parseDurationNs(parts[0]), Quantity.parseDurationNs(parts[1]));
        }

        @Override
        public String toString()
        {
            return lengthNs + "ns@" + beginNs + "ns";
        }
    }

    @Option(names = "--memory-delay", paramLabel = "TIME", defaultValue = "100us", converter = Converters.Duration.class,
        description = "Delay of --transport memory. Default: ${DEFAULT-VALUE}.")
    long delayNs;

    @Option(names = "--memory-stall", paramLabel = "TIME@TIME", defaultValue = "0s@0s",
        description = "Stall of --transport memory: 1s@5s stalls for 1 s, 5 s after the start. Default: none.")
    Stall stall;
}

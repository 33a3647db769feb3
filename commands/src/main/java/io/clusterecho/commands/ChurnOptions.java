package io.clusterecho.commands;

import io.clusterecho.client.run.ChurnConfig;
import io.clusterecho.client.run.LoadConfig;
import io.clusterecho.control.command.OptionGroup;

import picocli.CommandLine.Option;

/** Sessions that come and go beside the load. */
@OptionGroup(OptionGroup.Heading.LOAD)
final class ChurnOptions
{
    private static final int TURNS = 4;

    @Option(names = ChurnConfig.RATE, paramLabel = "N", converter = Converters.Rate.class,
        description = "Open this many additional sessions per second, 1 to 1000, in the second and the fourth quarter of the " +
        "measured window; each sends a message, receives the reply and closes. Default: none.")
    private Long ratePerSecond;

    /**
     * What was asked for.
     *
     * @param load       beside which the sessions come and go.
     * @throws io.clusterecho.settings.InvalidSettingException that names option, value and what is allowed.
     */
    ChurnConfig config(final LoadConfig load, final long durationNs)
    {
        if (null == ratePerSecond)
        {
            return ChurnConfig.NONE;
        }

        load.checkFixedWarmUp(ChurnConfig.RATE);
        return new ChurnConfig(ratePerSecond, durationNs / TURNS);
    }

    boolean isGiven()
    {
        return null != ratePerSecond;
    }
}

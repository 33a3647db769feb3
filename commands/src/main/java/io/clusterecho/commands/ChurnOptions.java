package io.clusterecho.commands;

import io.clusterecho.client.run.ChurnConfig;
import io.clusterecho.client.run.LoadConfig;
import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Option;

/**
 * Sessions that come and go beside the load.
 */
@OptionGroup(OptionGroup.Heading.LOAD)
final class ChurnOptions
{
    private static final int TURNS = 4;
    private static final long MIN_TURN_NS = 1_000_000L;

    @Option(names = ChurnConfig.RATE, paramLabel = "N", converter = Converters.Rate.class,
        description = "Open this many additional sessions per second during the measured window, 1 to 1000, besides those of " +
        "the load; each sends its messages, receives the replies and closes. Default: none.")
    private Long ratePerSecond;

    @Option(names = "--churn-vanish", paramLabel = "SHARE", defaultValue = "0%", converter = Converters.Share.class,
        description = "Share of these sessions that fall silent without closing, such as 10%%, so that the cluster must time " +
        "them out. Default: none.")
    private double vanishShare;

    @Option(names = "--churn-messages", paramLabel = "N", defaultValue = "1", converter = Converters.PositiveInt.class,
        description = "Messages of each of these sessions, 1 to 1000, each after the reply to the one before. " +
        "Default: ${DEFAULT-VALUE}.")
    private int messageCount;

    @Option(names = "--churn-turn", paramLabel = "TIME", converter = Converters.Duration.class,
        description = "Alternate periods of this length without and with these sessions, to compare response times; " +
        "0s: with them for the whole measured window. Default: a quarter of --duration.")
    private Long turnNs;

    /**
     * What was asked for.
     *
     * @param load       beside which the sessions come and go.
     * @throws InvalidSettingException that names option, value and what is allowed.
     */
    ChurnConfig config(final LoadConfig load, final long durationNs)
    {
        if (null == ratePerSecond)
        {
            if (vanishShare > 0 || messageCount > 1 || null != turnNs)
            {
                throw new InvalidSettingException(
                    vanishShare > 0 ? "--churn-vanish" : messageCount > 1 ? "--churn-messages" : "--churn-turn",
                    vanishShare > 0 ? vanishShare : messageCount > 1 ? messageCount : turnNs + "ns",
                    "given only with " + ChurnConfig.RATE);
            }
            return ChurnConfig.NONE;
        }
        if (null != turnNs && (turnNs > 0 && turnNs < MIN_TURN_NS || turnNs >= durationNs))
        {
            throw new InvalidSettingException("--churn-turn", turnNs + "ns", "0, or at least 1ms and less than --duration");
        }

        load.checkFixedWarmUp(ChurnConfig.RATE);
        return new ChurnConfig(ratePerSecond, vanishShare, messageCount, null == turnNs ? durationNs / TURNS : turnNs);
    }

    /**
     * Whether there are to be any.
     */
    boolean isGiven()
    {
        return null != ratePerSecond;
    }
}

package io.clusterecho.commands;

import java.util.List;
import java.util.concurrent.Callable;

import io.clusterecho.client.pingpong.PingPongExecution;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A closed loop: a fixed number of messages under way.
 */
@Command(
    name = "ping-pong",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Keeps a number of messages under way: each reply sends the next.",
    description = {
        "",
        "Shows the round trip when nobody waits in line, and the rate that a number of callers reaches. Unlike a run at a " +
        "fixed rate it charges a stall to the messages under way only. Options of the schedule are refused.",
        "" },
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
        " 0:good", " 1:internal error", " 2:usage", " 3:not connected",
        " 4:messages lost or damaged, no replies any more, or a result that is not whole",
        "130:interrupted" })
public final class PingPongCommand implements Callable<Integer>
{
    private static final List<String> OF_A_SCHEDULE = List.of(
        "--rate", "--batch", "--arrivals", "--seed", "--warm-up", "--drain-timeout", "--late-after", "--delivery",
        "--resend-after", "--unacknowledged", "--at-bound", "--interval", "--assert");

    @Spec
    private CommandSpec spec;

    @Mixin
    private LoadOptions options;

    @Option(names = "--concurrency", paramLabel = "N", defaultValue = "1", converter = Converters.PositiveInt.class,
        description = "Messages under way at once over all sessions. Default: ${DEFAULT-VALUE}.")
    private int concurrency;

    @Option(names = "--count", paramLabel = "N", defaultValue = "1M", converter = Converters.Rate.class,
        description = "Round trips to measure, as 10k or 1M. Default: ${DEFAULT-VALUE}.")
    private long count;

    @Option(names = "--warm-up-count", paramLabel = "N", defaultValue = "100k", converter = Converters.Rate.class,
        description = "Round trips before them. Default: ${DEFAULT-VALUE}.")
    private long warmUpCount;

    @Option(names = "--time-limit", paramLabel = "TIME", defaultValue = "10m", converter = Converters.Duration.class,
        description = "Time after which the warm-up ends, and the measured part too, with what it has. " +
        "Default: ${DEFAULT-VALUE}.")
    private long timeLimitNs;

    @Option(names = "--json", description = "Print the result as one JSON document.")
    private boolean isJson;

    PingPongCommand()
    {
    }

    @Override
    public Integer call()
    {
        for (final String option : OF_A_SCHEDULE)
        {
            if (spec.commandLine().getParseResult().hasMatchedOption(option))
            {
                throw new InvalidSettingException(option, "given", "not given: a closed loop has no schedule");
            }
        }
        final RunConfig config = options.config(spec);
        if (config.load().isStaged())
        {
            throw new InvalidSettingException("--stages", true, "not given: a closed loop measures round trips only");
        }
        config.clients().checkAlone("ping-pong");
        final int sessionCount = config.load().sessionCount();
        if (concurrency < sessionCount)
        {
            throw new InvalidSettingException("--concurrency", concurrency, "at least --connections=" + sessionCount);
        }

        final PingPongExecution.Ended ended =
            new PingPongExecution(config, concurrency, warmUpCount, count, timeLimitNs).execute();
        System.out.print(isJson ? ended.json() : ended.text());
        System.out.flush();
        return ended.verdict().exitStatus();
    }
}

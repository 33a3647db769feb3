package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.series.CalibrationSeries;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The load client measured against known truth. */
@Command(
    name = "calibrate",
    mixinStandardHelpOptions = true,
    header = "Measure the error of this client.",
    description = {
        "",
        "The client of a run measures an echo in memory whose delay and stall are known, so that each percentile can be " +
        "compared with the true one. Also measures the clock and the client's ceiling. Later results on this machine name the " +
        "calibration. Needs no cluster." },
    exitCodeList = {
        "  0:GOOD",
        "  1:internal error",
        "  2:usage: the message names the option, its value and what is allowed",
        "  4:messages without a reply, rate missed, a time below the truth, or result incomplete",
        "130:interrupted; what was measured is kept" })
@CommandHelp(
    examples = {
        "load-client calibrate",
        "load-client calibrate --rates 10k,500k --delay 50us --duration 1m" })
public final class CalibrateCommand implements Callable<Integer>
{
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long MAX_MESSAGES = 50_000_000L;
    private static final int MAX_LENGTH = 2048;
    private static final int MIN_MESSAGES = 100;
    private static final int MAX_IN_FLIGHT = 1 << 15;

    @Spec
    private CommandSpec spec;

    @Option(names = { "--size", "-s" }, paramLabel = "BYTES", defaultValue = "288", converter = Converters.Size.class,
        description = "Length of a message, 32 to 2048. Default: ${DEFAULT-VALUE}.")
    private long lengthBytes;

    @Option(names = "--rates", paramLabel = "N,N", split = ",", defaultValue = "1k,10k,100k", converter = Converters.Rate.class,
        description = "Messages per second, one measurement after the other. Default: ${DEFAULT-VALUE}.")
    private List<Long> ratesPerSecond;

    @Option(names = "--idle", paramLabel = "STRATEGY", defaultValue = "auto",
        description = "Idle strategy of the agent's thread: ${COMPLETION-CANDIDATES}. Default: ${DEFAULT-VALUE}, that of a run.")
    private Idle idle;

    @Option(names = "--delay", paramLabel = "TIME", defaultValue = "100us", converter = Converters.Duration.class,
        description = "Delay of the echo. Default: ${DEFAULT-VALUE}.")
    private long delayNs;

    @Option(names = { "--duration", "-d" }, paramLabel = "TIME", defaultValue = "20s", converter = Converters.Duration.class,
        description = "Total length, at least 1s: 5%% for the clock, 5%% for the ceiling, the rest for two echoes at each " +
        "rate, without and with a stall (a quarter of that warm-up). Default: ${DEFAULT-VALUE}.")
    private long durationNs;

    @Option(names = "--label", paramLabel = "TEXT", defaultValue = "calibration", converter = Converters.Label.class,
        description = "Name of the result. Default: ${DEFAULT-VALUE}.")
    private String label;

    @Option(names = { "--output", "-o" }, paramLabel = "DIR", defaultValue = "results", converter = Converters.OutputFolder.class,
        description = "Folder for result folders. Default: ${DEFAULT-VALUE}.")
    private Path output;

    @Mixin
    private PrintOptions print;

    @Override
    public Integer call()
    {
        final CalibrationSeries.Plan plan = new CalibrationSeries.Plan(
            (int)lengthBytes, ratesPerSecond.stream().distinct().toList(), idle, delayNs, durationNs, output, label,
            TypedCommand.of(spec), configuration());
        check(plan);
        final CalibrationSeries.Ended ended = new CalibrationSeries(plan, print::progress).execute();
        print.result(ended.json(), ended.text(), List.of());
        return ended.verdict().exitStatus();
    }

    private void check(final CalibrationSeries.Plan plan)
    {
        InvalidSettingException.throwIf(
            lengthBytes < EchoMessage.MIN_LENGTH || lengthBytes > MAX_LENGTH, "--size", lengthBytes,
            EchoMessage.MIN_LENGTH + " to " + MAX_LENGTH + " bytes");
        InvalidSettingException.throwIf(durationNs < NS_PER_SECOND, "--duration", durationNs + "ns", "at least 1s");
        for (final long ratePerSecond : ratesPerSecond)
        {
            final double messages = plan.echoNs() / 1e9 * ratePerSecond;
            InvalidSettingException.throwIf(
                ratePerSecond < 1 || messages < MIN_MESSAGES || messages > MAX_MESSAGES, "--rates", ratePerSecond,
                String.format(Locale.ROOT, "%,d to %,d messages in each echo of %.1f s", MIN_MESSAGES, MAX_MESSAGES,
                plan.echoNs() / 1e9));
            InvalidSettingException.throwIf(
                delayNs < 1 || delayNs / 1e9 * ratePerSecond > MAX_IN_FLIGHT, "--delay", delayNs + "ns",
                "more than 0 and at most " + MAX_IN_FLIGHT + " messages in flight at each rate");
        }
    }

    private Map<String, String> configuration()
    {
        final Map<String, String> values = LoadOptions.texts(spec).recorded();
        values.keySet().retainAll(Set.of("size", "rates", "delay", "duration", "output"));
        values.put("idle", idle.strategyName());
        return values;
    }
}

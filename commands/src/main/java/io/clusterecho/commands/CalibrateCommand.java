package io.clusterecho.commands;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.series.CalibrationSeries;
import io.clusterecho.client.series.CalibrationSeries.Part;
import io.clusterecho.client.transport.udp.UdpTransport;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.text.Lines;

import picocli.CommandLine.Command;

/** What client and machine do by themselves. */
@Command(
    name = "calibrate",
    header = "Measure the error of this client, and this machine alone.",
    description = {
        "",
        "Client: an echo in memory whose delay and stall are known, so that each percentile can be compared with the true " +
        "one. Machine: datagrams to another process and back at a fixed rate, with spinning threads and with the idle " +
        "strategy of a run; syncs of the disk that holds the members' logs. Later results on this machine name the error, " +
        "and print their median as a multiple of the floor that follows from the machine. Needs no cluster and no root." },
    exitCodeList = {
        "  0:GOOD",
        "  1:internal error",
        "  2:usage: the message names the option, its value and what is allowed",
        "  3:the echo process cannot be started",
        "  4:messages lost or corrupt, rate missed, a time below the truth, or result incomplete",
        "130:interrupted; what was measured is kept" })
@CommandHelp(
    examples = {
        "load-client calibrate",
        "load-client calibrate --only client --rates 10k,500k --delay 50us --duration 1m",
        "load-client calibrate --only machine --dir /data/cluster --duration 1m" },
    declared = CalibrationSeries.Plan.class,
    without = ".*")
final class CalibrateCommand extends LoadCommand
{
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final long MAX_ECHO_MESSAGES = 50_000_000L;
    private static final long MAX_DATAGRAMS = 200_000_000L;
    private static final int MAX_LENGTH = 2048;
    private static final int MIN_MESSAGES = 100;
    private static final int MIN_RATE = 10;
    private static final int MAX_IN_FLIGHT = 1 << 15;
    private static final Set<String> OF_CLIENT = Set.of("rates", "delay");
    private static final Set<String> OF_MACHINE = Set.of("rate", "dir");

    @Override
    public Integer call()
    {
        final CalibrationSeries.Plan plan = options.read(
            CalibrationSeries.Plan.class, Map.of("commandLine", Options.typed(spec), "configuration", configuration()));
        check(plan);
        return print.result(new CalibrationSeries(plan, print::progress).execute());
    }

    private void check(final CalibrationSeries.Plan plan)
    {
        final int maxLength = plan.has(Part.client) ? MAX_LENGTH : UdpTransport.MAX_LENGTH;
        InvalidSettingException.throwIf(
            plan.lengthBytes() < EchoMessage.MIN_LENGTH || plan.lengthBytes() > maxLength, "--size", plan.lengthBytes(),
            EchoMessage.MIN_LENGTH + " to " + maxLength + " bytes");
        InvalidSettingException.throwIf(
            plan.durationNs() < NS_PER_SECOND, "--duration", plan.durationNs() + "ns", "at least 1s");
        checkApplies(plan, Part.client, OF_CLIENT);
        checkApplies(plan, Part.machine, OF_MACHINE);
        if (plan.has(Part.client))
        {
            plan.ratesPerSecond().forEach((rate) -> checkEcho(rate, plan.echoNs() / 1e9, plan.delayNs()));
        }
        if (plan.has(Part.machine))
        {
            final long ratePerSecond = plan.ratePerSecond();
            InvalidSettingException.throwIf(ratePerSecond < MIN_RATE, "--rate", ratePerSecond, "at least " + MIN_RATE);
            InvalidSettingException.throwIf(
                plan.durationNs() / 1e9 * ratePerSecond > MAX_DATAGRAMS, "--duration", plan.durationNs() + "ns",
                "at most " + MAX_DATAGRAMS / ratePerSecond + "s at --rate " + ratePerSecond);
            plan.place();
        }
    }

    private void checkApplies(final CalibrationSeries.Plan plan, final Part part, final Set<String> names)
    {
        names.forEach((name) -> InvalidSettingException.throwIf(
            !plan.has(part) && spec.commandLine().getParseResult().hasMatchedOption("--" + name), "--" + name, "given",
            "not given with --only " + plan.only()));
    }

    private static void checkEcho(final long ratePerSecond, final double echoS, final long delayNs)
    {
        final double messages = echoS * ratePerSecond;
        InvalidSettingException.throwIf(
            ratePerSecond < 1 || messages < MIN_MESSAGES || messages > MAX_ECHO_MESSAGES, "--rates", ratePerSecond,
            Lines.text("%,d to %,d messages in each echo of %.1f s", MIN_MESSAGES, MAX_ECHO_MESSAGES, echoS));
        InvalidSettingException.throwIf(
            delayNs < 1 || delayNs / 1e9 * ratePerSecond > MAX_IN_FLIGHT, "--delay", delayNs + "ns",
            "more than 0 and at most " + MAX_IN_FLIGHT + " messages in flight at each rate");
    }

    private Map<String, String> configuration()
    {
        final Map<String, String> values = Options.texts(spec.options());
        final Part only = spec.findOption("--only").getValue();
        final Idle idle = spec.findOption("--idle").getValue();
        final Set<String> names = new HashSet<>(Set.of("size", "duration", "output"));
        names.addAll(Part.machine == only ? Set.of() : OF_CLIENT);
        names.addAll(Part.client == only ? Set.of() : OF_MACHINE);
        values.keySet().retainAll(names);
        values.put("idle", idle.strategyName());
        return values;
    }
}

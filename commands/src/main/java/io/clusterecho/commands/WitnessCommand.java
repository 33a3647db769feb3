package io.clusterecho.commands;

import java.util.List;
import java.util.concurrent.Callable;

import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.TransportNames;
import io.clusterecho.client.witness.WitnessExecution;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The client's times compared with a packet capture.
 */
@Command(
    name = "witness",
    mixinStandardHelpOptions = true,
    header = "Compare the service time of each message with a packet capture.",
    description = {
        "",
        "Measures a short load while tcpdump captures its datagrams, and compares the time from request to reply on the wire " +
        "with the service time that the client reports, message by message. The difference was spent in the client. Needs " +
        "tcpdump and permission to capture." },
    exitCodeList = {
        "  0:GOOD",
        "  1:internal error",
        "  2:usage, or no capture: the message says why",
        "  3:no session with the cluster",
        "  4:messages lost, too few of them captured, a time below that on the wire, or result incomplete",
        "130:interrupted; what was measured is kept" })
@CommandHelp(
    examples = {
        "load-client witness --rate 2k",
        "load-client witness --interface lo --duration 10s --keep-capture" },
    mostUsed = {
        "--rate", "--size", "--duration", "--warm-up", "--interface", "--keep-capture", "--label", "--output", "--json" },
    refused = { "--assert", "--clients", "--client-command", "--client-timeout" })
public final class WitnessCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Mixin
    private LoadOptions options;

    @Option(names = { "--duration", "-d" }, paramLabel = "TIME", defaultValue = "5s", converter = Converters.Duration.class,
        description = "Length of the measured window. Default: ${DEFAULT-VALUE}.")
    private long durationNs;

    @Option(names = "--interface", paramLabel = "NAME", defaultValue = "any",
        description = "Network interface to capture, such as lo. Default: ${DEFAULT-VALUE}.")
    private String interfaceName;

    @Option(names = "--keep-capture", description = "Leave the capture in the result folder, as capture.pcap.")
    private boolean isCaptureKept;

    @Mixin
    private PrintOptions print;

    WitnessCommand()
    {
    }

    @Override
    public Integer call()
    {
        final RunConfig config = options.config(spec);
        if (!TransportNames.isCluster(config.target().transport()))
        {
            throw new InvalidSettingException(
                "--transport", config.target().transport(), "cluster: only its datagrams are understood");
        }
        if (!config.thresholds().isEmpty())
        {
            throw new InvalidSettingException("--assert", "given", "a comparison with a capture has no conditions");
        }
        if (interfaceName.isEmpty() || interfaceName.startsWith("-"))
        {
            throw new InvalidSettingException("--interface", interfaceName, "the name of a network interface, or any");
        }
        config.clients().checkAlone("witness");
        config.load().checkMemory(durationNs);
        final WitnessExecution.Ended ended = new WitnessExecution(
            config.withResult(config.label("witness"), config.output()), durationNs, interfaceName, isCaptureKept,
            print::progress).execute();
        print.result(ended.json(), ended.text(), List.of());
        return ended.verdict().exitStatus();
    }
}

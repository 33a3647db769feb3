package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.concurrent.Callable;

import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.control.member.NodeJar;
import io.clusterecho.process.JavaCommand;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The life of a cluster, compressed: faults, purges, a backup and a rollout during one load.
 */
@Command(
    name = "life",
    mixinStandardHelpOptions = true,
    header = "Run a cluster with a backup within a fixed amount of disk: purges, faults, a wiped member and a rollout under " +
        "one load.",
    description = {
        "",
        "Uses the cluster with a backup that runs in --cluster-dir, or starts one there and stops it afterwards. All members " +
        "take a snapshot and purge their log at --retain-every. At fixed fractions of --for, the leader is killed (1/8), a " +
        "follower is killed (1/4), all members are restarted from --to one after the other, as in rollout (2/5), a follower " +
        "is wiped and healed (5/8), and the leader is killed again (3/4). The disk use is measured all the time. At the end " +
        "the logs of all members are audited as far as they reach." },
    exitCodeList = {
        "  0:all happened and recovered within the disk, and nothing acknowledged was lost",
        "  1:internal error",
        "  2:usage: the message names the option, its value and what is allowed",
        "  3:no cluster, or no session with it",
        "  4:a cycle did not recover, the disk was exceeded, the audit has findings, or the client stalled",
        " 99:a condition of --assert failed",
        "130:interrupted; what was measured is kept" })
@CommandHelp(
    examples = {
        "load-client life --config config/life.properties",
        "load-client life --for 10m --rate 5k --delivery exactly-once --disk 3g --retain-every 1m" },
    mostUsed = {
        "--for", "--disk", "--retain-every", "--to", "--rate", "--size", "--timeouts", "--delivery", "--label", "--output",
        "--json" },
    refused = {
        "--endpoints", "--transport", "--transport-set", "--memory-delay", "--memory-stall", "--clients",
        "--client-command", "--client-timeout", "--inventory", "--fault-script", "--allow-disk-faults", "--return-after",
        "--snapshot" })
public final class LifeCommand implements Callable<Integer>
{
    private static final long MIN_DURATION_NS = 60_000_000_000L;
    private static final long MIN_RETAIN_NS = 1_000_000_000L;

    @Mixin
    private FaultOptions options;

    @Option(names = "--for", paramLabel = "TIME", defaultValue = "2h", converter = Converters.Duration.class,
        description = "Length of the load after the warm-up, at least 1m. Default: ${DEFAULT-VALUE}.")
    private long durationNs;

    @Option(names = "--disk", paramLabel = "SIZE", defaultValue = "4g", converter = Converters.Size.class,
        description = "Maximum disk use of all members and the backup together. Default: ${DEFAULT-VALUE}.")
    private long diskBytes;

    @Option(names = "--retain-every", paramLabel = "TIME", defaultValue = "90s", converter = Converters.Duration.class,
        description = "Interval of snapshots and purges, at least 1s and at most a quarter of --for. Default: " +
        "${DEFAULT-VALUE}.")
    private long retainEveryNs;

    @Option(names = "--from", paramLabel = "JAR",
        description = "The cluster-node.jar that all members run at the beginning. Default: that beside this program.")
    private Path from;

    @Option(names = "--to", paramLabel = "JAR",
        description = "The cluster-node.jar that replaces it. Default: the same, so that members are only restarted.")
    private Path to;

    LifeCommand()
    {
    }

    @Override
    public Integer call()
    {
        if (durationNs < MIN_DURATION_NS)
        {
            throw new InvalidSettingException("--for", Quantity.formatNs(durationNs), "at least 1m");
        }
        if (retainEveryNs < MIN_RETAIN_NS || retainEveryNs > durationNs / 4)
        {
            throw new InvalidSettingException(
                "--retain-every", Quantity.formatNs(retainEveryNs), "1s to a quarter of --for, so that it happens several times");
        }
        final Path built = JavaCommand.placeOf(LifeCommand.class).resolveSibling("cluster-node.jar");
        final NodeJar fromJar = NodeJar.read("--from", null == from ? built : from);
        final NodeJar toJar = null == to ? fromJar : NodeJar.read("--to", to);
        return options.live(fromJar, toJar, durationNs, retainEveryNs, diskBytes);
    }
}

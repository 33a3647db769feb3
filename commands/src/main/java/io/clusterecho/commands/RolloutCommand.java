package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.series.TestCluster;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.MemberVersion;
import io.clusterecho.control.member.NodeJar;
import io.clusterecho.failover.lab.FailoverPlan;
import io.clusterecho.failover.lab.FaultSpec;
import io.clusterecho.failover.lab.Rollout;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Another version on all members of a cluster, one after the other, under load. */
@Command(
    name = "rollout",
    header = "Replace the version of all members under load.",
    description = {
        "",
        "Uses the cluster of version --from that runs in --base-dir, or starts one there and stops it afterwards. Each " +
        "member takes a snapshot, is stopped in an orderly way (SIGTERM) and started from the jar --to, once the others " +
        "serve without it: the followers first, the leader last. The next follows when it has caught up and the backlog is " +
        "gone. A step that fails ends the rollout; the other members keep running. At the end the logs of all members are " +
        "audited." },
    exitCodeList = {
        "  0:all members run the new version, and nothing acknowledged was lost",
        "  1:internal error",
        "  2:usage: the message names the option, its value and what is allowed",
        "  3:no cluster, or no session with it",
        "  4:a step failed, the audit has findings, or the client stalled: the result names the reasons",
        " 99:a condition of --assert failed",
        "130:interrupted; what was measured is kept" })
@CommandHelp(
    examples = {
        "load-client rollout --from cluster-node.jar --to new/cluster-node.jar",
        "load-client rollout --from old/cluster-node.jar --to cluster-node.jar --and-back --rate 5k" },
    mostUsed = {
        "--from", "--to", "--and-back", "--rate", "--size", "--timeouts", "--delivery", "--label", "--output", "--json" },
    without = "--inventory")
public final class RolloutCommand extends FaultCommand
{
    @Option(names = "--from", paramLabel = "JAR", required = true,
        description = "The cluster-node.jar that all members run at the beginning.")
    private Path from;

    @Option(names = "--to", paramLabel = "JAR", required = true, description = "The cluster-node.jar that replaces it.")
    private Path to;

    @Option(names = "--and-back", description = "Return to --from afterwards, in the same way.")
    private boolean isAndBack;

    @Override
    public Integer call()
    {
        final NodeJar fromJar = NodeJar.read("--from", from);
        final NodeJar toJar = NodeJar.read("--to", to);
        InvalidSettingException.throwIf(fromJar.path().equals(toJar.path()), "--to", to, "another jar than --from");

        final RunConfig config = checkedConfig();
        final List<FaultSpec> specs = List.of(FaultSpec.parse("term"));
        final TestCluster cluster = TestCluster.runningOrOwn(
            config.target().clusterDir(), null, fromJar.path(), () -> settings(config, specs), print::progress);
        final Rollout.Plan rollout = new Rollout.Plan(fromJar, toJar, cluster.cluster().members().size(), isAndBack);
        final long longestNs = rollout.stepCount() * pace().cycleNs();
        config.load().checkMemory(longestNs);
        checkRunning(config, cluster, specs);
        final int memberCount = cluster.cluster().members().size();
        InvalidSettingException.throwIf(
            memberCount < 3, NodeSettings.HOSTS.key(), memberCount + " members",
            "3 or more: fewer do not serve without one of them");
        if (!cluster.isOwn())
        {
            checkVersions(cluster, fromJar);
        }
        return test(config, FailoverPlan.of(rollout, pace().gapNs(), pace().limitNs()), cluster, longestNs, () -> {});
    }

    private static void checkVersions(final TestCluster cluster, final NodeJar from)
    {
        for (final ClusterMember member : cluster.cluster().members())
        {
            final Optional<MemberVersion> running = MemberVersion.of(member);
            InvalidSettingException.throwIf(
                running.isEmpty() || !running.get().equals(from.version()), "--from", from.path(),
                "the jar that the running members were started from: member " + member.memberId() + " runs " +
                running.map(MemberVersion::text).orElse("an unknown version") + ", the jar is " + from.version().text());
        }
    }
}

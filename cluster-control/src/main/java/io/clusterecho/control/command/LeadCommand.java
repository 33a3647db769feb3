package io.clusterecho.control.command;

import java.nio.file.Path;
import java.util.concurrent.Callable;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.cluster.LeaderMove;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.HostConnections;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Moves the lead of a running cluster to a member.
 */
@Command(
    name = "lead",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Move the lead of a running cluster to a member.",
    description = {
        "",
        "Stops the leader in an orderly way, so that the others elect one of themselves at once, and starts it again as a " +
        "follower. In that election the member nominates itself first. Clients see the outage of one election. All members " +
        "must run; see docs/LIFE.md." },
    exitCodeList = {
        "  0:the member leads, or led already",
        "  2:invalid option",
        "  3:a member does not run, or another one leads" })
@CommandHelp(examples = {
        "cluster-node lead --member-id 1" })
public final class LeadCommand implements Callable<Integer>
{
    private static final int MAX_ATTEMPTS = 100;

    @Mixin
    private BaseDirOption base;

    @Option(names = "--member-id", paramLabel = "N", required = true, description = "Member that is to lead.")
    private int memberId;

    @Option(
        names = "--attempts", paramLabel = "N", defaultValue = "3",
        description = "Maximum number of elections: another member is elected if its log is longer (default: ${DEFAULT-VALUE}).")
    private int attempts;

    @Option(
        names = "--jvm-options", paramLabel = "FILE",
        description = "JVM flags of the member that is started again (default: config/jvm/node.options beside the jar).")
    private Path jvmOptions;

    @Option(
        names = "--deadline", paramLabel = "TIME", defaultValue = "60s",
        description = "Time for all of it (default: ${DEFAULT-VALUE}).")
    private String deadline;

    @Override
    public Integer call()
    {
        if (attempts < 1 || attempts > MAX_ATTEMPTS)
        {
            throw new InvalidSettingException("--attempts", attempts, "a whole number from 1 to " + MAX_ATTEMPTS);
        }
        final Deadline end = Deadline.parse("--deadline", deadline);
        final Cluster cluster = base.requireCluster(MemberLauncher.ofThisJar(jvmOptions));
        final int memberCount = cluster.members().size();
        if (memberId < 0 || memberId >= memberCount)
        {
            throw new InvalidSettingException("--member-id", memberId, "a member id from 0 to " + (memberCount - 1));
        }
        HostConnections.make(cluster.hosts());
        final LeaderMove.Moved moved = LeaderMove.move(cluster, memberId, attempts, end, System.out::println);
        System.out.println("Member " + memberId + (0 == moved.stops() ? " leads already." :
            " leads, after " + moved.stops() + (1 == moved.stops() ? " election." : " elections.")));
        return ControlFailure.DONE;
    }
}

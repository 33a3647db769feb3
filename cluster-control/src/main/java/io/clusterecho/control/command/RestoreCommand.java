package io.clusterecho.control.command;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.cluster.Healing;
import io.clusterecho.control.cluster.Restoration;
import io.clusterecho.control.member.Backup;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.node.member.MemberSeed;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Gives members the data of the backup. */
@Command(
    name = "restore",
    mixinStandardHelpOptions = true,
    header = "Give one member, or all, the data of the backup.",
    description = {
        "",
        "--all is for members that have all lost their data: they start with the newest snapshot and the log of the backup, " +
        "and what was committed after its end is lost. Refused while a member runs or has a log. --member-id is heal with the " +
        "backup as the source: the leader sends only what the backup lacks." },
    exitCodeList = {
        "  0:the member or the cluster serves again",
        "  2:invalid option, not confirmed, no backup, or refused because a member may have more than the backup",
        "  3:refused, or not served in time",
        "  4:a majority serves, but not all members, or not the backup" })
@CommandHelp(examples = {
        "cluster-node restore --all",
        "cluster-node restore --member-id 1 --yes" })
public final class RestoreCommand implements Callable<Integer>
{
    @Mixin
    private BaseDirOption base;

    @Option(names = "--all", description = "All members.")
    private boolean isAll;

    @Option(names = "--member-id", paramLabel = "N", description = "One member, while the others serve.")
    private Integer memberId;

    @Option(
        names = "--aside",
        description = "With --all: move logs that members still have to damaged-TIME in their folders, and give them up.")
    private boolean isSettingAside;

    @Option(names = "--yes", description = "Do not ask for confirmation.")
    private boolean isConfirmed;

    @Option(
        names = "--deadline", paramLabel = "TIME", defaultValue = "10m",
        description = "Time to copy and to start (default: ${DEFAULT-VALUE}).")
    private String deadline;

    @Override
    public Integer call()
    {
        // Rejected before the question, and counted from the answer.
        Deadline.parse("--deadline", deadline);
        InvalidSettingException.throwIf(
            isAll == (null != memberId), isAll ? "set --all or --member-id, not both" : "set --all or --member-id N");
        InvalidSettingException.throwIf(
            isSettingAside && !isAll, "--aside", "true", "only with --all; the data of one member is always moved");

        final Cluster cluster = base.requireCluster(MemberLauncher.ofThisJar(null));
        if (isAll)
        {
            restoreAll(cluster);
        }
        else
        {
            restoreOne(cluster);
        }

        return ControlFailure.DONE;
    }

    private void restoreAll(final Cluster cluster)
    {
        final Restoration restoration = new Restoration(cluster);
        final List<ClusterMember> holders = restoration.check(isSettingAside);
        final String folder = holders.isEmpty() ? null : Confirmation.newFolder();
        final Backup backup = Restoration.backupOf(cluster);
        final StringBuilder plan = new StringBuilder(
            "All " + cluster.members().size() + " members will copy log and snapshot from the backup in " + backup.dir() +
            ". What was committed after its end is lost.");
        holders.forEach((member) -> plan.append("\nMember ").append(member.memberId()).append(" has a log. ")
            .append(Confirmation.fateOf(member, folder)));
        Confirmation.ask(isConfirmed, plan.toString());

        final long beginNs = System.nanoTime();
        final MemberSeed seed = restoration.run(folder, Deadline.parse("--deadline", deadline), RestoreCommand::say);
        System.out.println(
            "The cluster serves again after " + Quantity.formatNs(System.nanoTime() - beginNs) + ", from the backup: the log " +
            "up to position " + seed.logPosition() + (MemberSeed.NO_SNAPSHOT == seed.snapshotPosition() ? ", no snapshot" :
            ", and the snapshot at " + seed.snapshotPosition()) + ". What was committed after that is lost; a journal of the " +
            "client shows with 'audit' what of it was acknowledged.");
    }

    private void restoreOne(final Cluster cluster)
    {
        final Backup backup = Restoration.backupOf(cluster);
        final Healing healing = new Healing(cluster, memberId, Optional.of(backup));
        final ClusterMember leader = healing.check();
        final String folder = Confirmation.newFolder();
        Confirmation.ask(
            isConfirmed, "Member " + memberId + " will copy log and snapshot from the backup in " + backup.dir() +
            ", and the rest of the log from member " + leader.memberId() + ". " +
            Confirmation.fateOf(healing.member(), folder));

        final long beginNs = System.nanoTime();
        final long logLength = healing.run(folder, Deadline.parse("--deadline", deadline), RestoreCommand::say);
        System.out.println(
            "Member " + memberId + " serves again after " + Quantity.formatNs(System.nanoTime() - beginNs) + ", with " +
            logLength + " bytes of log. Its former data is in " + healing.member().dir().resolve(folder) + ".");
    }

    private static void say(final String text)
    {
        System.err.println(text + " ...");
    }
}

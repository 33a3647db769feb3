package io.clusterecho.control.command;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.Callable;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.cluster.Healing;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.Endings;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.node.member.MemberFolder;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Replaces the damaged data of one member with that of the others. */
@Command(
    name = "heal",
    mixinStandardHelpOptions = true,
    header = "Replace the damaged data of one member with that of the others.",
    description = {
        "",
        "The member starts empty and copies the log from the leader. Refused unless the other members have a leader and a " +
        "majority, without this one, has every committed message, and if its own log ends with a message that the leader has " +
        "not. Its present data is kept in its folder, below damaged-TIME." },
    exitCodeList = {
        "  0:the member serves again, or has its list",
        "  2:invalid option, no such member, not confirmed, or nothing to heal",
        "  3:refused, or not caught up in time" })
@CommandHelp(examples = {
        "cluster-node heal --member-id 1 --yes",
        "cluster-node heal --member-id 1 --yes --delete",
        "cluster-node heal --member-id 1 --rebuild-list" })
public final class HealCommand implements Callable<Integer>
{
    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);

    @Mixin
    private BaseDirOption base;

    @Option(names = "--member-id", paramLabel = "N", required = true, description = "The member; required.")
    private int memberId;

    @Option(names = "--yes", description = "Confirm; without it, only print what would be done.")
    private boolean isConfirmed;

    @Option(names = "--delete", description = "Delete the damaged data, to save its space.")
    private boolean isDeleting;

    @Option(
        names = "--rebuild-list",
        description = "Only rebuild the list of terms and snapshots (recording.log) of a member that is down, from its log.")
    private boolean isRebuildingList;

    @Option(
        names = "--deadline", paramLabel = "TIME", defaultValue = "10m",
        description = "Time for the member to copy the log (default: ${DEFAULT-VALUE}).")
    private String deadline;

    @Override
    public Integer call()
    {
        final Deadline end = Deadline.parse("--deadline", deadline);
        final Cluster cluster = base.requireCluster(MemberLauncher.ofThisJar(null));
        final Healing healing = new Healing(cluster, memberId);
        if (isRebuildingList)
        {
            System.out.println(
                "Member " + memberId + " has a list of " + healing.rebuildList() + " terms again. Start it with: " +
                Endings.startCommand(cluster.members(), base.baseDir()));
            return ControlFailure.DONE;
        }

        final ClusterMember leader = healing.check();
        final String folder = isDeleting ? null : ClusterMember.DAMAGED_PREFIX + TIME.format(Instant.now());
        final ClusterMember member = healing.member();
        System.err.println(
            "Member " + memberId + (member.hostName().isEmpty() ? "" : " on host " + member.hostName()) +
            " will copy all data from the others, led by member " + leader.memberId() + ". Its present data, " +
            MemberFolder.ARCHIVE_DIR + " and " + MemberFolder.CLUSTER_DIR + " in " + member.dir() + ", will be " +
            (null == folder ? "deleted." : "moved to " + folder + " there."));
        InvalidSettingException.throwIf(
            !isConfirmed, "not confirmed, so nothing was changed: set --yes");

        final long beginNs = System.nanoTime();
        final long logLength = healing.run(folder, end, (text) -> System.err.println(text + " ..."));
        System.out.println(
            "Member " + memberId + " serves again after " + Quantity.formatNs(System.nanoTime() - beginNs) + ", with " +
            logLength + " bytes of log from the others." +
            (null == folder ? "" : " The damaged data is in " + member.dir().resolve(folder) + "."));
        return ControlFailure.DONE;
    }
}

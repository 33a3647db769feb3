package io.clusterecho.control.cluster;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.clusterecho.control.member.Backup;
import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.Endings;
import io.clusterecho.node.member.MemberSeed;

/**
 * Gives all members of a cluster the data of its backup, when theirs is gone. What was committed after the end of the backup is
 * lost with it. Refused while a member runs, and while one has a log, unless that is set aside: it may have more. One thread.
 */
public final class Restoration
{
    private static final long BACKUP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);

    private final Cluster cluster;
    private final Backup backup;

    /** For a cluster whose members have lost their data; fails if it has no backup. */
    public Restoration(final Cluster cluster)
    {
        this.cluster = cluster;
        backup = backupOf(cluster);
    }

    /** The backup of a cluster; fails if it has none. */
    public static Backup backupOf(final Cluster cluster)
    {
        return cluster.backup().orElseThrow(() -> ControlFailure.unusable(
            "the cluster in " + cluster.config().baseDir() + " has no backup: see start --backup"));
    }

    /** Members with a log, if that may be set aside; fails if a member runs or has a log otherwise, or the backup has none. */
    public List<ClusterMember> check(final boolean isSettingAside)
    {
        final List<ClusterMember> alive = cluster.members().stream().filter(ClusterMember::isAlive).toList();
        ControlFailure.unusableIf(
            !alive.isEmpty(), "member " + idsOf(alive) + " runs, and may have more than the backup: to restore one " +
            "member while the others serve, set --member-id");

        final List<ClusterMember> holders = cluster.members().stream().filter(ClusterMember::hasLog).toList();
        if (!holders.isEmpty() && !isSettingAside)
        {
            throw ControlFailure.unusable(
                "member " + idsOf(holders) + " of " + cluster.members().size() +
                " has a log, which may have more than the backup: " + (holders.size() >= cluster.majority() ?
                "a majority can start with all that was acknowledged, and heal the others\n  " +
                Endings.startCommand(cluster.members(), cluster.config().baseDir()) + "\n" : "") +
                "to give that up and keep it in the folder of the member, set --aside");
        }
        ControlFailure.unusableIf(!backup.hasLog(), "the backup in " + backup.dir() + " has no log: nothing to restore");

        return holders;
    }

    private static String idsOf(final List<ClusterMember> members)
    {
        return members.stream().map((member) -> String.valueOf(member.memberId())).collect(Collectors.joining(", "));
    }

    /**
     * Start the backup, if it does not run, have all members copy its data, and start them, with a folder in their own for the
     * logs that they have, or null. Fails as {@link #check}, and as a start of the cluster.
     */
    public MemberSeed run(final String folder, final Deadline deadline, final Consumer<String> progress)
    {
        final MemberSeed seed;
        try (ClusterFiles.Lock ignore = cluster.lock())
        {
            check(null != folder);
            cluster.configureHosts();
            if (!backup.isAlive())
            {
                progress.accept("starting the backup");
                backup.start();
            }
            if (!deadline.atMostIn(BACKUP_TIMEOUT_NS).await(() -> !backup.isAlive() || backup.counters().isPresent()) ||
                !backup.isAlive())
            {
                throw ControlFailure.notReady(
                    "the backup " + (backup.isAlive() ? "is not ready" : Endings.how(backup)) +
                    "; its output is in " + backup.logFile());
            }

            seed = backup.seed();
            for (final ClusterMember member : cluster.members())
            {
                member.cleanUp();
                if (member.hasLog())
                {
                    member.setAside(folder);
                }
                member.putSeed(seed);
            }
        }

        cluster.start(deadline, progress);
        return seed;
    }
}

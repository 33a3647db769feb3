package io.clusterecho.control.cluster;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.aeron.cluster.ClusterControl;

import io.clusterecho.control.member.BackupCounters;
import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.control.member.Endings;
import io.clusterecho.control.member.LocalHost;
import io.clusterecho.control.member.MemberCounters;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.control.member.Node;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.ExitStatus;
import io.clusterecho.node.member.FolderLock;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

/**
 * All members of one cluster, on this machine or on the hosts of an inventory: starts, watches and stops them together, from
 * this machine. Its state is in the base folder, so any number of instances may exist for one cluster, one after the other or
 * in several processes; commands that start or stop members exclude one another. Not thread-safe, except
 * {@link #abandonStart()}.
 */
public class Cluster
{
    private static final long JOIN_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long LAST_ECHO_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long END_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    private final Settings settings;
    private final NodeConfig config;
    private final ClusterFiles files;
    private final List<MemberHost> hosts;
    private final List<ClusterMember> members;
    private final Inventory inventory;
    private final Optional<Node> backup;
    /** Members that an unfinished start has started so far, to be killed if it fails. */
    private final List<ClusterMember> startedNow = new CopyOnWriteArrayList<>();
    private boolean isAbandoned;
    private List<ClusterMember> startedLast = List.of();
    private boolean isBackupStarted;

    /** As {@link #of}, without checks of the settings. */
    protected Cluster(final Settings settings, final MemberLauncher launcher, final Inventory inventory)
    {
        this.settings = settings;
        this.inventory = inventory;
        config = new NodeConfig(settings);
        files = new ClusterFiles(config.baseDir());
        hosts = null == inventory ?
            List.of(new LocalHost(config, files, launcher, Cluster::runTrial)) : inventory.memberHosts(config);
        backup = hosts.stream().flatMap((host) -> host.backup().stream()).findFirst();
        members = hosts.stream().flatMap((host) -> host.members().stream())
            .sorted(Comparator.comparingInt(ClusterMember::memberId)).toList();
    }

    /**
     * A cluster with these settings of all members, which with an inventory include their addresses, running or not; nothing
     * is started or written. The inventory is null for this machine. Rejects settings that such a cluster cannot use.
     */
    public static Cluster of(final Settings settings, final MemberLauncher launcher, final Inventory inventory)
    {
        StartChecks.checkGiven(settings);
        StartChecks.takeMtuOfLog(settings);
        final Cluster cluster = new Cluster(settings, launcher, inventory);
        StartChecks.checkPlaces(cluster.config, inventory);
        return cluster;
    }

    /** Connect to all hosts, delete what killed probes have left, and exclude other commands that start or stop members. */
    FolderLock lock()
    {
        MemberHost.connect(hosts);
        EchoProbe.removeLeftovers(NodeConfig.defaultAeronDir(config.baseDir(), 0).getParent());
        return files.lock();
    }

    /** Configuration of the cluster, as seen by member 0. */
    public NodeConfig config()
    {
        return config;
    }

    /** All members, in the order of their ids. */
    public List<ClusterMember> members()
    {
        return members;
    }

    /** The member that an option names by its id; rejects one that does not exist. */
    public ClusterMember member(final String option, final int memberId)
    {
        InvalidSettingException.throwIf(
            memberId < 0 || memberId >= members.size(), option, memberId,
            "0 to " + (members.size() - 1) + ", the members of " + config.baseDir());
        return members.get(memberId);
    }

    public Optional<Node> backup()
    {
        return backup;
    }

    /** Whether the last {@link #start} of this instance started the backup. */
    public boolean isBackupStarted()
    {
        return isBackupStarted;
    }

    private static void runTrial(final Settings settings, final MemberLauncher launcher, final long timeoutNs)
    {
        final Cluster alone = of(settings, launcher, null);
        alone.start(Deadline.in(timeoutNs), (text) -> { });
        alone.stop(Deadline.in(timeoutNs), (text) -> { });
    }

    /** The machines that its members run on: this one, or hosts of the inventory that have members of this cluster. */
    public List<MemberHost> hosts()
    {
        return hosts;
    }

    /** The inventory of its hosts, or empty for this machine. */
    public Optional<Inventory> inventory()
    {
        return Optional.ofNullable(inventory);
    }

    /** The settings that all members share; each host derives those that depend on its cores. */
    public SortedMap<String, String> shared()
    {
        final SortedMap<String, String> shared = ClusterFiles.shared(config, settings.foreignProperties());
        if (null != inventory)
        {
            shared.put(NodeSettings.PROFILE.key(), settings.text(NodeSettings.PROFILE));
        }

        return shared;
    }

    /** Start recording the elections of all members; the caller closes the watch. */
    public ElectionWatch watchElections()
    {
        return new ElectionWatch.OfHosts(hosts.stream().map(MemberHost::watchElections).toList());
    }

    public boolean isAnyAlive()
    {
        return members.stream().anyMatch(ClusterMember::isAlive);
    }

    /** The leader, or empty during an election. A paused old leader counts itself as one too; the later term wins. */
    public Optional<ClusterMember> leader()
    {
        final Map<ClusterMember, Long> terms = new LinkedHashMap<>();
        members.forEach((member) -> member.counters().filter(MemberCounters::isLeader)
            .ifPresent((counters) -> terms.put(member, counters.leadershipTermId())));
        return terms.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    }

    /** Keys of this cluster that differ from those set explicitly in others, a text for each. */
    public List<String> differences(final Settings others)
    {
        return StartChecks.differences(shared(), others);
    }

    /**
     * Store the classes of members beside their jar, so that each start takes less time and leaves the cores to others. Done
     * once for each build, in some seconds; call it when no member runs. A failure is reported as progress; too little space
     * for the members is rejected.
     */
    public void prepare(final Consumer<String> progress)
    {
        MemberHost.connect(hosts);
        hosts.forEach((host) -> host.prepare(progress));
    }

    /**
     * Start the members that do not run, and wait until the cluster serves: one leader, all others follow it, and an echo came
     * back. A majority that serves keeps running, even if other members end or do not
     * follow, and the start fails with {@link ControlFailure#DEGRADED}. Without one the members started here are stopped
     * again.
     */
    public void start(final Deadline deadline, final Consumer<String> progress)
    {
        files.makeBaseDir();
        try (FolderLock ignore = lock())
        {
            final List<ClusterMember> missing = members.stream().filter((member) -> !member.isAlive()).toList();
            startedLast = missing;
            final boolean isFullStart = missing.size() == members.size();
            if (isFullStart)
            {
                final boolean hasLog = members.stream().anyMatch(ClusterMember::hasLog);
                StartChecks.checkBackup(config, hasLog, null == inventory ? backup : inventory.backup(config));
                StartChecks.checkDataFits(config, settings, hasLog ? files.readShared().orElse(Map.of()) : Map.of());
                if (hasLog)
                {
                    progress.accept("continuing with the data in " + config.baseDir());
                }
            }
            if (null != inventory && (isFullStart || files.readShared().isEmpty()))
            {
                // Needed to find the cluster again from this machine.
                files.write(shared(), config.members());
                files.writeInventory(inventory.properties());
            }
            hosts.forEach((host) -> prepareStart(host, isFullStart, missing, progress));
            if (isFullStart)
            {
                files.recordStart();
            }

            for (final ClusterMember member : missing)
            {
                launch(member);
                if (!isFullStart)
                {
                    // One at a time: until a majority has joined again, the stale vote of each may still count.
                    progress.accept("waiting for member " + member.memberId() + " to join");
                    deadline.atMostIn(JOIN_TIMEOUT_NS).await(() -> !member.isAlive() ||
                        member.counters().map(MemberCounters::isSettled).orElse(false));
                }
            }
            final List<ClusterMember> out = awaitMajority(deadline, progress);
            startedNow.clear();
            backup.ifPresent((process) -> startBackup(process, progress));
            if (!out.isEmpty())
            {
                throw Endings.ofDegraded(members, out, files.baseDir());
            }
            backup.ifPresent((process) -> awaitCopying(process, deadline));
        }
        finally
        {
            killStarted();
        }
    }

    private void startBackup(final Node process, final Consumer<String> progress)
    {
        isBackupStarted = !process.isAlive();
        if (isBackupStarted)
        {
            // It may have lost its disk, and the settings with it.
            if (null != inventory)
            {
                hosts.stream().filter((host) -> host.backup().isPresent()).forEach((host) -> host.configure(shared(), 0));
            }
            progress.accept("starting the backup");
            process.start();
        }
    }

    /** Wait until the backup copies the log; fails if it does not in time: it then keeps running, unless it ended. */
    private static void awaitCopying(final Node process, final Deadline deadline)
    {
        final boolean isInTime = deadline.await(() -> !process.isAlive() ||
            process.backupCounters().map(BackupCounters::isCopying).orElse(false));
        if (!isInTime || !process.isAlive())
        {
            final String lastLine = Endings.lastLine(process);
            throw new ControlFailure(
                ControlFailure.DEGRADED, "the members serve, but the backup " + (process.isAlive() ?
                "copies nothing yet and keeps running (" +
                process.backupCounters().map(BackupCounters::state).orElse("starting") + ")" :
                Endings.how(process)) + (lastLine.isEmpty() ? "" : ": " + lastLine) +
                "\n  its output is in " + process.logFile());
        }
    }

    private void prepareStart(
        final MemberHost host, final boolean isFullStart, final List<ClusterMember> missing, final Consumer<String> progress)
    {
        // Each member checks too, but another may take the same space a moment later.
        final int missingCount = (int)missing.stream().filter(host.members()::contains).count();
        final String room = isFullStart ? host.configure(shared(), missingCount) :
            missingCount > 0 ? host.checkRoom(missingCount) : "";
        if (!room.isEmpty())
        {
            progress.accept((host.name().isEmpty() ? "" : host.name() + ": ") + room);
        }
    }

    private synchronized void launch(final ClusterMember member)
    {
        ControlFailure.notReadyIf(isAbandoned, "the start was abandoned");
        member.cleanUp();
        startedNow.add(member);
        member.start();
    }

    /** Kill what an unfinished start has started so far, and prevent it from starting more. Any thread may call this. */
    public synchronized void abandonStart()
    {
        isAbandoned = true;
        killStarted();
    }

    private synchronized void killStarted()
    {
        final Attempts attempts = new Attempts();
        attempts.on(startedNow, ClusterMember::kill);
        attempts.on(attempts.filter(startedNow, (member) -> member.awaitExit(END_TIMEOUT_NS)), ClusterMember::cleanUp);
        startedNow.clear();
    }

    private List<ClusterMember> ended()
    {
        return startedNow.stream().filter((member) -> !member.isAlive()).toList();
    }

    /** The members that the last {@link #start} of this instance started, also if it failed. */
    public List<ClusterMember> startedLast()
    {
        return startedLast;
    }

    /**
     * Wait until all members follow one leader and an echo came back; a majority is enough at the deadline. Returns the members
     * that do not serve.
     */
    private List<ClusterMember> awaitMajority(final Deadline deadline, final Consumer<String> progress)
    {
        progress.accept("waiting for a leader that all " + members.size() + " members agree on");
        final boolean isInTime = deadline.await(this::isServed);
        final List<ClusterMember> serving = followers();
        if (!isInTime && serving.size() < majority())
        {
            throw Endings.failure(members, startedNow::contains, "timeout: no leader that all members follow");
        }

        progress.accept("waiting for an answer of the leader, member " +
            leader().map((member) -> String.valueOf(member.memberId())).orElse("?"));
        // At the deadline there is still a majority that may answer.
        if (!new EchoProbe(config).awaitEcho(deadline.isOver() ? Deadline.in(LAST_ECHO_TIMEOUT_NS) : deadline))
        {
            throw Endings.failure(
                members, startedNow::contains,
                "timeout: no echo from " + config.members().get(0).ingress() + " or another member");
        }

        return isInTime ? ended() : members.stream().filter((member) -> !serving.contains(member)).toList();
    }

    /** Number of members that must agree, at least 1. */
    public int majority()
    {
        return members.size() / 2 + 1;
    }

    /** Resume members that a fault has left paused, on all hosts that answer. */
    public void resume()
    {
        new Attempts().on(members, ClusterMember::resume);
    }

    /** Have members write thread dumps into their logs, on all hosts that answer. */
    public void dumpStacks()
    {
        new Attempts().on(members, ClusterMember::dumpStacks);
    }

    /** Ask the leader for a snapshot of all members, and wait; fails without a leader, and if it is not taken in time. */
    public List<ClusterMember> takeSnapshot(final Deadline deadline)
    {
        final List<ClusterMember> alive = members.stream().filter(ClusterMember::isAlive).toList();
        final Map<ClusterMember, Long> counts =
            alive.stream().collect(Collectors.toMap((member) -> member, Cluster::snapshotCount));
        requestSnapshot(deadline);
        if (!deadline.await(() -> alive.stream().allMatch((member) -> snapshotCount(member) > counts.get(member))))
        {
            throw Endings.failure(members, (ignored) -> false, "timeout: not all running members took the snapshot");
        }

        return alive;
    }

    private static long snapshotCount(final ClusterMember member)
    {
        return member.counters().map(MemberCounters::snapshotCount).orElse(-1L);
    }

    /** Ask the leader for a snapshot without waiting for it; fails if there is no leader, or it does not accept it in time. */
    public void requestSnapshot(final Deadline deadline)
    {
        final Optional<ClusterMember> leader = leader();
        if (leader.isEmpty())
        {
            // Fails if this user may not see which member leads.
            members.forEach(ClusterMember::errors);
            throw ControlFailure.notReady("no leader in " + config.baseDir() + ": start the cluster, or wait for its election");
        }
        leader.get().ask(
            ClusterControl.ToggleState.SNAPSHOT,
            Integer.parseInt(settings.foreignProperties().getOrDefault("aeron.cluster.id", "0")), deadline);
    }

    /**
     * Stop the backup and every member that runs here, by a kill after the deadline, and remove their files outside the base
     * folder. Fails if a host does not answer, or a member cannot be stopped; the others are stopped.
     */
    public List<ClusterMember> stop(final Deadline deadline, final Consumer<String> progress)
    {
        try (FolderLock ignore = lock())
        {
            final Attempts attempts = new Attempts();
            // First: it would wait for the answers of members that have ended.
            backup.ifPresent((process) -> attempts.on(() ->
            {
                process.terminate();
                process.awaitStop(deadline, progress);
                process.cleanUp();
            }));
            final List<ClusterMember> running = attempts.filter(members, ClusterMember::isAlive);
            final List<ClusterMember> ending = attempts.on(running, ClusterMember::terminate);
            attempts.on(ending, (member) -> member.awaitStop(deadline, progress));
            attempts.on(attempts.filter(members, (member) -> !member.isAlive()), ClusterMember::cleanUp);
            attempts.check();
            return running;
        }
    }

    /**
     * Delete logs, snapshots and output of all members and of the backup, which must not run, and the settings of the cluster;
     * returns the folders that were deleted. Folders that none of them made, and other files in the base folder, are kept.
     */
    public List<Path> deleteData()
    {
        final List<Path> deleted =
            Stream.concat(members.stream(), backup.stream()).filter(Node::deleteData).map(Node::dir).toList();
        hosts.forEach(MemberHost::forget);
        files.delete();
        return deleted;
    }

    /** Whether all members are in one leadership term with one leader and no election in progress. */
    public boolean isSettled()
    {
        return followers().size() == members.size();
    }

    /** The members in the term of the present leader, itself included, without an election; none without a leader. */
    public List<ClusterMember> followers()
    {
        final Map<ClusterMember, MemberCounters> settled = new LinkedHashMap<>();
        members().forEach((member) ->
            member.counters().filter(MemberCounters::isSettled).ifPresent((counters) -> settled.put(member, counters)));
        final long termId = settled.values().stream()
            .filter(MemberCounters::isLeader).mapToLong(MemberCounters::leadershipTermId).max().orElse(-1);
        return settled.keySet().stream()
            .filter((member) -> termId >= 0 && settled.get(member).leadershipTermId() == termId).toList();
    }

    private boolean isServed()
    {
        final List<ClusterMember> ended = ended();
        final boolean isRejected = hasEndedWith(ended, ExitStatus.CONFIGURATION);
        if (members.size() - ended.size() < majority() || isRejected)
        {
            throw Endings.failure(
                members, startedNow::contains, !isRejected && hasEndedWith(ended, ExitStatus.DATA_CORRUPT) ?
                "no majority can read its data; " + Endings.newCluster(files.baseDir()) : "");
        }

        return followers().size() == members.size() - ended.size();
    }

    private static boolean hasEndedWith(final List<ClusterMember> ended, final ExitStatus status)
    {
        return ended.stream().anyMatch((member) -> member.exitCode().orElse(-1) == status.code());
    }
}

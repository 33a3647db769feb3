package io.clusterecho.node.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import org.agrona.IoUtil;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.ExitStatus;
import io.clusterecho.node.member.MemberFolder;
import io.clusterecho.node.member.Preflight;
import io.clusterecho.node.placement.Placement;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Settings;

/**
 * All members of one cluster, on this machine: started, watched and stopped together. What it knows stands in the base
 * folder, so any number of them may be made for one cluster, one after the other or by several processes; commands that
 * start or stop members exclude one another. One thread at a time, but for {@link #abandonStart()}.
 */
public final class LocalCluster
{
    private static final long JOIN_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long ABANDON_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int TAIL_LINES = 15;

    private final Settings settings;
    private final MemberLauncher launcher;
    private final NodeConfig config;
    private final ClusterFiles files;
    private final List<LocalMember> members;
    private final List<LocalMember> startedNow = new CopyOnWriteArrayList<>();
    private boolean isStartAbandoned;

    private LocalCluster(final Settings settings, final MemberLauncher launcher)
    {
        this.settings = settings;
        this.launcher = launcher;
        config = new NodeConfig(settings);
        files = new ClusterFiles(config.baseDir());
        members = config.members().stream()
            .map((endpoints) -> new LocalMember(
                endpoints,
                NodeConfig.memberDir(config.baseDir(), endpoints.memberId()),
                NodeConfig.defaultAeronDir(config.baseDir(), endpoints.memberId()),
                files.settingsFile(),
                launcher,
                config.value(NodeSettings.LAUNCH_PREFIX)))
            .toList();
    }

    /**
     * A cluster as settings describe it, be it there or not.
     *
     * @param settings of all members.
     * @param launcher of their processes.
     * @return the cluster; nothing is started or written.
     * @throws InvalidSettingException for settings that cannot be used for a cluster on one machine.
     */
    public static LocalCluster of(final Settings settings, final MemberLauncher launcher)
    {
        StartChecks.checkGiven(settings);
        final LocalCluster cluster = new LocalCluster(settings, launcher);
        StartChecks.checkHosts(cluster.config);
        return cluster;
    }

    /**
     * The cluster that was last started in a base folder.
     *
     * @param baseDir  to look into.
     * @param launcher of its processes, needed only to start members.
     * @return the cluster, running or not, or empty if none was started there.
     */
    public static Optional<LocalCluster> recorded(final Path baseDir, final MemberLauncher launcher)
    {
        return new ClusterFiles(baseDir).readShared().map(
            (shared) ->
            {
                final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL);
                shared.forEach((key, value) -> settings.put(key, value, "settings of " + baseDir));
                settings.put(NodeSettings.BASE_DIR.key(), baseDir.toString(), "base folder");
                if (Placement.isLost(settings.text(NodeSettings.PLACEMENT)))
                {
                    // Members that run know theirs; without it they can still be looked at and stopped.
                    settings.put(NodeSettings.PLACEMENT.key(), Placement.NONE, "base folder");
                }
                return new LocalCluster(settings, launcher);
            });
    }

    /**
     * What the members are told, as member 0 understands it.
     *
     * @return the configuration.
     */
    public NodeConfig config()
    {
        return config;
    }

    /**
     * All members.
     *
     * @return in the order of their ids.
     */
    public List<LocalMember> members()
    {
        return members;
    }

    /**
     * Whether any member runs.
     *
     * @return true if so.
     */
    public boolean isAnyAlive()
    {
        return members.stream().anyMatch(LocalMember::isAlive);
    }

    /**
     * The member that leads now. While an old leader is paused it may be told as the leader beside the new one; the one in
     * the later term counts.
     *
     * @return the leader, or empty during an election.
     */
    public Optional<LocalMember> leader()
    {
        LocalMember leader = null;
        long leaderTermId = -1;
        for (final LocalMember member : members)
        {
            final Optional<MemberCounters> counters = MemberCounters.read(member).filter(MemberCounters::isLeader);
            if (counters.isPresent() && counters.get().leadershipTermId() > leaderTermId)
            {
                leader = member;
                leaderTermId = counters.get().leadershipTermId();
            }
        }

        return Optional.ofNullable(leader);
    }

    /**
     * What other settings would change in this cluster.
     *
     * @param others of which only those that were given count.
     * @return an entry for each key that differs.
     */
    public List<String> differences(final Settings others)
    {
        final SortedMap<String, String> mine = ClusterFiles.shared(config, settings.foreignProperties());
        final SortedMap<String, String> theirs = ClusterFiles.shared(new NodeConfig(others), others.foreignProperties());
        final List<String> differences = new ArrayList<>();
        theirs.forEach(
            (key, value) ->
            {
                final boolean isGiven = others.foreignProperties().containsKey(key) ||
                    NodeSettings.ALL.stream().anyMatch((setting) -> setting.key().equals(key) && others.isGiven(setting));
                if (isGiven && !value.equals(mine.get(key)))
                {
                    differences.add(key + " is " + mine.get(key) + " there, asked for is " + value);
                }
            });
        return differences;
    }

    /**
     * Have the classes of members kept beside their jar, so that each start takes less time and leaves the cores to others.
     * Done once for each build, in some seconds; to be called when no member runs. Nothing fails if it cannot be done.
     *
     * @param progress told what happens.
     */
    public void prepare(final Consumer<String> progress)
    {
        new ClassArchive(launcher.jar()).make(config, launcher, progress);
    }

    /**
     * Start the members that do not run, and wait until the cluster serves: one leader, all others follow it, and an echo
     * came back. If that fails, those that were started are stopped again.
     *
     * @param deadline to wait until.
     * @param progress told what is waited for.
     * @return the members that were started; none if all ran.
     * @throws LocalFailure            if the cluster does not serve in time, with the reason and the ends of the logs.
     * @throws InvalidSettingException if the base folder cannot be used.
     */
    public List<LocalMember> start(final Deadline deadline, final Consumer<String> progress)
    {
        files.makeBaseDir();
        try (FileChannel ignore = files.lock())
        {
            final List<LocalMember> missing = members.stream().filter((member) -> !member.isAlive()).toList();
            final boolean isWhole = missing.size() == members.size();
            // Each looks for itself too, but the others may take the same room a moment later.
            if (!missing.isEmpty())
            {
                progress.accept(Preflight.checkRoom(config, missing.size()));
            }
            if (isWhole)
            {
                StartChecks.checkDataFits(config, settings, files);
                files.write(ClusterFiles.shared(config, settings.foreignProperties()), config.members());
            }

            for (final LocalMember member : missing)
            {
                launch(member);
                if (!isWhole)
                {
                    // One after the other: until a majority has joined again, each one's stale vote may still count.
                    progress.accept("waiting for member " + member.memberId() + " to join");
                    deadline.butAtMostIn(JOIN_TIMEOUT_NS).await(() -> !isMissing(member) && isSettled(member));
                }
            }
            awaitService(deadline, progress);
            startedNow.clear();
            return missing;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        finally
        {
            endStarted();
        }
    }

    /**
     * End at once what a start that has not come to its end has started so far; it starts nothing more. Any thread may call
     * it.
     */
    public synchronized void abandonStart()
    {
        isStartAbandoned = true;
        endStarted();
    }

    private synchronized void launch(final LocalMember member)
    {
        if (isStartAbandoned)
        {
            throw new LocalFailure(LocalFailure.NOT_READY, "the start was abandoned");
        }
        member.cleanUp();
        startedNow.add(member);
        member.start();
    }

    private synchronized void endStarted()
    {
        for (final LocalMember member : startedNow)
        {
            member.kill();
        }
        for (final LocalMember member : startedNow)
        {
            if (member.awaitExit(ABANDON_TIMEOUT_NS))
            {
                member.cleanUp();
            }
        }
        startedNow.clear();
    }

    /**
     * Wait until there is one leader, all others follow it, and an echo came back.
     *
     * @param deadline to wait until.
     * @param progress told what is waited for.
     * @throws LocalFailure if that does not come about in time, or a member ends.
     */
    public void awaitService(final Deadline deadline, final Consumer<String> progress)
    {
        progress.accept("waiting for a leader that all " + members.size() + " members agree on");
        if (!deadline.await(this::isServed))
        {
            throw failure("no leader that all members follow within the time");
        }

        progress.accept("waiting for an echo from the leader, member " +
            leader().map((member) -> String.valueOf(member.memberId())).orElse("?"));
        if (!new EchoProbe(config).awaitEcho(deadline))
        {
            throw failure("no echo from " + config.members().get(0).ingress() + " and the others within the time");
        }
    }

    /**
     * Stop every member that was started here, and remove what they leave outside the base folder.
     *
     * @param deadline after which those that are left are killed.
     * @param progress told what happens.
     * @return the members that ran.
     */
    public List<LocalMember> stop(final Deadline deadline, final Consumer<String> progress)
    {
        try (FileChannel ignore = files.lock())
        {
            final List<LocalMember> running = members.stream().filter(LocalMember::isAlive).toList();
            running.forEach(LocalMember::terminate);
            for (final LocalMember member : running)
            {
                if (!deadline.await(() -> !member.isAlive()))
                {
                    progress.accept("member " + member.memberId() + " did not stop in time and is killed");
                    member.kill();
                    member.awaitExit(ABANDON_TIMEOUT_NS);
                }
            }
            members.forEach(LocalMember::cleanUp);
            return running;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Delete logs, snapshots and output of all members, and the settings of the cluster. Folders that no member made, and
     * whatever else stands in the base folder, are left.
     *
     * @return the folders that were deleted.
     * @throws IllegalStateException if a member runs.
     */
    public List<Path> deleteData()
    {
        final List<Path> deleted = new ArrayList<>();
        for (final LocalMember member : members)
        {
            member.cleanUp();
            if (Files.isRegularFile(member.dir().resolve(MemberFolder.LOCK_FILE)))
            {
                IoUtil.delete(member.dir().toFile(), false);
                deleted.add(member.dir());
            }
        }
        files.delete();
        return deleted;
    }

    /**
     * Ask the leader for a snapshot of all members, and wait until it is taken.
     *
     * @param deadline to wait until.
     * @return the members that took it.
     * @throws LocalFailure if there is no leader, or the snapshot is not taken in time.
     */
    public List<LocalMember> snapshot(final Deadline deadline)
    {
        final List<LocalMember> alive = members.stream().filter(LocalMember::isAlive).toList();
        final Map<LocalMember, Long> counts = alive.stream().collect(
            Collectors.toMap((member) -> member, LocalCluster::snapshotCount));
        LeaderControl.ask(requireLeader(), clusterId(), LeaderControl.Action.SNAPSHOT, deadline);
        if (!deadline.await(() -> alive.stream().allMatch((member) -> snapshotCount(member) > counts.get(member))))
        {
            throw failure("the snapshot was not taken by all running members within the time");
        }

        return alive;
    }

    /**
     * Shut the whole cluster down in good order: all members take a snapshot at the same position and end.
     *
     * @param deadline to wait until.
     * @return the members that ran.
     * @throws LocalFailure if there is no leader, or a member does not end in time with exit code 0.
     */
    public List<LocalMember> shutdown(final Deadline deadline)
    {
        try (FileChannel ignore = files.lock())
        {
            final List<LocalMember> running = members.stream().filter(LocalMember::isAlive).toList();
            LeaderControl.ask(requireLeader(), clusterId(), LeaderControl.Action.SHUTDOWN, deadline);
            deadline.await(() -> running.stream().noneMatch(LocalMember::isAlive));
            final List<LocalMember> wrong = running.stream()
                .filter((member) -> ExitStatus.ASKED.code() != member.exitCode().orElse(-1)).toList();
            if (!wrong.isEmpty())
            {
                throw new LocalFailure(
                    LocalFailure.NOT_READY, "not ended in good order:" + tailsOf(wrong) + "\n'stop' ends what still runs.");
            }

            members.forEach(LocalMember::cleanUp);
            return running;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private LocalMember requireLeader()
    {
        return leader().orElseThrow(() -> new LocalFailure(
            LocalFailure.NOT_READY, "no leader in " + config.baseDir() + ": start the cluster, or wait for its election"));
    }

    /**
     * Whether all members take part in one settled term, with one leader.
     *
     * @return false as long as one of them does not run, or an election is on.
     */
    public boolean isWhole()
    {
        final List<MemberCounters> counters = members.stream()
            .map(MemberCounters::read).flatMap(Optional::stream).filter(MemberCounters::isSettled).toList();
        return counters.size() == members.size() && counters.stream().filter(MemberCounters::isLeader).count() == 1 &&
            counters.stream().mapToLong(MemberCounters::leadershipTermId).distinct().count() == 1;
    }

    private boolean isServed()
    {
        final Optional<LocalMember> dead = startedNow.stream().filter(this::isMissing).findFirst();
        if (dead.isPresent())
        {
            final int exitCode = dead.get().exitCode().orElse(-1);
            throw new LocalFailure(
                ExitStatus.CONFIGURATION.code() == exitCode ? LocalFailure.UNUSABLE : LocalFailure.NOT_READY,
                "member " + dead.get().memberId() + " ended, exit code " + exitCode + tailsOf(List.of(dead.get())));
        }

        return isWhole();
    }

    private static boolean isSettled(final LocalMember member)
    {
        return MemberCounters.read(member).map(MemberCounters::isSettled).orElse(false);
    }

    private boolean isMissing(final LocalMember member)
    {
        return !member.isAlive();
    }

    private static long snapshotCount(final LocalMember member)
    {
        return MemberCounters.read(member).map(MemberCounters::snapshotCount).orElse(-1L);
    }

    private int clusterId()
    {
        return Integer.parseInt(settings.foreignProperties().getOrDefault("aeron.cluster.id", "0"));
    }

    private LocalFailure failure(final String reason)
    {
        final StringBuilder text = new StringBuilder(reason);
        for (final LocalMember member : members)
        {
            text.append("\nmember ").append(member.memberId()).append(": ").append(
                MemberCounters.read(member).map((counters) ->
                    counters.role() + ", election " + counters.electionState() + ", term " + counters.leadershipTermId())
                    .orElse(member.isAlive() ? "runs, but has no counters yet" : "does not run"));
        }
        text.append(tailsOf(members));
        return new LocalFailure(LocalFailure.NOT_READY, text.toString());
    }

    private static String tailsOf(final List<LocalMember> members)
    {
        final StringBuilder text = new StringBuilder();
        for (final LocalMember member : members)
        {
            final List<String> said = member.said();
            text.append("\n").append(member.logFile()).append(" ends:");
            said.subList(Math.max(0, said.size() - TAIL_LINES), said.size())
                .forEach((line) -> text.append("\n  ").append(line));
        }

        return text.toString();
    }
}

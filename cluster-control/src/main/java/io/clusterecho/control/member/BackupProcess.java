package io.clusterecho.control.member;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import io.clusterecho.media.counters.ProcessSource;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.MemberFolder;
import io.clusterecho.node.member.MemberSeed;
import io.clusterecho.settings.Settings;

/**
 * The backup of a cluster on this machine, as a process: can be started, stopped, and found again by the files in its folder, as
 * a member. Methods return at once unless documented as waiting. Not thread-safe, except {@link #knownPid()} and
 * {@link #counters()}.
 */
public final class BackupProcess
{
    private final MemberEndpoints endpoints;
    private final Path dir;
    private final Path aeronDir;
    private final Path settingsFile;
    private final MemberFiles files;
    private final NodeProcess process;

    /**
     * @param config       of the cluster.
     * @param settingsFile of the members.
     * @param launcher     of the process, null if it is not started.
     */
    public BackupProcess(final NodeConfig config, final Path settingsFile, final MemberLauncher launcher)
    {
        endpoints = config.backupEndpoints();
        this.settingsFile = settingsFile;
        dir = NodeConfig.backupDir(config.baseDir());
        aeronDir = NodeConfig.defaultAeronDir(config.baseDir(), endpoints.memberId());
        files = new MemberFiles(dir);
        process = new NodeProcess("the backup", dir, aeronDir, launcher, List.of("--backup", settingsFile.toString()));
    }

    /**
     * Endpoints of the process.
     */
    public MemberEndpoints endpoints()
    {
        return endpoints;
    }

    /**
     * Folder with copies of log and snapshots, as an absolute path.
     */
    public Path dir()
    {
        return dir;
    }

    /**
     * Folder of its media driver, as an absolute path.
     */
    public Path aeronDir()
    {
        return aeronDir;
    }

    /**
     * File with its output.
     */
    public Path logFile()
    {
        return process.logFile();
    }

    /**
     * Pid of the process, empty if it does not run.
     *
     * @throws ControlFailure if that cannot be determined.
     */
    public OptionalLong pid()
    {
        return process.pid();
    }

    /**
     * Pid of the process, for readers of counters: also empty if it is unknown whether it runs.
     */
    public OptionalLong knownPid()
    {
        return process.knownPid();
    }

    /**
     * Whether its process runs.
     */
    public boolean isAlive()
    {
        return pid().isPresent();
    }

    /**
     * Whether a process was started and not cleaned up after; true also if it has ended by itself.
     */
    public boolean isRecorded()
    {
        return process.isRecorded();
    }

    /**
     * Start the process, which outlives this JVM.
     *
     * @throws IllegalStateException if it runs.
     */
    public void start()
    {
        process.start(List::of);
    }

    /**
     * Stop it cleanly (SIGTERM).
     */
    public void terminate()
    {
        process.terminate();
    }

    /**
     * Kill it (SIGKILL).
     */
    public void kill()
    {
        process.kill();
    }

    /**
     * Wait until the process has ended.
     *
     * @param timeoutNs maximum wait, in ns.
     * @return whether it has ended.
     */
    public boolean awaitExit(final long timeoutNs)
    {
        return Deadline.in(timeoutNs).await(() -> !isAlive());
    }

    /**
     * Exit code of its process.
     *
     * @return empty if it runs, or ended without one.
     */
    public OptionalInt exitCode()
    {
        return process.exitCode();
    }

    /**
     * How it ended, in words: {@code ended with status 4 (storage error)}.
     */
    public String how()
    {
        final OptionalInt exitCode = process.exitCode();
        return exitCode.isEmpty() && !isRecorded() ? "was not started" : Endings.how(exitCode);
    }

    /**
     * Last line of its output that is not of a stack trace, empty if there is none.
     */
    public String lastLine()
    {
        final List<String> lines = process.output().stream()
            .filter((line) -> !line.matches("\\s.*|Caused by: .*|---- start .*|backup stopped, .*")).toList();
        return lines.isEmpty() ? "" : lines.get(lines.size() - 1);
    }

    /**
     * Remove the files of an ended process outside its folder, and forget the process.
     *
     * @throws IllegalStateException if the process runs.
     */
    public void cleanUp()
    {
        process.cleanUp();
    }

    /**
     * Clean up, and delete its folder if a backup made it.
     *
     * @return whether there was such a folder.
     * @throws IllegalStateException if the process runs.
     */
    public boolean deleteData()
    {
        cleanUp();
        return files.deleteAll();
    }

    /**
     * Whether it has copied a log.
     */
    public boolean hasLog()
    {
        return files.hasLog() && storage().hasLog();
    }

    /**
     * Read what it has on disk.
     *
     * @throws ControlFailure if its files cannot be read.
     */
    public MemberStorage storage()
    {
        return MemberStorage.read(dir);
    }

    /**
     * Purge its log before the oldest of its newest snapshots, and its older snapshots; with fewer snapshots, nothing.
     *
     * @param snapshotCount newest snapshots that stay, from 1.
     * @throws ControlFailure if it does not run or does not purge.
     */
    public void purge(final int snapshotCount)
    {
        final NodeConfig own = NodeConfig.ofBackup(new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .putFiles(List.of(settingsFile)).put(NodeSettings.AERON_DIR.key(), aeronDir.toString(), "command"));
        final MemberStorage storage = storage();
        new StoragePurge("the backup", own, dir).run(storage, storage.positionOfNewest(snapshotCount), snapshotCount);
    }

    /**
     * What an empty member copies from it, while it runs: its newest snapshot, if it has one, and its whole log.
     *
     * @throws ControlFailure if it does not run, has no log or only an end of one, or its files cannot be read.
     */
    public MemberSeed seed()
    {
        final BackupCounters counters = counters().orElseThrow(() -> new ControlFailure(
            ControlFailure.NOT_READY, "the backup does not run, or has just been started: see " + logFile()));
        final MemberStorage storage = storage();
        final boolean hasSnapshot = !storage.snapshots().isEmpty();
        if (!storage.hasLog() || !hasSnapshot && storage.startPosition() > 0)
        {
            throw new ControlFailure(
                ControlFailure.UNUSABLE, "the backup in " + dir + (storage.hasLog() ? " has neither the begin of the log, " +
                "which starts at position " + storage.startPosition() + ", nor a snapshot" : " has no log") +
                ": nothing to restore");
        }

        // The archive notes an end when it stops recording, and the counter ends with the recording.
        final long end = MemberStorage.endOfLog(dir).orElse(counters.position());
        final MemberSeed seed = MemberSeed.ofAll(
            dir, endpoints.archive(), hasSnapshot ? storage.positionOfNewest(1) : MemberSeed.NO_SNAPSHOT, end);
        return seed.withTerms(LogTerms.between(
            dir.resolve(MemberFolder.ARCHIVE_DIR), storage, Math.max(storage.startPosition(), seed.lastTermBasePosition()), end));
    }

    /**
     * Read its counters, without disturbing it.
     *
     * @return the counters, or empty if it does not run or has none yet.
     */
    public Optional<BackupCounters> counters()
    {
        return BackupCounters.read(aeronDir, knownPid());
    }

    /**
     * The errors logged since its last start.
     */
    public MemberErrors errors()
    {
        return MemberErrors.read(dir, aeronDir);
    }

    /**
     * Sources of process samples: its own process first, with its lag behind the members, then its media driver if that is a
     * separate process.
     *
     * @param members of its cluster.
     * @return new sources, which the caller closes.
     */
    public List<ProcessSource> sources(final List<? extends ClusterMember> members)
    {
        final List<ProcessSource> sources = new ArrayList<>(process.sources());
        sources.set(0, new BackupSource(sources.get(0), this, members));
        return sources;
    }
}

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

/** The backup of a cluster, as a process of this machine. */
public final class LocalBackup implements Backup
{
    private final MemberEndpoints endpoints;
    private final Path dir;
    private final Path aeronDir;
    private final Path settingsFile;
    private final MemberFiles files;
    private final NodeProcess process;

    /** @param launcher     of the process, null if it is not started. */
    public LocalBackup(final NodeConfig config, final Path settingsFile, final MemberLauncher launcher)
    {
        endpoints = config.backupEndpoints();
        this.settingsFile = settingsFile;
        dir = NodeConfig.backupDir(config.baseDir());
        aeronDir = NodeConfig.defaultAeronDir(config.baseDir(), endpoints.memberId());
        files = new MemberFiles(dir);
        process = new NodeProcess("the backup", dir, aeronDir, launcher, List.of("--backup", settingsFile.toString()));
    }

    @Override
    public String hostName()
    {
        return "";
    }

    @Override
    public MemberEndpoints endpoints()
    {
        return endpoints;
    }

    @Override
    public Path dir()
    {
        return dir;
    }

    @Override
    public Path aeronDir()
    {
        return aeronDir;
    }

    @Override
    public Path logFile()
    {
        return process.logFile();
    }

    @Override
    public OptionalLong pid()
    {
        return process.pid();
    }

    @Override
    public OptionalLong knownPid()
    {
        return process.knownPid();
    }

    @Override
    public boolean isRecorded()
    {
        return process.isRecorded();
    }

    @Override
    public void start()
    {
        process.start(List::of);
    }

    @Override
    public void terminate()
    {
        process.terminate();
    }

    @Override
    public void kill()
    {
        process.kill();
    }

    @Override
    public OptionalInt exitCode()
    {
        return process.exitCode();
    }

    @Override
    public List<String> output()
    {
        return process.output();
    }

    @Override
    public void cleanUp()
    {
        process.cleanUp();
    }

    @Override
    public boolean deleteData()
    {
        cleanUp();
        return files.deleteAll();
    }

    @Override
    public boolean hasLog()
    {
        return files.hasLog() && storage().hasLog();
    }

    @Override
    public MemberStorage storage()
    {
        return MemberStorage.read(dir);
    }

    @Override
    public void purge(final int snapshotCount)
    {
        final NodeConfig own = NodeConfig.ofBackup(new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .putFiles(List.of(settingsFile)).put(NodeSettings.AERON_DIR.key(), aeronDir.toString(), "command"));
        final MemberStorage storage = storage();
        new StoragePurge("the backup", own, dir).run(storage, storage.positionOfNewest(snapshotCount), snapshotCount);
    }

    @Override
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

    @Override
    public Optional<BackupCounters> counters()
    {
        return BackupCounters.read(aeronDir, knownPid());
    }

    @Override
    public MemberErrors errors()
    {
        return MemberErrors.read(dir, aeronDir);
    }

    @Override
    public List<ProcessSource> sources(final List<? extends ClusterMember> members)
    {
        final List<ProcessSource> sources = new ArrayList<>(process.sources());
        if (members.isEmpty())
        {
            return sources;
        }
        sources.set(0, new BackupSource(sources.get(0), this, members));
        return sources;
    }
}

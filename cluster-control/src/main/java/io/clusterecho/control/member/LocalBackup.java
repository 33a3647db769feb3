package io.clusterecho.control.member;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.member.LogTerms;
import io.clusterecho.node.member.MemberFolder;
import io.clusterecho.node.member.MemberSeed;
import io.clusterecho.node.member.Recording;
import io.clusterecho.settings.Settings;

/** The backup of a cluster, as a process of this machine. */
public final class LocalBackup extends LocalNode implements Backup
{
    /** @param launcher of the process, null if it is not started. */
    public LocalBackup(final NodeConfig config, final Path settingsFile, final MemberLauncher launcher)
    {
        super(
            config.backupEndpoints(), NodeConfig.backupDir(config.baseDir()),
            NodeConfig.defaultAeronDir(config.baseDir(), config.backupEndpoints().memberId()), settingsFile, launcher);
    }

    @Override
    List<String> arguments()
    {
        return List.of("--backup");
    }

    @Override
    NodeConfig ownConfig(final Settings settings)
    {
        return NodeConfig.ofBackup(settings);
    }

    @Override
    public boolean hasLog()
    {
        return super.hasLog() && storage().hasLog();
    }

    @Override
    public MemberSeed seed()
    {
        final BackupCounters counters = counters().orElseThrow(() -> ControlFailure.notReady(
            "the backup does not run, or has just been started: see " + logFile()));
        final MemberStorage storage = storage();
        final boolean hasSnapshot = !storage.snapshots().isEmpty();
        ControlFailure.unusableIf(
            !storage.hasLog() || !hasSnapshot && storage.startPosition() > 0,
            "the backup in " + dir() + (storage.hasLog() ? " has neither the begin of the log, " +
            "which starts at position " + storage.startPosition() + ", nor a snapshot" : " has no log") + ": nothing to restore");

        // The archive notes an end when it stops recording, and the counter ends with the recording.
        final long end = MemberStorage.endOfLog(dir()).orElse(counters.position());
        final MemberSeed seed = MemberSeed.ofAll(
            dir(), endpoints().archive(), hasSnapshot ? storage.positionOfNewest(1) : MemberSeed.NO_SNAPSHOT, end);
        try
        {
            return seed.withTerms(LogTerms.between(
                Recording.in(dir().resolve(MemberFolder.ARCHIVE_DIR)).get(storage.recordingId()),
                Math.max(storage.startPosition(), seed.lastTermBasePosition()), end));
        }
        catch (final IllegalStateException ex)
        {
            throw ControlFailure.notReady("cannot read the log of the backup: " + ex.getMessage());
        }
    }

    @Override
    public Optional<BackupCounters> counters()
    {
        return readCounters(BackupCounters::of);
    }
}

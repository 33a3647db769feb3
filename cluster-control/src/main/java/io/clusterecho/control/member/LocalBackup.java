package io.clusterecho.control.member;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import io.clusterecho.node.config.NodeConfig;
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
    public Optional<BackupCounters> counters()
    {
        return readCounters(BackupCounters::of);
    }
}

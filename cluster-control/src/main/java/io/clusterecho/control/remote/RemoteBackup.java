package io.clusterecho.control.remote;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.member.Backup;
import io.clusterecho.control.member.BackupCounters;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.SampledLag;
import io.clusterecho.media.counters.ProcessSource;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.settings.InvalidSettingException;

/** A backup on a host of an inventory: the agent there executes each method on its own local backup. */
final class RemoteBackup extends RemoteNode implements Backup
{
    RemoteBackup(final HostLink link, final Path baseDir, final MemberEndpoints endpoints)
    {
        super(link, baseDir, endpoints);
    }

    @Override
    public Path dir()
    {
        return NodeConfig.backupDir(baseDir());
    }

    @Override
    public OptionalLong knownPid()
    {
        try
        {
            return pid();
        }
        catch (final ControlFailure | InvalidSettingException ex)
        {
            return OptionalLong.empty();
        }
    }

    @Override
    public void purge(final int snapshotCount)
    {
        link().ask(request("purge").put("snapshots", snapshotCount), PURGE_TIMEOUT_NS);
    }

    @Override
    public Optional<BackupCounters> counters()
    {
        try
        {
            final JsonNode node = link().askAtOnce(request("counters"), HostLink.SAMPLE_TIMEOUT_NS);
            return node.isNull() ? Optional.empty() : Optional.of(link().parse(node, BackupCounters.class));
        }
        catch (final ControlFailure | InvalidSettingException ex)
        {
            return Optional.empty();
        }
    }

    @Override
    public List<ProcessSource> sources(final List<? extends ClusterMember> members)
    {
        final List<ProcessSource> sources = processes();
        if (!members.isEmpty() && !sources.isEmpty())
        {
            sources.set(0, new SampledLag(sources.get(0), this, members));
        }
        return sources;
    }

    @Override
    ObjectNode addressed(final ObjectNode request)
    {
        return request.put("backup", true);
    }
}

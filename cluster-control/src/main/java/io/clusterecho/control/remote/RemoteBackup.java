package io.clusterecho.control.remote;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.member.Backup;
import io.clusterecho.control.member.BackupCounters;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.MemberErrors;
import io.clusterecho.control.member.MemberStorage;
import io.clusterecho.control.member.SampledLag;
import io.clusterecho.media.counters.ProcessSource;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.member.MemberSeed;
import io.clusterecho.settings.InvalidSettingException;

/**
 * A backup on a host of an inventory: the agent there executes each method on its own local backup.
 */
final class RemoteBackup implements Backup
{
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long PURGE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    private final HostLink link;
    private final Path baseDir;
    private final MemberEndpoints endpoints;

    RemoteBackup(final HostLink link, final Path baseDir, final MemberEndpoints endpoints)
    {
        this.link = link;
        this.baseDir = baseDir;
        this.endpoints = endpoints;
    }

    @Override
    public String hostName()
    {
        return link.host().name();
    }

    @Override
    public MemberEndpoints endpoints()
    {
        return endpoints;
    }

    @Override
    public Path dir()
    {
        return NodeConfig.backupDir(baseDir);
    }

    @Override
    public Path aeronDir()
    {
        return NodeConfig.defaultAeronDir(baseDir, endpoints.memberId());
    }

    @Override
    public Path logFile()
    {
        return dir().resolve(RemoteMember.LOG_FILE);
    }

    @Override
    public OptionalLong pid()
    {
        final JsonNode pid = link.askAtOnce(request("pid"), HostLink.SILENCE_TIMEOUT_NS);
        return pid.isNull() ? OptionalLong.empty() : OptionalLong.of(pid.asLong());
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
    public boolean isRecorded()
    {
        return ask("recorded").asBoolean();
    }

    @Override
    public void start()
    {
        link.ask(request("start"), START_TIMEOUT_NS);
    }

    @Override
    public void terminate()
    {
        ask("terminate");
    }

    @Override
    public void kill()
    {
        ask("kill");
    }

    @Override
    public OptionalInt exitCode()
    {
        final JsonNode exit = ask("exit");
        return exit.isNull() ? OptionalInt.empty() : OptionalInt.of(exit.asInt());
    }

    @Override
    public List<String> output()
    {
        final List<String> lines = new ArrayList<>();
        link.ask(request("said"), START_TIMEOUT_NS).forEach((line) -> lines.add(line.asText()));
        return lines;
    }

    @Override
    public void cleanUp()
    {
        link.ask(request("clean"), START_TIMEOUT_NS);
    }

    @Override
    public boolean deleteData()
    {
        return link.ask(request("delete"), START_TIMEOUT_NS).asBoolean();
    }

    @Override
    public boolean hasLog()
    {
        return link.ask(request("log"), START_TIMEOUT_NS).asBoolean();
    }

    @Override
    public MemberStorage storage()
    {
        return link.parse(link.ask(request("storage"), START_TIMEOUT_NS), MemberStorage.class);
    }

    @Override
    public void purge(final int snapshotCount)
    {
        link.ask(request("purge").put("snapshots", snapshotCount), PURGE_TIMEOUT_NS);
    }

    @Override
    public MemberSeed seed()
    {
        return link.parse(link.ask(request("seed"), START_TIMEOUT_NS), MemberSeed.class);
    }

    @Override
    public Optional<BackupCounters> counters()
    {
        try
        {
            final JsonNode node = link.askAtOnce(request("counters"), HostLink.SAMPLE_TIMEOUT_NS);
            return node.isNull() ? Optional.empty() : Optional.of(link.parse(node, BackupCounters.class));
        }
        catch (final ControlFailure | InvalidSettingException ex)
        {
            return Optional.empty();
        }
    }

    @Override
    public MemberErrors errors()
    {
        return link.parse(ask("errors"), MemberErrors.class);
    }

    @Override
    public List<ProcessSource> sources(final List<? extends ClusterMember> members)
    {
        final List<ProcessSource> sources = new ArrayList<>();
        ask("sources").forEach(
            (suffix) -> sources.add(new RemoteProcess(link, () -> request("sample"), suffix.asText())));
        if (!members.isEmpty() && !sources.isEmpty())
        {
            sources.set(0, new SampledLag(sources.get(0), this, members));
        }
        return sources;
    }

    private JsonNode ask(final String what)
    {
        return link.ask(request(what), HostLink.SHORT_TIMEOUT_NS);
    }

    private ObjectNode request(final String what)
    {
        return link.newRequest(what).put("base", baseDir.toString()).put("backup", true);
    }
}

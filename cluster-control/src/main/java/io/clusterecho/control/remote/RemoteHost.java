package io.clusterecho.control.remote;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.control.member.Backup;
import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.platform.ClockOffset;
import io.clusterecho.platform.MachineUse;
import io.clusterecho.platform.ProcessUse;
import io.clusterecho.settings.InvalidSettingException;

/** A host of an inventory that runs members of one cluster, or its backup. */
final class RemoteHost implements MemberHost
{
    private static final long PREPARE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(120);
    private static final MachineUse NOTHING_KNOWN = new MachineUse(
        ProcessUse.UNKNOWN, ProcessUse.UNKNOWN, ProcessUse.UNKNOWN, ProcessUse.UNKNOWN, ProcessUse.UNKNOWN,
        ProcessUse.UNKNOWN, ProcessUse.UNKNOWN, ProcessUse.UNKNOWN, ProcessUse.UNKNOWN, ProcessUse.UNKNOWN,
        ProcessUse.UNKNOWN, ProcessUse.UNKNOWN);

    private final HostLink link;
    private final NodeConfig config;
    private final Path baseDir;
    private final List<ClusterMember> members;
    private final Optional<Backup> backup;

    RemoteHost(
        final HostLink link, final NodeConfig config, final List<MemberEndpoints> own, final boolean isOfBackup)
    {
        this.link = link;
        this.config = config;
        baseDir = baseDir(link.host(), config.baseDir());
        members = own.stream().map((endpoints) -> RemoteNode.member(link, baseDir, endpoints)).toList();
        backup = isOfBackup ? Optional.of(RemoteNode.backup(link, baseDir, config.backupEndpoints())) : Optional.empty();
    }

    /** Clusters with different base folders here have different base folders there. */
    static Path baseDir(final InventoryHost host, final Path baseDirHere)
    {
        return host.data().resolve(baseDirHere.toAbsolutePath().normalize().getFileName());
    }

    /** Settings of the members that were last started in the folder of a cluster; empty if none was. */
    static Optional<Map<String, String>> askSettings(final HostLink link, final Path baseDirHere)
    {
        final JsonNode node = link.ask(
            link.newRequest("settings").put("base", baseDir(link.host(), baseDirHere).toString()),
            HostLink.SHORT_TIMEOUT_NS);
        return node.isNull() ? Optional.empty() : Optional.of(texts(node));
    }

    @Override
    public String name()
    {
        return link.host().name();
    }

    @Override
    public List<ClusterMember> members()
    {
        return members;
    }

    @Override
    public Optional<Backup> backup()
    {
        return backup;
    }

    @Override
    public void connect()
    {
        try
        {
            link.ask(link.newRequest("ping"), HostLink.SHORT_TIMEOUT_NS);
        }
        catch (final ControlFailure | InvalidSettingException ex)
        {
            // The next request reports why.
            return;
        }
    }

    @Override
    public void prepare(final Consumer<String> progress)
    {
        // Done by configure, because the trial member needs a configuration.
        progress.accept("connecting to host " + name());
    }

    @Override
    public String configure(final SortedMap<String, String> shared, final int memberCount)
    {
        final ObjectNode request = request("configure");
        ClusterFiles.withoutDefaults(shared).forEach(request.putObject("settings")::put);
        config.credentials().ifPresent(
            (credentials) -> request.put("credentials", new String(credentials.encoded(), StandardCharsets.UTF_8)));
        request.put("address", link.host().address());
        request.put("interface", link.host().interfaceName());
        request.put("mtu", link.host().mtuLength());
        request.put("members", memberCount);
        return link.ask(request, PREPARE_TIMEOUT_NS).asText();
    }

    @Override
    public void forget()
    {
        link.ask(request("forget"), HostLink.SHORT_TIMEOUT_NS);
    }

    @Override
    public String checkRoom(final int memberCount)
    {
        return link.ask(request("room").put("members", memberCount), HostLink.SHORT_TIMEOUT_NS).asText();
    }

    @Override
    public ElectionWatch watchElections()
    {
        link.ask(request("watch"), HostLink.SHORT_TIMEOUT_NS);
        return new ElectionWatch()
        {
            @Override
            public List<Change> since(final long timeNs)
            {
                return changes(timeNs);
            }

            @Override
            public void close()
            {
                try
                {
                    link.ask(request("unwatch"), HostLink.SHORT_TIMEOUT_NS);
                }
                catch (final ControlFailure | InvalidSettingException ex)
                {
                    // The watch ends with the connection.
                    return;
                }
            }
        };
    }

    private List<ElectionWatch.Change> changes(final long timeNs)
    {
        final List<ElectionWatch.Change> changes = new ArrayList<>();
        try
        {
            // Measured each time: clocks drift apart by milliseconds within minutes.
            final long offsetNs = link.clockOffset().offsetNs();
            for (final JsonNode node : link.ask(request("changes").put("since", timeNs + offsetNs), HostLink.SHORT_TIMEOUT_NS))
            {
                changes.add(new ElectionWatch.Change(
                    node.get(0).asLong() - offsetNs, node.get(1).asInt(), node.get(2).asLong(), node.get(3).asLong(),
                    node.get(4).asBoolean()));
            }
        }
        catch (final ControlFailure | InvalidSettingException ex)
        {
            System.err.println("warning: the recorded elections are incomplete: " + ex.getMessage());
        }

        return changes;
    }

    @Override
    public MachineUse machineUse()
    {
        try
        {
            final MachineUse use = link.mapper().treeToValue(
                link.askAtOnce(link.newRequest("machine"), HostLink.SAMPLE_TIMEOUT_NS), MachineUse.class);
            return null == use ? NOTHING_KNOWN : use;
        }
        catch (final ControlFailure | InvalidSettingException | JsonProcessingException ex)
        {
            return NOTHING_KNOWN;
        }
    }

    @Override
    public Map<String, Map<String, String>> environment()
    {
        final Map<String, Map<String, String>> facts = new LinkedHashMap<>();
        final JsonNode node = link.ask(request("environment"), HostLink.SHORT_TIMEOUT_NS);
        node.properties().forEach((group) -> facts.put(group.getKey(), texts(group.getValue())));
        final ClockOffset clock = link.clockOffset();
        // To add to a time of that host.
        facts.put("clock", Map.of(
            "offsetNs", String.valueOf(-clock.offsetNs()), "errorNs", String.valueOf(clock.errorNs())));
        return facts;
    }

    private ObjectNode request(final String what)
    {
        return link.newRequest(what).put("base", baseDir.toString());
    }

    private static Map<String, String> texts(final JsonNode node)
    {
        final Map<String, String> texts = new LinkedHashMap<>();
        node.properties().forEach((entry) -> texts.put(entry.getKey(), entry.getValue().asText()));
        return texts;
    }
}

package io.clusterecho.control.remote;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.clusterecho.control.member.ClusterFiles;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.ElectionWatch;
import io.clusterecho.control.member.MemberHost;
import io.clusterecho.control.member.Node;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.platform.ClockOffset;
import io.clusterecho.platform.MachineColumn;
import io.clusterecho.settings.InvalidSettingException;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A host of an inventory that runs members of one cluster, or its backup. */
final class RemoteHost implements MemberHost
{
    private final HostLink link;
    private final NodeConfig config;
    private final ObjectNode address;
    private final MemberHost calls;
    private final List<ClusterMember> members;
    private final Optional<Node> backup;

    RemoteHost(
        final HostLink link, final NodeConfig config, final List<MemberEndpoints> own, final boolean isOfBackup)
    {
        this.link = link;
        this.config = config;
        final Path baseDir = baseDir(link.host(), config.baseDir());
        address = address(link, config.baseDir());
        calls = link.as(MemberHost.class, address);
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
        return link.as(HostCalls.class, address(link, baseDirHere)).settings();
    }

    private static ObjectNode address(final HostLink link, final Path baseDirHere)
    {
        return CallProtocol.MAPPER.createObjectNode().put("base", baseDir(link.host(), baseDirHere).toString());
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
    public Optional<Node> backup()
    {
        return backup;
    }

    @Override
    public CompletableFuture<?> connect()
    {
        return link.connection();
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
        return link.as(HostCalls.class, address).configure(
            ClusterFiles.withoutDefaults(shared),
            config.credentials().map((given) -> new String(given.encodedCredentials(), StandardCharsets.UTF_8)).orElse(""),
            memberCount);
    }

    @Override
    public void forget()
    {
        link.as(HostCalls.class, address).forget();
    }

    @Override
    public String checkRoom(final int memberCount)
    {
        return calls.checkRoom(memberCount);
    }

    @Override
    public ElectionWatch watchElections()
    {
        final ElectionWatch there = link.as(ElectionWatch.class, address);
        // Begins with the first question.
        there.since(Long.MAX_VALUE);
        return new ElectionWatch()
        {
            @Override
            public List<Change> since(final long timeNs)
            {
                try
                {
                    // Measured each time: clocks drift apart by milliseconds within minutes.
                    final long offsetNs = link.clockOffset().offsetNs();
                    return there.since(timeNs + offsetNs).stream().map((change) -> new Change(
                        change.timeNs() - offsetNs, change.memberId(), change.stateBefore(), change.state(),
                        change.isLeader())).toList();
                }
                catch (final ControlFailure | InvalidSettingException ex)
                {
                    System.err.println("warning: the recorded elections are incomplete: " + ex.getMessage());
                    return List.of();
                }
            }

            @Override
            public void close()
            {
                // Without an answer, it ends with the connection.
                ControlFailure.orElse(() ->
                {
                    there.close();
                    return true;
                }, false);
            }
        };
    }

    @Override
    public long[] machineUse()
    {
        final long[] unknown = new long[MachineColumn.values().length];
        Arrays.fill(unknown, MachineColumn.UNKNOWN);
        return ControlFailure.orElse(calls::machineUse, unknown);
    }

    @Override
    public Map<String, Map<String, String>> environment()
    {
        final Map<String, Map<String, String>> facts = new LinkedHashMap<>(calls.environment());
        final ClockOffset clock = link.clockOffset();
        // To add to a time of that host.
        facts.put("clock", Map.of(
            "offsetNs", String.valueOf(-clock.offsetNs()), "errorNs", String.valueOf(clock.errorNs())));
        return facts;
    }
}

package io.clusterecho.client.sweep;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.clusterecho.client.run.TransportNames;
import io.clusterecho.client.transport.ServerProcesses;
import io.clusterecho.client.transport.TransportKind;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.control.remote.InventoryHost;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.config.OwnAddress;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.CloseHelper;
import org.agrona.IoUtil;

/** The servers of a system that is compared with the cluster. Its client may have another driver. */
final class PeerSystem implements SweepSystem
{
    /** Begin of the keys of its settings. */
    static final String PREFIX = "peer.";
    private static final Set<Dimension> OF_ALL = EnumSet.of(
        Dimension.TRANSPORT, Dimension.HEAP, Dimension.LOAD, Dimension.IN_FLIGHT, Dimension.CONNECTIONS, Dimension.IDLE,
        Dimension.SIZE, Dimension.RATE,
        // Of hosts: where they are, which their inventory does not have.
        Dimension.PLACEMENT);

    /** Address at which a client receives from a server on another host. */
    private static final String REPLY_HOST = "peer.reply.host";

    private final TransportKind kind;
    private final InventoryHost host;
    private final String endpoints;
    private final Path folder;
    private final List<String> assignments;
    private final List<String> ofClient;
    private final List<String> flags;
    private ServerProcesses servers;

    /**
     * Servers that have not started.
     *
     * @param inventory with the host of the servers, or null for this machine.
     * @param parent    of the folder for data and output.
     */
    PeerSystem(final SweepPlan plan, final Map<Dimension, String> values, final Inventory inventory, final Path parent)
    {
        kind = TransportNames.kind(values.get(Dimension.TRANSPORT));
        host = null == inventory ? null : inventory.peer().orElseThrow();
        final int firstPort = NodeSettings.BASE_PORT.parse(
            plan.settings().getOrDefault(NodeSettings.BASE_PORT.key(), NodeSettings.BASE_PORT.defaultText()));
        endpoints = null == host ? kind.endpointsFrom(firstPort) : host.address() + ":" + firstPort;
        folder = parent.resolve(kind.name());
        assignments = assignments(plan, values, kind);
        ofClient = assignments(plan, Dimension.ofClient(values), kind);
        if (null != host && has(kind, REPLY_HOST) && ofClient.stream().noneMatch((one) -> one.startsWith(REPLY_HOST + "=")))
        {
            ofClient.add(REPLY_HOST + "=" + OwnAddress.towards(endpoints));
        }
        flags = LoadProcess.flags(values.get(Dimension.HEAP));
    }

    /**
     * Reject what the transports of a sweep cannot have: a cell would be named after a setting that it does not have.
     *
     * @throws InvalidSettingException for the first that is rejected.
     */
    static void check(final SweepPlan plan)
    {
        final List<String> names = plan.values().get(Dimension.TRANSPORT);
        final boolean hasCluster = names.contains(TransportNames.CLUSTER);
        final List<TransportKind> kinds =
            names.stream().filter((name) -> !TransportNames.isCluster(name)).map(TransportNames::kind).toList();
        plan.require(
            Dimension.HEAP, (heap) -> !hasCluster || Dimension.AUTO.equals(heap),
            "auto with transport=" + TransportNames.CLUSTER + ", whose members have that of their JVM flags");
        kinds.forEach((kind) -> plan.values().forEach((dimension, values) ->
        {
            final boolean isOfAnother =
                dimension.isOfSystem() && (hasCluster || kinds.stream().anyMatch((other) -> has(other, dimension)));
            final boolean isDefault = 1 == values.size() && (isOfAnother || dimension.isDefault(values.get(0)));
            plan.require(
                dimension, (value) -> OF_ALL.contains(dimension) || has(kind, dimension) || isDefault,
                (isOfAnother ? "one value" : dimension.defaultText()) + " with transport=" + kind.name() +
                ", which has no such setting");
        }));
        plan.settings().forEach((key, value) ->
        {
            final boolean isOfPeer = key.startsWith(PREFIX);
            InvalidSettingException.throwIf(
                isOfPeer ? kinds.stream().noneMatch((kind) -> has(kind, key)) :
                !hasCluster && !NodeSettings.BASE_PORT.key().equals(key), key, value,
                "not given with transport=" + String.join(",", names) +
                (isOfPeer ? "" : ": it is a setting of the members of a cluster"));
        });
    }

    /** Whether a dimension configures the servers and the transport of a kind. */
    static boolean has(final TransportKind kind, final Dimension dimension)
    {
        return Dimension.CLIENT_DRIVER == dimension ? kind.isClientApart() && has(kind, Dimension.DRIVER) :
            has(kind, dimension.peerKey());
    }

    static boolean has(final TransportKind kind, final String key)
    {
        return kind.settings().stream().anyMatch((setting) -> setting.key().equals(key));
    }

    @Override
    public void start()
    {
        // What a killed sweep left would be read by members that store.
        IoUtil.delete(folder.toFile(), true);
        try
        {
            servers = ServerProcesses.start(
                kind, endpoints, host, null == host ? folder : host.data().resolve(kind.name()), flags, assignments, true);
        }
        catch (final IllegalStateException ex)
        {
            throw new ControlFailure(ControlFailure.NOT_READY, ex.getMessage());
        }
    }

    @Override
    public Optional<String> damage()
    {
        return servers.end();
    }

    @Override
    public List<String> target()
    {
        final List<String> target = new ArrayList<>(
            List.of("--transport", kind.name(), "--endpoints", endpoints));
        ofClient.forEach((assignment) -> target.addAll(List.of("--transport-set", assignment)));
        return target;
    }

    @Override
    public void retire()
    {
        CloseHelper.close(servers);
        IoUtil.delete(folder.toFile(), true);
    }

    /** Settings of servers and client, KEY=VALUE. */
    static List<String> assignments(final SweepPlan plan, final Map<Dimension, String> values, final TransportKind kind)
    {
        final List<String> assignments = new ArrayList<>();
        values.forEach((dimension, value) ->
        {
            if (has(kind, dimension.peerKey()) && dimension.isUsed(values) && !NodeSettings.AUTO.equals(value))
            {
                assignments.add(dimension.peerKey() + "=" + value);
            }
        });
        plan.settings(kind).forEach((key, value) -> assignments.add(key + "=" + value));
        return assignments;
    }
}

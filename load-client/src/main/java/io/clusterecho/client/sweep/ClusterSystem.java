package io.clusterecho.client.sweep;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import io.clusterecho.client.run.DriverConfig;
import io.clusterecho.client.run.TransportNames;
import io.clusterecho.client.series.TestCluster;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.settings.Settings;

/** A cluster of real processes, started by a sweep. */
record ClusterSystem(Map<Dimension, String> values, Path clusterDir, TestCluster cluster) implements SweepSystem
{
    private static final long MEMBERS_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(6);
    private static final String SOURCE = "sweep";

    /** @param inventory  of the members' hosts, or null for this machine. */
    ClusterSystem(
        final SweepPlan plan, final Map<Dimension, String> values, final Inventory inventory, final Path clusterDir)
    {
        this(
            values, clusterDir,
            TestCluster.own(settings(plan, values, inventory, clusterDir), inventory, (line) -> { }));
    }

    @Override
    public void start()
    {
        cluster.start();
    }

    @Override
    public Optional<String> damage()
    {
        // After a load at full speed a member may need a moment.
        return Deadline.in(MEMBERS_TIMEOUT_NS).await(cluster.cluster()::isSettled) ? Optional.empty() :
            Optional.of("not all members follow the leader");
    }

    @Override
    public List<String> target()
    {
        final Map<Dimension, String> ofClient = Dimension.ofClient(values);
        final List<String> target = new ArrayList<>(List.of(
            "--transport", TransportNames.CLUSTER, "--base-dir", clusterDir.toString(), DriverConfig.KIND,
            ofClient.get(Dimension.DRIVER)));
        if (Dimension.SEND_VECTOR.isUsed(ofClient))
        {
            target.addAll(List.of(
                DriverConfig.RECEIVE_VECTOR, values.get(Dimension.RECEIVE_VECTOR), DriverConfig.SEND_VECTOR,
                values.get(Dimension.SEND_VECTOR), DriverConfig.MESSAGES_PER_SEND, values.get(Dimension.MESSAGES_PER_SEND)));
        }
        return target;
    }

    @Override
    public void retire()
    {
        cluster.stop();
        cluster.deleteData();
    }

    static Settings settings(
        final SweepPlan plan, final Map<Dimension, String> values, final Inventory inventory, final Path clusterDir)
    {
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL);
        plan.settings().entrySet().stream().filter((one) -> !one.getKey().startsWith(PeerSystem.PREFIX))
            .forEach((one) -> settings.put(one.getKey(), one.getValue(), SOURCE));
        final int memberCount = Integer.parseInt(values.get(Dimension.MEMBERS));
        if (null == inventory)
        {
            settings.put(NodeSettings.HOSTS.key(), String.join(",", Collections.nCopies(memberCount, "127.0.0.1")), SOURCE);
        }
        else
        {
            inventory.putHosts(settings, memberCount);
        }
        Dimension.putMembers(settings, values, SOURCE);
        settings.put(NodeSettings.BASE_DIR.key(), clusterDir.toString(), "--base-dir");
        return settings;
    }
}

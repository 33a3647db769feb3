package io.clusterecho.client.sweep;

import java.util.function.Function;

import io.clusterecho.client.series.TestCluster;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.settings.Settings;

/**
 * A cluster started by a sweep. Tests replace it with one without processes.
 */
interface SweepCluster
{
    /**
     * Start it and wait until it serves.
     *
     * @throws ControlFailure if it does not start.
     */
    void start();

    boolean isWhole();

    /**
     * Stop it and delete its logs.
     */
    void retire();

    /**
     * Clusters of real processes.
     *
     * @param inventory of the members' hosts, or null for this machine.
     * @return makes a cluster from settings.
     */
    static Function<Settings, SweepCluster> ofProcesses(final Inventory inventory)
    {
        return (settings) ->
        {
            final TestCluster cluster = TestCluster.own(settings, inventory, (line) -> { });
            return new SweepCluster()
            {
                @Override
                public void start()
                {
                    cluster.start();
                }

                @Override
                public boolean isWhole()
                {
                    return cluster.cluster().isSettled();
                }

                @Override
                public void retire()
                {
                    cluster.stop();
                    cluster.deleteData();
                }
            };
        };
    }
}

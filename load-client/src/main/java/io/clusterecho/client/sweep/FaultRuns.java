package io.clusterecho.client.sweep;

import java.nio.file.Path;

import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.series.StoredRun;
import io.clusterecho.reporting.document.FailoverDocument;

/** Measures runs of a sweep in which a fault hits a follower of the running cluster: failover tests of one cycle. One thread. */
public interface FaultRuns
{
    /**
     * A completed run.
     *
     * @param faults with one cycle, or none if the run was interrupted before it.
     */
    record Hit(StoredRun run, FailoverDocument faults, Path folder)
    {
    }

    /**
     * Run to the end, judge and store.
     *
     * @param config of the load, with the folder of the cluster.
     * @throws io.clusterecho.client.transport.NotConnectedException if no session could be opened in time.
     */
    Hit measure(RunConfig config, Cell cell);
}

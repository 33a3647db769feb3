package io.clusterecho.control.command;

import java.nio.file.Path;
import java.util.Optional;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.cluster.RecordedClusters;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.host.RealPath;
import io.clusterecho.node.config.NodeSettings;

import picocli.CommandLine.Option;

/** The options that select the cluster of a command. */
public final class BaseDirOption
{
    @Option(
        names = "--base-dir", paramLabel = "DIR", description = "Folder of the cluster (echo.base.dir; default: cluster-data).")
    private Path baseDir;

    @Option(
        names = "--inventory", paramLabel = "FILE",
        description = "Inventory of hosts, if the cluster was started from another machine; see docs/MANY-HOSTS.md.")
    private Path inventory;

    public Path baseDir()
    {
        return RealPath.of(null != baseDir ? baseDir :
            Path.of(System.getProperty(NodeSettings.BASE_DIR.key(), NodeSettings.BASE_DIR.defaultText())));
    }

    /** The cluster, running or not, or empty if none was started in the folder. */
    public Optional<Cluster> cluster()
    {
        return cluster(null);
    }

    private Optional<Cluster> cluster(final MemberLauncher launcher)
    {
        return RecordedClusters.in(baseDir(), launcher, null == inventory ? null : Inventory.read(inventory));
    }

    public Cluster requireCluster()
    {
        return requireCluster(null);
    }

    /** The cluster, running or not; the launcher is needed only to start members. */
    public Cluster requireCluster(final MemberLauncher launcher)
    {
        return cluster(launcher).orElseThrow(() -> new ControlFailure(
            ControlFailure.NOT_READY, "no cluster was started in " + baseDir() + ": start one, or set --base-dir"));
    }
}

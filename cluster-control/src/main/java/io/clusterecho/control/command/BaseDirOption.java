package io.clusterecho.control.command;

import java.nio.file.Path;
import java.util.Optional;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.cluster.RecordedClusters;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.host.RealPath;
import io.clusterecho.node.config.NodeSettings;

import picocli.CommandLine.Option;

/** The option that selects the cluster of a command. */
public final class BaseDirOption
{
    @Option(
        names = "--base-dir", paramLabel = "DIR", description = "Folder of the cluster (echo.base.dir; default: cluster-data).")
    private Path baseDir;

    public Path baseDir()
    {
        return RealPath.of(null != baseDir ? baseDir :
            Path.of(System.getProperty(NodeSettings.BASE_DIR.key(), NodeSettings.BASE_DIR.defaultText())));
    }

    /** The cluster, running or not, or empty if none was started in the folder. */
    public Optional<Cluster> cluster()
    {
        return RecordedClusters.in(baseDir(), null);
    }

    /** The cluster, running or not; the launcher is needed only to start members, else null. */
    public Cluster requireCluster(final MemberLauncher launcher)
    {
        return RecordedClusters.in(baseDir(), launcher).orElseThrow(() -> new ControlFailure(
            ControlFailure.NOT_READY, "no cluster was started in " + baseDir() + ": start one, or set --base-dir"));
    }
}

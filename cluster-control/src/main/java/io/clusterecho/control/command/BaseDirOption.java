package io.clusterecho.control.command;

import java.nio.file.Path;
import java.util.Optional;

import io.clusterecho.control.cluster.LocalCluster;
import io.clusterecho.control.member.LocalFailure;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.node.config.NodeSettings;

import picocli.CommandLine.Option;

/**
 * The option that names the cluster to a command.
 */
public final class BaseDirOption
{
    @Option(names = "--base-dir", paramLabel = "DIR", description = "Folder of the cluster (echo.base.dir; cluster-data).")
    private Path baseDir;

    @Option(
        names = "--inventory", paramLabel = "FILE",
        description = "Hosts of the cluster, if it was started from another machine; see docs/MANY-HOSTS.md.")
    private Path inventory;

    public Path baseDir()
    {
        final Path dir = null != baseDir ? baseDir :
            Path.of(System.getProperty(NodeSettings.BASE_DIR.key(), NodeSettings.BASE_DIR.defaultText()));
        return dir.toAbsolutePath().normalize();
    }

    /**
     * The cluster, for a command that starts nothing.
     */
    public Optional<LocalCluster> cluster()
    {
        return LocalCluster.recorded(baseDir(), null, null == inventory ? null : Inventory.read(inventory));
    }

    public LocalCluster requireCluster()
    {
        return cluster().orElseThrow(() -> new LocalFailure(
            LocalFailure.NOT_READY, "no cluster was started in " + baseDir() + ": start one, or give its --base-dir"));
    }
}

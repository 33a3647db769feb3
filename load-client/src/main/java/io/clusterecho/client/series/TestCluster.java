package io.clusterecho.client.series;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.clusterecho.control.cluster.Cluster;
import io.clusterecho.control.cluster.RecordedClusters;
import io.clusterecho.control.member.ClusterMember;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.control.member.Deadline;
import io.clusterecho.control.member.MemberLauncher;
import io.clusterecho.control.remote.Inventory;
import io.clusterecho.process.JavaCommand;
import io.clusterecho.settings.Settings;

/**
 * The cluster of a test, on this machine or on the hosts of an inventory: one that was already running, which is left as it is,
 * or one started by the command, which is stopped and deleted after it. One thread.
 */
public record TestCluster(Cluster cluster, boolean isOwn, Consumer<String> progress) implements AutoCloseable
{
    private static final long START_TIMEOUT_NS = 120_000_000_000L;
    private static final long STOP_TIMEOUT_NS = 30_000_000_000L;
    private static final long ABANDON_TIMEOUT_NS = 2_000_000_000L;

    /** The cluster that runs in a folder, or one to be started there; a null jar is that beside this process's. */
    public static TestCluster runningOrOwn(
        final Path baseDir, final Inventory inventory, final Path jar, final Supplier<Settings> settings,
        final Consumer<String> progress)
    {
        final MemberLauncher launcher = null == jar ? launcher() : launcher().ofJar(jar);
        final Optional<Cluster> running = RecordedClusters.in(baseDir, launcher, inventory).filter(Cluster::isAnyAlive);
        return new TestCluster(
            running.orElseGet(() -> Cluster.of(settings.get(), launcher, inventory)), running.isEmpty(), progress);
    }

    public static TestCluster own(final Settings settings, final Inventory inventory, final Consumer<String> progress)
    {
        return new TestCluster(Cluster.of(settings, launcher(), inventory), true, progress);
    }

    /**
     * A cluster that an earlier, killed process of this command may have left; running or not, or empty if none was started
     * there.
     */
    public static Optional<TestCluster> left(final Path baseDir, final Inventory inventory, final Consumer<String> progress)
    {
        // No launcher is needed because it is only stopped.
        return RecordedClusters.in(baseDir, null, inventory).map((found) -> new TestCluster(found, true, progress));
    }

    /** Start it if it belongs to this command, and wait until it serves. */
    public void start()
    {
        if (isOwn)
        {
            cluster.prepare(progress);
            progress.accept("starting a cluster in " + cluster.config().baseDir());
            try
            {
                cluster.start(Deadline.in(START_TIMEOUT_NS), progress);
            }
            catch (final ControlFailure ex)
            {
                if (ControlFailure.DEGRADED != ex.exitCode())
                {
                    throw ex;
                }
                stop();
                throw new ControlFailure(
                    ControlFailure.NOT_READY, "a test needs all members, so those that serve were stopped: " + ex.getMessage());
            }
        }
    }

    /** Stop it if it belongs to this command. Idempotent. */
    public void stop()
    {
        if (isOwn)
        {
            cluster.resume();
            cluster.stop(Deadline.in(STOP_TIMEOUT_NS), progress);
        }
    }

    /** Delete its logs if it belongs to this command and is stopped. */
    public void deleteData()
    {
        if (isOwn)
        {
            cluster.deleteData();
        }
    }

    /** Kill its processes if it belongs to this command, before this process ends; any thread. */
    public void abandon()
    {
        if (isOwn)
        {
            cluster.members().stream().filter(ClusterMember::isAlive).forEach(ClusterMember::kill);
            cluster.members().stream().filter((member) -> member.awaitExit(ABANDON_TIMEOUT_NS))
                .forEach(ClusterMember::cleanUp);
        }
    }

    @Override
    public void close()
    {
        stop();
    }

    private static MemberLauncher launcher()
    {
        final Path jar = JavaCommand.placeOf(TestCluster.class).resolveSibling("cluster-node.jar");
        return new MemberLauncher(jar, jar.resolveSibling(MemberLauncher.JVM_OPTIONS), List.of());
    }
}

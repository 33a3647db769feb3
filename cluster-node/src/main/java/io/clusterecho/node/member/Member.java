package io.clusterecho.node.member;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.function.Consumer;

import io.aeron.cluster.service.ClusteredService;

import org.agrona.CloseHelper;
import org.agrona.IoUtil;

import io.clusterecho.host.HostFiles;
import io.clusterecho.media.driver.DriverLauncher;
import io.clusterecho.media.driver.DriverPlan;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.service.EchoService;
import io.clusterecho.threads.Compilers;

/**
 * The four components of one member, or those of a backup, running.
 * <pre>
 *   clients - ingress -&gt; consensus module - log -&gt; archive, followers
 *                              |  commit position
 *   clients &lt;- egress -  service container            all through one media driver
 * </pre>
 * Of a backup, only driver and archive, and an agent that has the archive copy log and snapshots of a member.
 * <p>
 * Launched by the constructor, closed once, both by the same thread.
 */
final class Member implements AutoCloseable
{
    private final NodeConfig config;
    private final Components components;
    private MemberWatch watch;

    Member(
        final NodeConfig config,
        final ClusteredService service,
        final MemberFolder folder,
        final MemberFaults faults,
        final PrintStream out)
    {
        final Consumer<String> log = (line) -> out.println(config.processName() + ": " + line);
        final MemberContexts contexts = new MemberContexts(
            config, folder, faults, new MemberThreads(config, HostFiles.ofThisMachine(), log));
        final Profile profile = Profile.of(config.profile());
        final DriverLauncher driver = new DriverLauncher(
            config.driver(), profile.driverIdle(), (line) -> out.println(config.processName() + " driver: " + line),
            faults::onDriverEnd);
        this.config = config;
        if (service instanceof EchoService echoService)
        {
            contexts.stageStamps().ifPresent(echoService::stageStamps);
        }
        components = Profile.COMPACT == profile ?
            new CompactComponents(contexts, driver, faults) : new Components(contexts, driver);
        try
        {
            // Nothing drives the embedded driver while the member copies.
            final DriverLauncher copying = !config.driver().isEmbedded() ? driver :
                new DriverLauncher(DriverPlan.JAVA, driver.idle(), driver.log(), driver.onEnd());
            final long seedLength = config.isBackup() ? -1 : new Seeding(config, folder, contexts, copying).run();
            if (seedLength >= 0)
            {
                log.accept("copied the log up to position " + seedLength + ", and the newest snapshot if there is one");
            }
            if (config.isFirstCompilerAlone())
            {
                log.accept(Compilers.useFirstAlone());
            }
            components.launch(service);
            watch = new MemberWatch(
                config.processName(), contexts.clusterId(), folder, config.aeronDir(), contexts.threads,
                contexts.isOnWallClock() && !config.isBackup() ? faults::onClockLag : (lagMs) -> {}, out).start();
        }
        catch (final IOException | RuntimeException ex)
        {
            closeAfter(ex);
            throw ex instanceof IOException failure ? new UncheckedIOException(failure) : (RuntimeException)ex;
        }
    }

    /** Close the components in the order that passes on leadership at once. */
    @Override
    public void close()
    {
        CloseHelper.quietClose(watch);
        try
        {
            components.close();
        }
        finally
        {
            // A driver that failed to start or to close leaves its folder.
            IoUtil.delete(config.aeronDir().toFile(), true);
        }
    }

    private void closeAfter(final Exception cause)
    {
        try
        {
            close();
        }
        catch (final RuntimeException ex)
        {
            cause.addSuppressed(ex);
        }
    }
}

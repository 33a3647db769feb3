package io.clusterecho.node.member;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import io.aeron.Counter;
import io.aeron.RethrowingErrorHandler;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveCounters;
import io.aeron.cluster.ClusterBackup;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.service.ClusterCounters;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.cluster.service.ClusteredServiceContainer;
import io.aeron.cluster.service.RecoveryState;
import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;

import org.agrona.CloseHelper;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.LangUtil;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpLock;
import org.agrona.concurrent.status.CountersReader;

import io.clusterecho.media.link.SocketIdleStrategy;
import io.clusterecho.media.link.SocketIdleStrategy.DatagramWait;
import io.clusterecho.media.link.SocketWatch;
import io.clusterecho.node.config.MemberEndpoints;
import io.clusterecho.threads.Uninterrupted;

/**
 * Components that share one thread, see {@link DutyCycle}. Driver, archive and consensus module can run as invoked agents; the
 * service container requires a runner, of which only the agent is used. With a driver in a separate process, the thread here
 * runs the rest.
 * <p>
 * Each component has an Aeron client that is made here and drives the driver while the component waits for it, because no other
 * thread would. Clients made by the components could not, or, like the archive's, would drive the driver three times per turn.
 * The clients of the others are not driven meanwhile. They allow that for 10 s, after which the wait itself fails: with lookups
 * of host names of 6 s each, of which the driver did two before it answered, a member ended by that (docs/KUBERNETES.md).
 */
final class CompactComponents extends Components
{
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    /**
     * Log entries per turn of a consensus module that replays or follows, times the services. These read no further than the
     * consensus module has read, and each answers a timer entry with a request for the next timer. The consensus module handles
     * 25 requests per turn, so it must not read entries for more: requests would pile up until they fill their terms, and a
     * service would then wait within its turn for a consensus module that cannot run.
     */
    private static final int MAX_LOG_FRAGMENTS = 20;

    private final CompletableFuture<Void> launched = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private Thread thread;
    private SocketWatch watch;
    private IdleStrategy idleStrategy;
    private Aeron archiveClient;
    private volatile DutyCycle dutyCycle;
    private Aeron consensusModuleClient;
    private Aeron serviceClient;
    private AgentRunner serviceRunner;
    private final List<AgentInvoker> services = new ArrayList<>();
    private Aeron backupClient;

    CompactComponents(final MemberContexts contexts)
    {
        super(contexts);
    }

    @Override
    void launch(final List<ClusteredService> clusteredServices) throws IOException
    {
        thread = new Thread(() -> carry(clusteredServices), "duty-cycle");
        thread.start();
        join(launched);
    }

    @Override
    public void close()
    {
        if (launched.isDone() && !launched.isCompletedExceptionally())
        {
            dutyCycle.stop();
        }

        if (null == thread)
        {
            // It was never launched.
            return;
        }
        Uninterrupted.join(thread, STOP_TIMEOUT_NS);
        // Not at once: an interrupt closes each socket and file channel that the thread uses next.
        thread.interrupt();
        Uninterrupted.join(thread);
        join(closed);
    }

    private static void join(final CompletableFuture<Void> step)
    {
        try
        {
            step.join();
        }
        catch (final CompletionException ex)
        {
            LangUtil.rethrowUnchecked(ex.getCause());
        }
    }

    /** The archive must be run by the thread that launched it, so this method covers the whole life cycle. */
    private void carry(final List<ClusteredService> clusteredServices)
    {
        try
        {
            contexts.threads.enter();
            launchAll(clusteredServices);
            launched.complete(null);
            dutyCycle.run(() -> contexts.faults.onTermination(MemberFaults.Component.CONSENSUS_MODULE));
        }
        catch (final IOException | RuntimeException ex)
        {
            if (!launched.completeExceptionally(ex))
            {
                contexts.faults.onError(MemberFaults.Component.CONSENSUS_MODULE, ex);
                contexts.faults.onTermination(MemberFaults.Component.CONSENSUS_MODULE);
            }
        }

        try
        {
            closeAll();
            closed.complete(null);
        }
        // Closing throws what is checked too, without declaring it.
        catch (final Exception ex)
        {
            closed.completeExceptionally(ex);
        }
    }

    private void launchAll(final List<ClusteredService> clusteredServices) throws IOException
    {
        // Only the Java driver reads its sockets, and waits at them, by this thread.
        watch = contexts.driverLauncher.plan().isJava() ? SocketWatch.open() : SocketWatch.NONE;
        if (contexts.config.members().stream().map(MemberEndpoints::host).allMatch(MemberEndpoints::isAddress))
        {
            // The driver's name resolver; it would look for work a thousand times a second even with addresses only. A property,
            // because the context of earlier versions of Aeron has none.
            final String key = Configuration.ASYNC_EXECUTOR_ENABLED_PROP_NAME;
            AeronKey.unlessSet(key, () -> System.setProperty(key, "false"));
        }
        final MediaDriver.Context driverContext = contexts.driver(watch);
        driver = contexts.launchDriver(contexts.driverLauncher, driverContext);
        idleStrategy = idleStrategy(SocketWatch.NONE == watch ? driver.datagramWait() : watch, driverContext);
        launchArchive();
        dutyCycle = new DutyCycle(watch, driver.invoker(), archive.invoker(), idleStrategy);
        if (contexts.config.isBackup())
        {
            launchBackup();
            return;
        }
        consensusModuleClient = client("consensus-module", MemberFaults.Component.CONSENSUS_MODULE);
        serviceClient = client("service", MemberFaults.Component.SERVICE);
        clusteredServices.forEach(this::launchContainer);
        dutyCycle.services(services, () -> CountersReader.NULL_COUNTER_ID !=
            RecoveryState.findCounterId(consensusModuleClient.countersReader(), contexts.clusterId()));
        launchConsensusModule();
    }

    private void closeAll()
    {
        try
        {
            CloseHelper.closeAll(
                backup, backupClient, consensusModule, consensusModuleClient, () -> CloseHelper.closeAll(services),
                serviceClient);
        }
        finally
        {
            if (null != dutyCycle)
            {
                dutyCycle.linger(LINGER_NS);
            }
            CloseHelper.closeAll(archive, archiveClient, driver, watch);
        }
    }

    private void launchArchive()
    {
        archiveClient = client("archive", MemberFaults.Component.ARCHIVE);
        final Counter errorCounter = ArchiveCounters.allocate(
            archiveClient, new ExpandableArrayBuffer(), AeronCounters.ARCHIVE_ERROR_COUNT_TYPE_ID, "Archive Errors",
            archiveClient.clientId());
        final Archive.Context ctx = contexts.archive()
            .aeron(archiveClient)
            .archiveId(archiveClient.clientId())
            .errorCounter(errorCounter);
        archive = Archive.launch(ctx);
        archiveClient.context().errorHandler(ctx.countedErrorHandler());
    }

    /** Launched before the consensus module, whose launch waits for the service. */
    private void launchContainer(final ClusteredService clusteredService)
    {
        final ClusteredServiceContainer.Context ctx = contexts.container(services.size(), clusteredService)
            .aeron(serviceClient)
            // Its thread has nothing to do and ends at once. The runner is neither run nor closed, because that would close the
            // agent a second time.
            .threadFactory((runner) ->
            {
                serviceRunner = (AgentRunner)runner;
                return new Thread(() -> {});
            })
            .idleStrategySupplier(() -> dutyCycle.serviceWait(consensusModuleClient.conductorAgentInvoker()));
        ctx.archiveContext().agentInvoker(dutyCycle.archiveWait(consensusModuleClient.conductorAgentInvoker()));
        ClusteredServiceContainer.launch(ctx);
        serviceClient.context().errorHandler(ctx.countedErrorHandler());

        services.add(new AgentInvoker(ctx.errorHandler(), ctx.errorCounter(), serviceRunner.agent()));
    }

    private void launchConsensusModule()
    {
        final Counter errorCounter = ClusterCounters.allocate(
            consensusModuleClient, new ExpandableArrayBuffer(), "Cluster Errors",
            AeronCounters.CLUSTER_CONSENSUS_MODULE_ERROR_COUNT_TYPE_ID, contexts.clusterId());
        final ConsensusModule.Context ctx = contexts.consensusModule()
            .aeron(consensusModuleClient)
            .errorCounter(errorCounter)
            .useAgentInvoker(true)
            .idleStrategySupplier(() -> dutyCycle.consensusModuleWait(contexts.faults::isDecided));
        ctx.logFragmentLimit(Math.min(ctx.logFragmentLimit(), Math.max(1, MAX_LOG_FRAGMENTS / services.size())));
        ctx.archiveContext().agentInvoker(dutyCycle.archiveWait(serviceClient.conductorAgentInvoker()));
        consensusModule = ConsensusModule.launch(ctx);
        consensusModuleClient.context().errorHandler(ctx.countedErrorHandler());
        dutyCycle.consensusModule = consensusModule.conductorAgentInvoker();
        if (null != contexts.stages)
        {
            dutyCycle.afterLogTurn = contexts.stages::sample;
        }
    }

    private void launchBackup()
    {
        backupClient = client("cluster-backup", MemberFaults.Component.BACKUP);
        final Counter errorCounter = ClusterCounters.allocate(
            backupClient, new ExpandableArrayBuffer(), "ClusterBackup Errors", AeronCounters.CLUSTER_BACKUP_ERROR_COUNT_TYPE_ID,
            contexts.clusterId());
        final ClusterBackup.Context ctx = contexts.backup()
            .aeron(backupClient)
            .errorCounter(errorCounter)
            .useAgentInvoker(true);
        final AgentInvoker wait = dutyCycle.archiveWait(backupClient.conductorAgentInvoker());
        ctx.archiveContext().agentInvoker(wait);
        ctx.clusterArchiveContext().agentInvoker(wait);
        backup = ClusterBackup.launch(ctx);
        backupClient.context().errorHandler(ctx.countedErrorHandler());
        dutyCycle.consensusModule = backup.conductorAgentInvoker();
    }

    /** The idle strategy of a driver with one thread; its context ignores one that is set only by an Aeron key. */
    private IdleStrategy idleStrategy(final DatagramWait datagrams, final MediaDriver.Context driverContext)
    {
        if (null != datagrams && null == System.getProperty(Configuration.SHARED_IDLE_STRATEGY_PROP_NAME))
        {
            return new SocketIdleStrategy(datagrams, contexts.isDueSoon);
        }

        final IdleStrategy derived = driverContext.sharedIdleStrategy();
        return null == derived ? Configuration.sharedIdleStrategy(null) : derived;
    }

    private Aeron client(final String name, final MemberFaults.Component component)
    {
        return Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(contexts.config.aeronDir().toString())
            .useConductorAgentInvoker(true)
            .driverAgentInvoker(watch.looking(driver.invoker()))
            // For a driver with threads: the default would stall the whole member for 16 ms at a time.
            .awaitingIdleStrategy(idleStrategy)
            .clientLock(NoOpLock.INSTANCE)
            .subscriberErrorHandler(RethrowingErrorHandler.INSTANCE)
            .errorHandler(contexts.faults.handlerOf(component))
            .clientName(name));
    }
}

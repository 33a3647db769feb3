package io.clusterecho.node.member;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

import io.clusterecho.media.link.SocketWatch;

import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;

/**
 * Duty cycle of the one thread that runs a whole member, including what it runs while one agent waits within its turn.
 * <pre>
 *   consensus module  -&gt;  service  -&gt;  archive  -&gt;  driver         "waits for"
 * </pre>
 * A waiting agent drives those to its right and none to its left: one to its left may be on the stack, or may start to wait
 * for the waiting agent and never return. So a long turn of the service, such as a snapshot, delays the consensus module. Of
 * agents to the left, only the Aeron clients are driven, which would otherwise time out.
 * <p>
 * Only {@link #stop()} may be called by another thread.
 */
final class DutyCycle
{
    /** Work of a turn that has moved a long datagram; the driver counts bytes. */
    private static final int LONG_DATAGRAM = 1_200;

    private static final AgentInvoker NOBODY = null;

    private final SocketWatch watch;
    private final AgentInvoker driver;
    private final AgentInvoker archive;
    private final IdleStrategy idleStrategy;
    private BooleanSupplier isGivenUp = () -> false;
    private BooleanSupplier canServiceStart = () -> true;
    private List<AgentInvoker> services = List.of();
    AgentInvoker consensusModule = NOBODY;
    /** Takes almost no time; run after each turn of archive and consensus module, which move the positions of the log. */
    Runnable afterLogTurn = () -> { };
    private boolean isServiceOnStack;
    /** Whether no other agent had work in the last round: heartbeats and timers do not mean that a message is coming. */
    private boolean isDriverAlone;
    private volatile boolean isRunning = true;

    /**
     * A duty cycle with the two agents that never wait for others; the watch is of the sockets of a Java driver, and the
     * driver null if it has threads.
     */
    DutyCycle(
        final SocketWatch watch, final AgentInvoker driver, final AgentInvoker archive, final IdleStrategy idleStrategy)
    {
        this.watch = watch;
        this.driver = driver;
        this.archive = archive;
        this.idleStrategy = idleStrategy;
    }

    /**
     * Add the services. Each starts in its first turn, in which it waits for a message that the consensus module must have sent.
     */
    void services(final List<AgentInvoker> services, final BooleanSupplier canStart)
    {
        this.services = services;
        canServiceStart = canStart;
    }

    /** Invoker of archive, driver and another client for a client of the archive that waits for an answer. */
    AgentInvoker archiveWait(final AgentInvoker otherClient)
    {
        return SocketWatch.invoker("archive-wait", () -> driveArchive() + otherClient.invoke());
    }

    /**
     * Idle strategy for the consensus module while it waits; giving up ends a wait before {@link #run(Runnable)} with an
     * exception.
     */
    IdleStrategy consensusModuleWait(final BooleanSupplier isGivenUp)
    {
        this.isGivenUp = isGivenUp;
        return new Wait(() -> driveArchive() + takeServiceTurn());
    }

    IdleStrategy serviceWait(final AgentInvoker consensusModuleClient)
    {
        return new Wait(() -> driveArchive() + consensusModuleClient.invoke());
    }

    /** Run rounds until {@link #stop()}; the action is called once if driver, archive or consensus module end before that. */
    void run(final Runnable onDeath)
    {
        isGivenUp = () -> false;
        boolean isAlive = true;
        while (isRunning)
        {
            final int workCount = doWork();
            if (!isDriverAlone)
            {
                idleStrategy.idle(workCount);
            }
            final boolean isDriverDead = NOBODY != driver && driver.isClosed();
            if (isAlive && (isDriverDead || archive.isClosed() || consensusModule.isClosed()))
            {
                isAlive = false;
                onDeath.run();
            }
        }
    }

    /** Make {@link #run(Runnable)} return after the present round. */
    void stop()
    {
        isRunning = false;
    }

    /**
     * One round, in the order in which a message moves: from the network, into the log, to the service; replies leave at the
     * beginning of the next round.
     */
    int doWork()
    {
        final int driverWorkCount = takeDriverTurns();
        final int otherWorkCount = takeLogTurn(archive) + takeLogTurn(consensusModule) + takeServiceTurn();
        isDriverAlone = driverWorkCount > 0 && 0 == otherWorkCount;
        return driverWorkCount + otherWorkCount;
    }

    /** Run driver and archive for a while, so that they finish work of other components. */
    void linger(final long durationNs)
    {
        final long deadlineNs = System.nanoTime() + durationNs;
        while (System.nanoTime() - deadlineNs < 0)
        {
            idleStrategy.idle(driveArchive());
        }
    }

    private int driveArchive()
    {
        return takeDriverTurns() + takeLogTurn(archive);
    }

    private int takeLogTurn(final AgentInvoker agent)
    {
        final int workCount = agent.invoke();
        afterLogTurn.run();
        return workCount;
    }

    private int takeDriverTurns()
    {
        return NOBODY == driver ? 0 : watch.drive(driver, LONG_DATAGRAM);
    }

    private int takeServiceTurn()
    {
        // Without its consensus module, the service could only report missing counters.
        if (isServiceOnStack || NOBODY != consensusModule && consensusModule.isClosed())
        {
            return 0;
        }

        isServiceOnStack = true;
        try
        {
            int workCount = 0;
            for (int i = 0, count = services.size(); i < count; i++)
            {
                final AgentInvoker service = services.get(i);
                if (!service.isStarted())
                {
                    if (!canServiceStart.getAsBoolean())
                    {
                        return 0;
                    }
                    service.start();
                }
                workCount += service.invoke();
            }
            return workCount;
        }
        finally
        {
            isServiceOnStack = false;
        }
    }

    private final class Wait implements IdleStrategy
    {
        private final IntSupplier drive;

        private Wait(final IntSupplier drive)
        {
            this.drive = drive;
        }

        @Override
        public void idle(final int workCount)
        {
            if (workCount <= 0)
            {
                idle();
            }
        }

        @Override
        public void idle()
        {
            if (isGivenUp.getAsBoolean())
            {
                throw new AgentTerminationException("stopped before it was ready");
            }
            idleStrategy.idle(drive.getAsInt());
        }

        @Override
        public void reset()
        {
            idleStrategy.reset();
        }
    }
}

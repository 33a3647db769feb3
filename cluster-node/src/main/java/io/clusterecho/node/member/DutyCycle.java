package io.clusterecho.node.member;

import java.util.function.BooleanSupplier;

import io.aeron.RethrowingErrorHandler;

import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;

/**
 * The round of the one thread that carries a member, and what that thread does while an agent waits within its turn.
 * <pre>
 *   consensus module  -&gt;  service  -&gt;  archive  -&gt;  driver         "waits for"
 * </pre>
 * Whoever waits drives those to its right and none to its left, since one to its left may be on the stack, or may begin to
 * wait for the waiting one and never return. So a long turn of the service, such as a snapshot, holds up the consensus
 * module. Of those to its left only their Aeron clients are driven, which would give themselves up otherwise.
 * <p>
 * Only {@link #stop()} may be called by another thread.
 */
final class DutyCycle
{
    /** Turns of a busy driver in one round. */
    static final int MAX_DRIVER_TURNS = 4;

    private static final AgentInvoker NOBODY = null;

    private final AgentInvoker driver;
    private final AgentInvoker archive;
    private final IdleStrategy idleStrategy;
    private BooleanSupplier isGivenUp = () -> false;
    private BooleanSupplier canServiceStart = () -> true;
    private AgentInvoker service = NOBODY;
    private AgentInvoker consensusModule = NOBODY;
    private Runnable afterLogTurn = () -> { };
    private boolean isServiceOnStack;
    /** Whether nobody else had work in the last round: heartbeats and timers are no sign that a message is on its way. */
    private boolean isDriverAlone;
    private volatile boolean isRunning = true;

    /**
     * A duty cycle for two that never wait for others.
     *
     * @param driver       of the member, or null for one that has threads of its own.
     * @param archive      of the member.
     * @param idleStrategy for when nobody has work.
     */
    DutyCycle(final AgentInvoker driver, final AgentInvoker archive, final IdleStrategy idleStrategy)
    {
        this.driver = driver;
        this.archive = archive;
        this.idleStrategy = idleStrategy;
    }

    /**
     * Take the service in. Its first turn starts it, for it waits in there for what the consensus module tells it.
     *
     * @param service  not started.
     * @param canStart whether the consensus module has told it, asked before each turn until then.
     */
    void service(final AgentInvoker service, final BooleanSupplier canStart)
    {
        this.service = service;
        canServiceStart = canStart;
    }

    /**
     * Take the consensus module in.
     *
     * @param consensusModule started.
     */
    void consensusModule(final AgentInvoker consensusModule)
    {
        this.consensusModule = consensusModule;
    }

    /**
     * Have something done after each turn of the archive and of the consensus module, which move the positions of the log.
     *
     * @param action that takes next to no time.
     */
    void afterLogTurn(final Runnable action)
    {
        afterLogTurn = action;
    }

    /**
     * How a client of the archive waits for an answer.
     *
     * @param otherClient of the component that does not wait.
     * @return invoker that drives archive and driver, which nobody needs to close.
     */
    AgentInvoker archiveWait(final AgentInvoker otherClient)
    {
        final AgentInvoker invoker = new AgentInvoker(RethrowingErrorHandler.INSTANCE, null, new Agent()
        {
            @Override
            public int doWork()
            {
                return driveArchive() + otherClient.invoke();
            }

            @Override
            public String roleName()
            {
                return "archive-wait";
            }
        });
        invoker.start();
        return invoker;
    }

    /**
     * How the consensus module waits.
     *
     * @param isGivenUp asked while it waits before {@link #run(Runnable)}: whether to end it rather than to wait on.
     * @return its idle strategy.
     */
    IdleStrategy consensusModuleWait(final BooleanSupplier isGivenUp)
    {
        this.isGivenUp = isGivenUp;
        return new Wait()
        {
            @Override
            int drive()
            {
                return driveArchive() + takeServiceTurn();
            }
        };
    }

    /**
     * How the service waits.
     *
     * @param consensusModuleClient Aeron client of the consensus module.
     * @return its idle strategy.
     */
    IdleStrategy serviceWait(final AgentInvoker consensusModuleClient)
    {
        return new Wait()
        {
            @Override
            int drive()
            {
                return driveArchive() + consensusModuleClient.invoke();
            }
        };
    }

    /**
     * Go round until told to stop.
     *
     * @param onDeath called once if driver, archive or consensus module end before that.
     */
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
            if (isAlive && (isDriverDead() || archive.isClosed() || consensusModule.isClosed()))
            {
                isAlive = false;
                onDeath.run();
            }
        }
    }

    /**
     * Let {@link #run(Runnable)} return after the round that is under way.
     */
    void stop()
    {
        isRunning = false;
    }

    /**
     * One round, in the order in which a message moves: in from the network, into the log, to the service; what is sent
     * leaves at the beginning of the next round.
     *
     * @return work count.
     */
    int doWork()
    {
        final int driverWorkCount = takeDriverTurns();
        final int otherWorkCount = takeArchiveTurn() + takeConsensusModuleTurn() + takeServiceTurn();
        isDriverAlone = driverWorkCount > 0 && 0 == otherWorkCount;
        return driverWorkCount + otherWorkCount;
    }

    /**
     * Let driver and archive finish what others began.
     *
     * @param durationNs how long.
     */
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
        return takeDriverTurns() + takeArchiveTurn();
    }

    private int takeArchiveTurn()
    {
        final int workCount = archive.invoke();
        afterLogTurn.run();
        return workCount;
    }

    private int takeConsensusModuleTurn()
    {
        final int workCount = consensusModule.invoke();
        afterLogTurn.run();
        return workCount;
    }

    /**
     * A turn of the driver sends at most one datagram of each stream and receives at most one from each socket. So it gets
     * more turns while it has work, or it would cap the rate; not without end, since others have to take what it received.
     */
    private int takeDriverTurns()
    {
        int workCount = 0;
        int turnWorkCount;
        int turnCount = 0;
        do
        {
            turnWorkCount = NOBODY == driver ? 0 : driver.invoke();
            workCount += turnWorkCount;
        }
        while (turnWorkCount > 0 && ++turnCount < MAX_DRIVER_TURNS);

        return workCount;
    }

    private boolean isDriverDead()
    {
        return NOBODY != driver && driver.isClosed();
    }

    private int takeServiceTurn()
    {
        if (isServiceOnStack || NOBODY == service || isConsensusModuleDead())
        {
            return 0;
        }

        isServiceOnStack = true;
        try
        {
            if (!service.isStarted())
            {
                if (!canServiceStart.getAsBoolean())
                {
                    return 0;
                }
                service.start();
            }
            return service.invoke();
        }
        finally
        {
            isServiceOnStack = false;
        }
    }

    /**
     * Without its consensus module the service could only complain that the counters are gone.
     */
    private boolean isConsensusModuleDead()
    {
        return NOBODY != consensusModule && consensusModule.isClosed();
    }

    private abstract class Wait implements IdleStrategy
    {
        abstract int drive();

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
                throw new AgentTerminationException("asked to stop before it was ready");
            }
            idleStrategy.idle(drive());
        }

        @Override
        public void reset()
        {
            idleStrategy.reset();
        }
    }
}

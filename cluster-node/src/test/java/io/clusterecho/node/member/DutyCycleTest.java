package io.clusterecho.node.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.clusterecho.media.link.SocketWatch;

import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.junit.jupiter.api.Test;

class DutyCycleTest
{
    private final List<String> turns = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();
    private final AgentInvoker driver = started("driver", () -> {});
    private final AgentInvoker archive = started("archive", () -> {});
    private final AgentInvoker client = started("client", () -> {});
    private final DutyCycle dutyCycle = new DutyCycle(SocketWatch.NONE, driver, archive, NoOpIdleStrategy.INSTANCE);
    private boolean canServiceStart = true;
    private int driverWorkCount;
    private int otherWorkCount = 1;
    private DutyCycle stopped;

    @Test
    void shouldRunEachAgentInTheOrderOfAMessage()
    {
        carry(() -> {}, () -> {});

        assertThat(dutyCycle.doWork()).isEqualTo(3);

        assertThat(turns).containsExactly("driver", "archive", "consensus module", "service starts", "service");
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldSampleTheLogAfterTheAgentsThatMoveItAndBeforeTheService()
    {
        carry(() -> {}, () -> {});
        dutyCycle.afterLogTurn = () -> turns.add("look");

        dutyCycle.doWork();

        assertThat(turns).containsExactly(
            "driver", "archive", "look", "consensus module", "look", "service starts", "service");
    }

    @Test
    void shouldGiveABusyDriverABoundedNumberOfExtraTurns()
    {
        driverWorkCount = 1408;
        carry(() -> {}, () -> {});

        dutyCycle.doWork();

        assertThat(turns.subList(0, SocketWatch.MAX_DRIVER_TURNS)).containsOnly("driver");
        assertThat(turns.subList(SocketWatch.MAX_DRIVER_TURNS, turns.size()))
            .containsExactly("archive", "consensus module", "service starts", "service");
    }

    @Test
    void shouldGiveADriverThatMovesShortDatagramsOneTurn()
    {
        driverWorkCount = 96;
        carry(() -> {}, () -> {});

        dutyCycle.doWork();

        assertThat(turns).containsExactly("driver", "archive", "consensus module", "service starts", "service");
    }

    @Test
    void shouldDriveTheServiceWhileTheConsensusModuleWaitsForIt()
    {
        final IdleStrategy wait = dutyCycle.consensusModuleWait(() -> false);
        carry(wait::idle, () -> {});

        dutyCycle.doWork();

        assertThat(turns).containsExactly(
            "driver", "archive", "consensus module", "driver", "archive", "service starts", "service", "service");
    }

    @Test
    void shouldDriveTheServiceBeforeTheConsensusModuleIsUp()
    {
        dutyCycle.services(List.of(service(() -> {})), () -> true);

        dutyCycle.consensusModuleWait(() -> false).idle(0);

        assertThat(turns).containsExactly("driver", "archive", "service starts", "service");
    }

    @Test
    void shouldNotStartTheServiceBeforeTheConsensusModuleHasSentItsStartPosition()
    {
        canServiceStart = false;
        carry(() -> {}, () -> {});

        dutyCycle.doWork();
        assertThat(turns).doesNotContain("service starts", "service");

        canServiceStart = true;
        dutyCycle.doWork();
        assertThat(turns).containsOnlyOnce("service starts", "service");
    }

    @Test
    void shouldNotEnterTheConsensusModuleWhileTheServiceWaits()
    {
        final IdleStrategy wait = dutyCycle.serviceWait(client);
        carry(() -> {}, wait::idle);

        dutyCycle.doWork();

        assertThat(turns).containsExactly(
            "driver", "archive", "consensus module", "service starts", "service", "driver", "archive", "client");
    }

    @Test
    void shouldNotEnterTheServiceWhileItIsOnTheStack()
    {
        final IdleStrategy wait = dutyCycle.consensusModuleWait(() -> false);
        carry(() -> {}, wait::idle);

        dutyCycle.doWork();

        assertThat(turns).containsOnlyOnce("service");
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldDriveArchiveDriverAndTheOtherClientWhileAClientOfTheArchiveWaits()
    {
        assertThat(dutyCycle.archiveWait(client).invoke()).isEqualTo(2);

        assertThat(turns).containsExactly("driver", "archive", "client");
    }

    @Test
    void shouldNotDriveOthersAfterWork()
    {
        dutyCycle.consensusModuleWait(() -> false).idle(1);

        assertThat(turns).isEmpty();
    }

    @Test
    void shouldEndAWaitBeforeItRunsIfTheMemberIsToStop()
    {
        final IdleStrategy wait = dutyCycle.consensusModuleWait(() -> true);

        assertThatThrownBy(wait::idle).isInstanceOf(AgentTerminationException.class);
        assertThat(turns).isEmpty();
    }

    @Test
    void shouldReportADeadComponentOnceAndKeepRunningTheOthers()
    {
        final AtomicInteger deathCount = new AtomicInteger();
        final AtomicInteger turnCount = new AtomicInteger();
        final AgentInvoker counter = started("driver", () -> stopAfter(turnCount, 3));
        stopped = new DutyCycle(SocketWatch.NONE, counter, archive, NoOpIdleStrategy.INSTANCE);
        stopped.consensusModule = started("consensus module", () ->
        {
            throw new AgentTerminationException("expected");
        });

        stopped.run(deathCount::incrementAndGet);

        assertThat(deathCount).hasValue(1);
        assertThat(turnCount).hasValue(3);
        assertThat(errors).singleElement().isInstanceOf(AgentTerminationException.class);
    }

    @Test
    void shouldLeaveTheServiceAloneOnceTheConsensusModuleIsDead()
    {
        carry(
            () ->
            {
                throw new AgentTerminationException("expected");
            },
            () -> {});

        dutyCycle.doWork();
        dutyCycle.doWork();

        assertThat(turns).containsExactly("driver", "archive", "consensus module", "driver", "archive");
    }

    @Test
    void shouldNotWaitWhenOnlyTheDriverHasWork()
    {
        assertThat(idledAfterARound(0, 0)).containsExactly(0);
        assertThat(idledAfterARound(0, 1)).containsExactly(2);
        assertThat(idledAfterARound(1, 1)).containsExactly(3);
        assertThat(idledAfterARound(1, 0)).isEmpty();
    }

    private List<Integer> idledAfterARound(final int ofDriver, final int ofOthers)
    {
        final List<Integer> workCounts = new ArrayList<>();
        driverWorkCount = ofDriver;
        otherWorkCount = ofOthers;
        stopped = new DutyCycle(SocketWatch.NONE, driver, archive, new IdleStrategy()
        {
            @Override
            public void idle(final int workCount)
            {
                workCounts.add(workCount);
            }

            @Override
            public void idle()
            {
                workCounts.add(-1);
            }

            @Override
            public void reset()
            {
                // There is nothing to forget.
            }
        });
        stopped.consensusModule = started("consensus module", stopped::stop);
        stopped.run(() -> {});
        return workCounts;
    }

    private void stopAfter(final AtomicInteger turnCount, final int count)
    {
        if (turnCount.incrementAndGet() == count)
        {
            stopped.stop();
        }
    }

    private void carry(final Runnable consensusModuleWork, final Runnable serviceWork)
    {
        dutyCycle.services(List.of(service(serviceWork)), () -> canServiceStart);
        dutyCycle.consensusModule = started("consensus module", consensusModuleWork);
    }

    private AgentInvoker service(final Runnable work)
    {
        return invoker("service", () -> turns.add("service starts"), work);
    }

    private AgentInvoker started(final String name, final Runnable work)
    {
        final AgentInvoker invoker = invoker(name, () -> {}, work);
        invoker.start();
        return invoker;
    }

    private AgentInvoker invoker(final String name, final Runnable start, final Runnable work)
    {
        return new AgentInvoker(errors::add, null, new Agent()
        {
            @Override
            public void onStart()
            {
                start.run();
            }

            @Override
            public int doWork()
            {
                turns.add(name);
                work.run();
                return "driver".equals(name) ? driverWorkCount : otherWorkCount;
            }

            @Override
            public String roleName()
            {
                return name;
            }
        });
    }
}

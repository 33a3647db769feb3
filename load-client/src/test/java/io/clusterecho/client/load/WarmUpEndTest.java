package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.function.LongConsumer;

import com.sun.management.ThreadMXBean;

import io.clusterecho.client.schedule.BatchedSchedule;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.schedule.PoissonSchedule;
import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.client.transport.SendResult;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunPhase;

import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;

/** A warm-up that ends before the time that was planned for it. */
class WarmUpEndTest
{
    private static final long RATE = 1_000;
    private static final long MS = 1_000_000;
    private static final long STEP_NS = 10_000;
    private static final int MEASURED_COUNT = 900;

    private final ManualRun run = new ManualRun();

    @Test
    void shouldMeasureTheWholeWindowFromTheFirstMessageDueAfterwards()
    {
        final LoadOutcome outcome = execute(plan(500, Delivery.AT_MOST_ONCE), 200);

        // Message 200 is due when the request is taken.
        assertThat(run.agent.plan().warmUpCount()).isEqualTo(201);
        assertThat(outcome.of(Counter.SCHEDULED)).isEqualTo(MEASURED_COUNT);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(MEASURED_COUNT);
        assertThat(outcome.of(Counter.WARM_UP_SKIPPED)).isZero();
        assertThat(outcome.lastAnswerNs()).isEqualTo((MEASURED_COUNT - 1) * MS);
        assertThat(run.responseTimes.getTotalCount()).isEqualTo(MEASURED_COUNT);
        assertThat(run.agent.phaseOf(0, 150 * MS)).isEqualTo(RunPhase.WARM_UP);
        assertThat(run.agent.phaseOf(250 * MS, 350 * MS)).isEqualTo(RunPhase.MEASURE);
        assertThat(run.agent.phaseOf(1_050 * MS, 1_150 * MS)).isEqualTo(RunPhase.MEASURE);
        assertThat(run.agent.phaseOf(1_150 * MS, 1_250 * MS)).isEqualTo(RunPhase.DRAIN);
    }

    @Test
    void shouldAgreeOnTheMessageOverAllSessionsAndArrivals()
    {
        final int count = 7;
        final LoadPlan plan = new LoadPlan(
            RATE, 64, 500, MEASURED_COUNT, count, 1_000 * MS, 10_000 * MS, 1024, Delivery.AT_MOST_ONCE);
        final Transport[] transports = new Transport[count];
        for (int i = 0; i < count; i++)
        {
            transports[i] = echo();
        }
        final LoadOutcome outcome = run.execute(
            plan, new BatchedSchedule(new PoissonSchedule(RATE, plan.messageCount(), 3), 4), STEP_NS, request(200), transports);

        final long warmUpCount = run.agent.plan().warmUpCount();
        assertThat(warmUpCount % 4).as("a batch is not split").isZero();
        assertThat(warmUpCount).isBetween(150L, 250L);
        assertThat(outcome.of(Counter.SCHEDULED)).isEqualTo(MEASURED_COUNT);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(MEASURED_COUNT);
        assertThat(run.responseTimes.getTotalCount()).isEqualTo(MEASURED_COUNT);
        assertThat(run.agent.answeredCount()).isEqualTo(warmUpCount + MEASURED_COUNT);
    }

    @Test
    void shouldDropWhatIsBehindAtTheEnd()
    {
        final ScriptedTransport transport = echo();
        final LoadOutcome outcome = run.execute(
            plan(500, Delivery.AT_MOST_ONCE), new ConstantSchedule(RATE), STEP_NS, (timeNs) ->
            {
                transport.sendResult = timeNs >= 150 * MS && timeNs < 250 * MS ? SendResult.BACK_PRESSURED : SendResult.SENT;
                request(200).accept(timeNs);
            }, transport);

        // Due from 150 to 200 ms.
        assertThat(outcome.of(Counter.WARM_UP_SKIPPED)).isEqualTo(51);
        assertThat(outcome.of(Counter.SCHEDULED)).isEqualTo(MEASURED_COUNT);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(MEASURED_COUNT);
        assertThat(run.sendDelays.getMaxValue()).isBetween(48 * MS, 50 * MS);
    }

    @Test
    void shouldSendWhatIsBehindWhenEveryMessageMustBeAcknowledged()
    {
        final LoadOutcome outcome = execute(plan(500, new Delivery(true, 10_000 * MS, 1_000)), 200);
        assertThat(outcome.of(Counter.WARM_UP_SKIPPED)).isZero();
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(MEASURED_COUNT);
    }

    @Test
    void shouldChangeNothingOnceTheWarmUpIsOver()
    {
        final LoadOutcome outcome = execute(plan(100, Delivery.AT_MOST_ONCE), 200);
        assertThat(run.agent.plan().warmUpCount()).isEqualTo(100);
        assertThat(outcome.of(Counter.SCHEDULED)).isEqualTo(MEASURED_COUNT);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(MEASURED_COUNT);
    }

    @Test
    void shouldMeasureNothingIfTheRunEndsInTheWarmUp()
    {
        final ScriptedTransport transport = echo();
        final LoadOutcome outcome = run.execute(
            plan(500, Delivery.AT_MOST_ONCE), new ConstantSchedule(RATE), STEP_NS, (timeNs) ->
            {
                if (timeNs >= 200 * MS)
                {
                    run.agent.requestEnd();
                }
                request(300).accept(timeNs);
            }, transport);
        assertThat(outcome.of(Counter.SCHEDULED)).isZero();
    }

    @Test
    void shouldKeepWhatIsDueUntilTheEndOfAWindowThatEndsEarly()
    {
        final ScriptedTransport transport = echo();
        final LoadOutcome outcome = run.execute(
            plan(500, Delivery.AT_MOST_ONCE), new ConstantSchedule(RATE), STEP_NS, (timeNs) ->
            {
                request(200).accept(timeNs);
                if (timeNs >= 600 * MS)
                {
                    run.agent.requestEnd();
                }
            }, transport);
        assertThat(outcome.of(Counter.SCHEDULED)).isEqualTo(400);
        assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(400);
    }

    @Test
    void shouldNotAllocate()
    {
        // More than the agent can send, for 10 s.
        final long rate = 10_000_000L;
        final long count = 10 * rate;
        final LoadPlan plan =
            new LoadPlan(rate, 288, count, count, 1, 1_000 * MS, 1_000 * MS, 1 << 16, Delivery.AT_MOST_ONCE);
        final LoadAgent agent = new LoadAgent(
            plan, new ConstantSchedule(rate), new Transport[]{ new MemoryTransport(SystemNanoClock.INSTANCE, 288, 0, 0, 0, 1) },
            1, SystemNanoClock.INSTANCE, null);
        agent.begin(System.nanoTime());
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long threadId = Thread.currentThread().getId();
        doWork(agent);

        final long before = threads.getThreadAllocatedBytes(threadId);
        agent.requestWarmUpEnd();
        doWork(agent);
        final long after = threads.getThreadAllocatedBytes(threadId);
        assertThat(agent.plan().warmUpCount()).isLessThan(count);
        // Reading the counter allocates a little; one byte per message would be 100,000.
        assertThat(after - before).isLessThan(2_000);
    }

    private static void doWork(final LoadAgent agent)
    {
        for (int i = 0; i < 3_000; i++)
        {
            agent.doWork();
        }
    }

    private LoadOutcome execute(final LoadPlan plan, final long requestMs)
    {
        return run.execute(plan, new ConstantSchedule(RATE), STEP_NS, request(requestMs), echo());
    }

    private LongConsumer request(final long atMs)
    {
        return (timeNs) ->
        {
            if (timeNs >= atMs * MS)
            {
                run.agent.requestWarmUpEnd();
            }
        };
    }

    private static LoadPlan plan(final long warmUpCount, final Delivery delivery)
    {
        return new LoadPlan(RATE, 64, warmUpCount, MEASURED_COUNT, 1, 1_000 * MS, 10_000 * MS, 1024, delivery);
    }

    private ScriptedTransport echo()
    {
        return new ScriptedTransport(run, (self, sequence) -> self.replies.add(self.reply()));
    }
}

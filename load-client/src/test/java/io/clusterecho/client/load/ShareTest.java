package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;

import io.clusterecho.client.schedule.BatchedSchedule;
import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.schedule.PoissonSchedule;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.client.transport.Transport;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.schema.EchoMessage;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShareTest
{
    private static final long RATE = 1_000;
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long STEP_NS = 10_000;
    private static final long FIRST_CLIENT_ID = 1_000;
    private static final int COUNT = 1_000;

    @ParameterizedTest
    @CsvSource({
        "constant, 1, 1", "constant, 2, 1", "constant, 3, 2", "constant, 7, 1", "constant, 16, 3",
        "poisson, 2, 1", "poisson, 3, 3", "poisson, 11, 1",
        "batch, 2, 1", "batch, 3, 2", "batch, 10, 1", "batch, 13, 1" })
    void shouldCoverTheScheduleExactlyOnceAtItsOwnTimes(final String arrivals, final int clientCount, final int sessionCount)
    {
        final BitSet sent = new BitSet();
        final Schedule whole = schedule(arrivals);
        long measured = 0;
        for (int number = 0; number < clientCount; number++)
        {
            final LoadPlan plan = new LoadPlan(
                RATE, 64, COUNT / 10, COUNT - COUNT / 10, sessionCount, SECOND_NS, 10 * SECOND_NS, 1024,
                Delivery.AT_MOST_ONCE).of(new Share(number, clientCount));
            final ManualRun run = new ManualRun();
            final Transport[] transports = new Transport[sessionCount];
            for (int i = 0; i < sessionCount; i++)
            {
                transports[i] = new ScriptedTransport(run, (transport, sequence) ->
                {
                    final UnsafeBuffer message = new UnsafeBuffer(transport.reply());
                    final int index =
                        (int)(sequence * plan.stride() + EchoMessage.clientId(message, 0) - FIRST_CLIENT_ID);
                    assertThat(index % clientCount).isEqualTo(plan.share().number());
                    assertThat(sent.get(index)).as("message %d is sent for the first time", index).isFalse();
                    sent.set(index);
                    assertThat(EchoMessage.intendedSendTimeLow(message, 0)).isEqualTo((int)whole.timeNs(index));
                    assertThat(run.nanoTime() - ManualRun.START_NS - whole.timeNs(index)).isBetween(0L, STEP_NS);
                    transport.replies.add(transport.reply());
                });
            }
            final LoadOutcome outcome = run.execute(plan, schedule(arrivals), STEP_NS, (timeNs) -> { }, transports);
            assertThat(outcome.of(Counter.ANSWERED)).isEqualTo(outcome.of(Counter.SCHEDULED))
                .isEqualTo(plan.share().countOf(plan.warmUpCount(), plan.messageCount()));
            measured += outcome.of(Counter.SCHEDULED);
        }

        assertThat(sent.cardinality()).isEqualTo(COUNT);
        assertThat(measured).isEqualTo(COUNT - COUNT / 10);
    }

    @Test
    void shouldCountItsMessagesInAnyStretch()
    {
        for (int count = 1; count <= 9; count++)
        {
            for (int first = 0; first < 20; first++)
            {
                for (int end = first; end < 30; end++)
                {
                    for (int number = 0; number < count; number++)
                    {
                        long expected = 0;
                        for (int index = first; index < end; index++)
                        {
                            expected += index % count == number ? 1 : 0;
                        }
                        assertThat(new Share(number, count).countOf(first, end)).isEqualTo(expected);
                    }
                }
            }
        }
    }

    @Test
    void shouldRefuseAClientThatIsNone()
    {
        assertThatThrownBy(() -> new Share(2, 2)).hasMessageContaining("number=2, count=2");
        assertThatThrownBy(() -> new Share(-1, 2)).hasMessageContaining("number=-1");
    }

    private static Schedule schedule(final String arrivals)
    {
        return switch (arrivals)
        {
            case "poisson" -> new PoissonSchedule(RATE, COUNT, 42);
            case "batch" -> new BatchedSchedule(new ConstantSchedule(RATE), 10);
            default -> new ConstantSchedule(RATE);
        };
    }
}

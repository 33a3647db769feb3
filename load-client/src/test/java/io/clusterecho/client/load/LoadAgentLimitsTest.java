package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.client.transport.ResponseHandler;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadAgentLimitsTest
{
    private static final long RATE = 1_000;
    private static final long SECOND_NS = 1_000_000_000L;

    private final ManualRun run = new ManualRun();

    @ParameterizedTest
    @CsvSource({ "288, 1, 128", "288, 4, 32", "288, 32, 8", "2048, 1, 32", "16384, 1, 8" })
    void shouldBoundWhatADutyCycleSendsInMessagesAndBytes(final int length, final int sessionCount, final int limit)
    {
        final int[] sent = new int[sessionCount];
        final ScriptedTransport[] transports = new ScriptedTransport[sessionCount];
        for (int i = 0; i < sessionCount; i++)
        {
            final int session = i;
            transports[i] = new ScriptedTransport(() -> SECOND_NS, (self, sequence) -> sent[session]++);
        }
        final LoadPlan plan = new LoadPlan(
            RATE * sessionCount, length, 0, 200L * sessionCount, sessionCount, SECOND_NS, SECOND_NS, 1 << 14,
            Delivery.AT_MOST_ONCE);
        final LoadAgent agent =
            new LoadAgent(plan, new ConstantSchedule(RATE * sessionCount), transports, 1, () -> SECOND_NS, null);
        agent.begin(0);

        agent.doWork();
        assertThat(sent).containsOnly(limit);
    }

    @Test
    void shouldSendWhatIsDueInAllSessionsBeforeItPollsAny()
    {
        final StringBuilder calls = new StringBuilder();
        final ScriptedTransport first = new ScriptedTransport(run, (self, sequence) -> calls.append('s'))
        {
            @Override
            public int poll(final ResponseHandler handler, final int limit)
            {
                calls.append('p');
                return super.poll(handler, limit);
            }
        };
        final ScriptedTransport second = new ScriptedTransport(run, (self, sequence) -> calls.append('S'));
        final LoadPlan plan =
            new LoadPlan(RATE, 64, 0, 200, 2, SECOND_NS, SECOND_NS, 1024, Delivery.AT_MOST_ONCE);
        // A message of each is due in a duty cycle.
        run.execute(plan, new ConstantSchedule(RATE), 2 * SECOND_NS / RATE, (timeNs) -> { }, first, second);

        assertThat(calls.toString()).contains("sSp").doesNotContain("spS");
    }
}

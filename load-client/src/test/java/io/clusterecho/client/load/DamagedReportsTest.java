package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.CharConversionException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.ObjLongConsumer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.client.schedule.ConstantSchedule;
import io.clusterecho.control.remote.CallProtocol;
import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.RunInterval;
import io.clusterecho.reporting.measurement.TimeRecorder;
import io.clusterecho.schema.EchoMessage;
import io.clusterecho.schema.codecs.MessageHeaderEncoder;
import io.clusterecho.schema.codecs.SequenceGapEncoder;
import io.clusterecho.testing.Fuzz;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a worker reports or a cluster replies: it is refused or counted, and does not change what is counted of others. */
class DamagedReportsTest
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long RATE = 1_000;
    private static final int COUNT = 20;

    @Test
    void shouldReadOrRefuseTheReportsOfAWorker()
    {
        final String times = histogram();
        final byte[] interval = ("{\"kind\":\"interval\",\"beginNs\":0,\"endNs\":1000000000,\"phase\":\"MEASURE\"," +
            "\"isLast\":false,\"leaderMemberId\":0,\"totals\":{\"SENT\":3}," +
            "\"counts\":{\"SENT\":2},\"times\":{\"RESPONSE\":\"" + times +
            "\",\"STALL\":\"" + times + "\"}}")
            .getBytes(StandardCharsets.UTF_8);
        final byte[] outcome = ("{\"kind\":\"outcome\",\"counts\":{\"SCHEDULED\":2,\"ANSWERED\":1,\"UNANSWERED\":1}," +
            "\"unansweredAges\":\"" + times + "\",\"stages\":{\"unstamped\":1,\"times\":{\"toLeaderNs\":\"" + times + "\"}}}")
            .getBytes(StandardCharsets.UTF_8);

        assertThat(Fuzz.run(
            "reports", 1_000, List.of(interval, outcome),
            List.of(IllegalArgumentException.class, JsonProcessingException.class, CharConversionException.class), (input) ->
            {
                final JsonNode message = CallProtocol.MAPPER.readTree(input);
                final Class<? extends Record> type = message.has("phase") ? RunInterval.class : LoadOutcome.class;
                CallProtocol.MAPPER.treeToValue(message, type);
            })).isPositive();
    }

    @Test
    void shouldRefuseTimesOfAPartThatIsNoStage()
    {
        assertThatThrownBy(() -> CallProtocol.MAPPER.readValue(
            "{\"counts\":{},\"stages\":{\"times\":{\"sendDelayNs\":\"" + histogram() + "\"}}}", LoadOutcome.class))
            .isInstanceOf(JsonProcessingException.class).hasMessageContaining("not stages: [SEND_DELAY]");
    }

    @ParameterizedTest
    @ValueSource(booleans = { false, true })
    void shouldCountEveryReplyAndStillTakeTheOthers(final boolean isExactlyOnce)
    {
        final byte[][] sample = new byte[2][];
        execute(isExactlyOnce, (transport, sequence) ->
        {
            sample[0] = transport.reply().clone();
            transport.replies.add(transport.reply());
        });
        sample[1] = gap(sample[0]);

        Fuzz.run(isExactlyOnce ? "replies-once" : "replies", 300, List.of(sample), List.of(), (input) ->
        {
            final LoadOutcome outcome = execute(isExactlyOnce, (transport, sequence) ->
            {
                if (sequence == COUNT / 2)
                {
                    transport.replies.add(input.clone());
                }
                transport.replies.add(transport.reply());
            });
            assertThat(outcome.of(Counter.ANSWERED)).as("%s", outcome).isEqualTo(COUNT);
        });
    }

    private static LoadOutcome execute(
        final boolean isExactlyOnce, final ObjLongConsumer<ScriptedTransport> script)
    {
        final ManualRun run = new ManualRun();
        final Delivery delivery = isExactlyOnce ? new Delivery(true, SECOND_NS / 50, 1_000) : Delivery.AT_MOST_ONCE;
        return run.execute(
            new LoadPlan(RATE, 64, 0, COUNT, 1, SECOND_NS, SECOND_NS, 1024, delivery), new ConstantSchedule(RATE), 100_000,
            (timeNs) -> { }, new ScriptedTransport(run, script));
    }

    private static byte[] gap(final byte[] reply)
    {
        final UnsafeBuffer buffer =
            new UnsafeBuffer(new byte[MessageHeaderEncoder.ENCODED_LENGTH + SequenceGapEncoder.BLOCK_LENGTH]);
        new SequenceGapEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .clientId(EchoMessage.clientId(new UnsafeBuffer(reply), 0)).expectedSequence(COUNT / 2).receivedSequence(COUNT / 2);
        return buffer.byteArray();
    }

    private static String histogram()
    {
        final Histogram times = TimeRecorder.newHistogram();
        times.recordValue(1_000);
        final ByteBuffer buffer = ByteBuffer.allocate(times.getNeededByteBufferCapacity());
        final int length = times.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
}

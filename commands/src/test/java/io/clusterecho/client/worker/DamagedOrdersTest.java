package io.clusterecho.client.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.client.load.LoadPlan;
import io.clusterecho.client.run.RunConfig;
import io.clusterecho.client.run.Target;
import io.clusterecho.client.transport.MemoryTransport;
import io.clusterecho.client.transport.Sessions;
import io.clusterecho.process.JsonLines;
import io.clusterecho.testing.Fuzz;

import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;

/** Whatever a coordinator orders: the worker is ready for it, or says what is wrong with it, and takes the next order. */
class DamagedOrdersTest
{
    private static final int COUNT = 300;

    @Test
    void shouldBeReadyAfterEveryOrder() throws Exception
    {
        final ObjectMapper mapper = new ObjectMapper();
        final String good = order(1);
        final int[] refused = new int[1];
        Fuzz.run("orders", COUNT, List.of(good.getBytes(StandardCharsets.UTF_8)), List.of(), (input) ->
        {
            final List<JsonNode> answers = new ArrayList<>();
            for (final String line : answers(input, good).split("\n"))
            {
                answers.add(mapper.readTree(line));
            }

            assertThat(answers.get(answers.size() - 1).path("do").asText()).as("%s", answers).isEqualTo("ready");
            for (final JsonNode answer : answers.subList(0, answers.size() - 1))
            {
                if (!answer.has("answer") && !"ready".equals(answer.path("do").asText()))
                {
                    assertThat(answer.path("error").asText()).isNotEmpty();
                    refused[0]++;
                }
            }
        });

        assertThat(refused[0]).isPositive();
    }

    @Test
    void shouldRefuseIntervalsWithoutALength()
    {
        final String none = order(0);

        assertThat(answers(none.getBytes(StandardCharsets.UTF_8), order(1)))
            .contains("intervalNs=0, allowed at least 1");
    }

    /** All that the worker says if it gets an order and then a good one, and is then alone. */
    private static String answers(final byte[] order, final String good)
    {
        final ByteArrayOutputStream in = new ByteArrayOutputStream();
        in.writeBytes(order);
        in.writeBytes(("\n" + good + "\n").getBytes(StandardCharsets.UTF_8));
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        new WorkerService(
            new JsonLines(new ByteArrayInputStream(in.toByteArray()), out), List.of(), RunConfig::parse,
            DamagedOrdersTest::open, () -> { }).serve();
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Sessions open(final Target target, final LoadPlan plan)
    {
        final Sessions sessions = new Sessions(() -> { });
        for (int i = 0; i < plan.sessionCount(); i++)
        {
            sessions.add(new MemoryTransport(SystemNanoClock.INSTANCE, plan.messages().maxLengthBytes(), 0, 0, 0, 1), 1);
        }
        return sessions;
    }

    private static String order(final long intervalMs)
    {
        final String arguments = Stream.of(
            "--transport=memory", "--idle=sleep", "--rate=1000", "--size=288", "--warm-up=0s", "--connections=2", "--core=any",
            "--delivery=exactly-once").map((argument) -> '"' + argument + '"').collect(Collectors.joining(","));
        return "{\"id\":7,\"do\":\"offer\",\"arguments\":[{\"arguments\":[" + arguments +
            "],\"number\":1,\"count\":2,\"durationNs\":" + TimeUnit.MILLISECONDS.toNanos(20) + ",\"intervalNs\":" +
            TimeUnit.MILLISECONDS.toNanos(intervalMs) + ",\"firstClientId\":100},null]}";
    }
}

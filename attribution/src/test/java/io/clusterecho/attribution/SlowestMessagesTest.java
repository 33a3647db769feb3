package io.clusterecho.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.clusterecho.host.MonotonicClock;
import io.clusterecho.schema.codecs.MessageHeaderEncoder;
import io.clusterecho.schema.codecs.StageTimesEncoder;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class SlowestMessagesTest
{
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final SlowestMessages slowest = new SlowestMessages(100);

    @Test
    void shouldKeepTheSlowestInWhateverOrderTheyCome()
    {
        final Random random = new Random(1);
        for (final long[] times : List.of(
            LongStream.range(0, 5_000).toArray(), LongStream.range(0, 5_000).map((i) -> 5_000 - i).toArray(),
            random.longs(5_000, 0, 1_000).toArray(), random.longs(40, 0, 1_000).toArray()))
        {
            final SlowestMessages kept = new SlowestMessages(100);
            for (int i = 0; i < times.length; i++)
            {
                kept.add(i, 10L * i, times[i], times[i], 0, -1, true);
            }

            assertThat(kept.list().stream().map(SlowMessage::responseTimeNs)).containsExactlyElementsOf(
                LongStream.of(times).boxed().sorted(Comparator.reverseOrder()).limit(100).toList());
            assertThat(kept.list()).allMatch((message) ->
                times[(int)message.number()] == message.responseTimeNs() && 10 * message.number() == message.dueNs() &&
                sum(message) == message.responseTimeNs());
        }
    }

    @Test
    void shouldDivideWithoutStagesWhatTheClientKnows()
    {
        slowest.add(1, 0, 1_000, 900, 100, 30, true);
        slowest.add(2, 0, 2_000, 1_500, 0, -1, true);
        slowest.add(3, 0, 3_000, 2_800, 200, -1, false);
        slowest.add(4, 0, 4_000, 3_000, 0, -1, false);
        slowest.add(5, 0, 5_000, 0, 0, -1, false);

        assertThat(slowest.list().stream().map(SlowMessage::partsNs)).containsExactly(
            Map.of(Part.BACK_PRESSURE, 5_000L, Part.UNKNOWN, 0L),
            Map.of(Part.BACK_PRESSURE, 1_000L, Part.UNKNOWN, 3_000L),
            Map.of(Part.SEND_DELAY, 200L, Part.UNKNOWN, 2_800L),
            Map.of(Part.BACK_PRESSURE, 500L, Part.UNKNOWN, 1_500L),
            Map.of(Part.SEND_DELAY, 100L, Part.UNKNOWN, 870L, Part.RECEIVE_LATENESS, 30L));
        assertThat(slowest.list().stream().map(SlowMessage::isAnswered)).containsExactly(false, false, false, true, true);
    }

    @Test
    void shouldDivideWithStages()
    {
        // Due at 0, sent at 100, taken at 1,100 of the client's clock.
        final SlowestMessages.Row first = slowest.add(1, 0, 1_100, 1_000, 100, 50, true);
        final SlowestMessages.Row second = slowest.add(2, 0, 1_100, 1_000, 100, -1, true);
        // The mark of a message may come after the replies to others.
        first.onStages(1, stamps(MonotonicClock.id(), 300, 500, 600, 700), 100, 1_100);
        second.onStages(2, stamps(MonotonicClock.id(), 300, 500, 600, 700), 100, 1_100);
        // Of another clock.
        final SlowestMessages.Row third = slowest.add(3, 0, 1_100, 1_000, 100, 50, true);
        third.onStages(3, stamps(MonotonicClock.id() + 1, 77_300, 77_500, 77_600, 77_700), 100, 1_100);
        // Stamped before it was made.
        final SlowestMessages.Row fourth = slowest.add(4, 0, 1_100, 1_000, 100, 500, true);
        fourth.onStages(4, stamps(MonotonicClock.id(), 300, 500, 600, 700), 100, 1_100);

        final Map<Part, Long> between = Map.of(
            Part.SEND_DELAY, 100L, Part.LOG, 200L, Part.QUORUM, 100L, Part.TO_SERVICE, 100L);
        assertThat(slowest.list().stream().map(SlowMessage::partsNs)).containsExactly(
            with(between, Map.of(Part.TO_LEADER, 200L, Part.TO_CLIENT, 350L, Part.RECEIVE_LATENESS, 50L)),
            with(between, Map.of(Part.TO_LEADER, 200L, Part.TO_CLIENT, 400L)),
            with(between, Map.of(Part.UNKNOWN, 550L, Part.RECEIVE_LATENESS, 50L)),
            with(between, Map.of(Part.TO_LEADER, 200L, Part.TO_CLIENT, 0L, Part.RECEIVE_LATENESS, 400L)));
    }

    @Test
    void shouldTakeStagesOnlyForAMessageThatItKeeps()
    {
        final SlowestMessages one = new SlowestMessages(1);
        final SlowestMessages.Row replaced = one.add(0, 0, 800, 800, 0, -1, true);
        one.add(1, 0, 1_000, 1_000, 0, -1, true);
        assertThat(one.add(2, 0, 900, 900, 0, -1, true)).isNull();
        replaced.onStages(0, stamps(MonotonicClock.id(), 300, 500, 600, 700), 0, 800);

        assertThat(one.list()).containsExactly(
            new SlowMessage(1, 0, 1_000, true, Map.of(Part.SEND_DELAY, 0L, Part.UNKNOWN, 1_000L), null));
    }

    @Test
    void shouldMergeTheListsOfSeveralClients()
    {
        final SlowestMessages other = new SlowestMessages();
        for (int i = 0; i < 2_000; i++)
        {
            slowest.add(2 * i, 0, 2 * i, 2 * i, 0, -1, true);
            other.add(2 * i + 1, 0, 2 * i + 1, 2 * i + 1, 0, -1, true);
        }

        assertThat(SlowMessage.slowest(List.of(slowest.list(), other.list())).stream().map(SlowMessage::number))
            .hasSize(SlowestMessages.CAPACITY).startsWith(3_999L, 3_998L, 3_997L, 3_996L).doesNotContain(3_798L)
            .contains(3_800L, 3_797L);
    }

    @Test
    void shouldSumTheSlowestHundredth() throws Exception
    {
        for (int i = 1; i <= 50; i++)
        {
            slowest.add(i, 0, 1_000 * i, 400 * i, 600 * i, -1, true);
        }

        final SlowTail tail = SlowTail.of(slowest.list(), 1_150);
        assertThat(tail.messages()).isEqualTo(12);
        assertThat(tail.responseTimeNs()).isEqualTo(1_000 * (39 + 50) * 12 / 2);
        assertThat(tail.partsNs()).isEqualTo(
            Map.of(Part.SEND_DELAY, 600L * 89 * 6, Part.UNKNOWN, 400L * 89 * 6));
        assertThat(tail.text()).isEqualTo("of the time of the slowest 1.04% (12 messages): 60% send delay, 40% unknown");
        assertThat(tail.slowest()).hasSize(10).startsWith(slowest.list().get(0));
        // More than were kept.
        assertThat(SlowTail.of(slowest.list(), 100_000).text()).startsWith("of the time of the slowest 0.05% (50 messages): ");
        assertThat(SlowTail.of(slowest.list(), 2_000_000).text()).startsWith(
            "of the time of the slowest 0.0025% (50 messages): ");
        assertThat(SlowTail.of(null, 10)).isNull();
        assertThat(SlowTail.of(List.of(), 10)).isNull();
    }

    @Test
    void shouldWriteALineForEachMessage() throws Exception
    {
        slowest.add(7, 70, 1_000, 900, 100, 30, true);
        slowest.add(3, 30, 3_000, 2_800, 200, -1, false);

        final String json = SlowMessage.json(slowest.list());
        assertThat(json.lines().toList()).hasSize(4).element(1).asString().isEqualTo(
            "{\"number\":3,\"dueNs\":30,\"responseTimeNs\":3000,\"isAnswered\":false," +
            "\"partsNs\":{\"sendDelayNs\":200,\"unknownNs\":2800}},");
        final JsonNode messages = MAPPER.readTree(json).path("slowestMessages");
        assertThat(MAPPER.convertValue(messages, new TypeReference<List<SlowMessage>>() { })).isEqualTo(slowest.list());
    }

    private static Map<Part, Long> with(final Map<Part, Long> some, final Map<Part, Long> others)
    {
        final Map<Part, Long> all = new EnumMap<>(some);
        all.putAll(others);
        return all;
    }

    private static long sum(final SlowMessage message)
    {
        return message.partsNs().values().stream().mapToLong(Long::longValue).sum();
    }

    private static StageStamps stamps(
        final long clockId, final long takenNs, final long loggedNs, final long committedNs, final long servedNs)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[StageStamps.LENGTH]);
        new StageTimesEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder()).clock(clockId).taken(takenNs)
            .logged(loggedNs).committed(committedNs).served(servedNs);
        final StageStamps stamps = new StageStamps();
        assertThat(StageStamps.isMark(buffer, 0, StageStamps.LENGTH)).isTrue();
        assertThat(stamps.read(buffer, 0, 0)).isTrue();
        return stamps;
    }
}

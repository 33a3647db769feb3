package io.clusterecho.client.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.clusterecho.reporting.measurement.MessageKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessagesTest
{
    private static final List<MessageKind> MIX = List.of(
        new MessageKind("288", 288, 288, 9_000), new MessageKind("1344", 1_344, 1_344, 900),
        new MessageKind("16384", 16_384, 16_384, 100));

    @ParameterizedTest
    @ValueSource(strings = { "10000 50000", "1 1", "7", "1 999999", "333 7 101", "5 3 3 3 2 1 1 1", "999999937 7", "1 2 4 8 16" })
    void shouldMergeKindsByDueTimeAndThenInTheirOrder(final String rates)
    {
        final long[] ratesPerSecond = Arrays.stream(rates.split(" ")).mapToLong(Long::parseLong).toArray();
        final int count = 5_000;
        final List<long[]> expected = new ArrayList<>();
        for (int kind = 0; kind < ratesPerSecond.length; kind++)
        {
            final Schedule own = new ConstantSchedule(ratesPerSecond[kind]);
            for (int i = 0; i < count; i++)
            {
                expected.add(new long[]{ own.timeNs(i), kind });
            }
        }
        expected.sort(Comparator.<long[]>comparingLong((one) -> one[0]).thenComparingLong((one) -> one[1]));

        final Schedule schedule = new MergedSchedule(ratesPerSecond);
        final MessageMix mix = merged(ratesPerSecond).newMix();
        for (int i = 0; i < count; i++)
        {
            assertThat(schedule.timeNs(i)).as("message %d", i).isEqualTo(expected.get(i)[0]);
            assertThat(mix.kindOf(i)).as("message %d", i).isEqualTo((int)expected.get(i)[1]);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = { "10000 50000", "333 7 101", "999999937 7", "1 2 4 8 16" })
    void shouldBeExactFarFromTheStart(final String rates)
    {
        final long[] ratesPerSecond = Arrays.stream(rates.split(" ")).mapToLong(Long::parseLong).toArray();
        final long sum = LongStream.of(ratesPerSecond).sum();
        final Schedule schedule = new MergedSchedule(ratesPerSecond);
        final Schedule fromStart = new MergedSchedule(ratesPerSecond);
        final MessageMix mix = merged(ratesPerSecond).newMix();
        final long seconds = 1_000_003;
        // All kinds are in step again after each second.
        for (int i = 0; i < 1_000; i++)
        {
            assertThat(schedule.timeNs(seconds * sum + i)).isEqualTo(seconds * 1_000_000_000L + fromStart.timeNs(i));
            assertThat(mix.kindOf(seconds * sum + i)).isEqualTo(mix.kindOf(i));
        }
    }

    @Test
    void shouldNotDependOnTheOrderInWhichMessagesAreAskedFor()
    {
        final long[] rates = { 333, 7, 101 };
        final Schedule inOrder = new MergedSchedule(rates);
        final long[] timesNs = LongStream.range(0, 3_000).map(inOrder::timeNs).toArray();
        final Schedule mixed = new MergedSchedule(rates);
        final MessageMix drawn = new DrawnMessages(MIX, 3).newMix();
        final int[] lengths = IntStream.range(0, 3_000).map(drawn::lengthBytes).toArray();
        final MessageMix other = new DrawnMessages(MIX, 3).newMix();
        final Random random = new Random(1);
        for (int i = 0; i < 10_000; i++)
        {
            final int index = random.nextInt(3_000);
            assertThat(mixed.timeNs(index)).isEqualTo(timesNs[index]);
            assertThat(other.lengthBytes(index)).isEqualTo(lengths[index]);
        }
    }

    @ParameterizedTest
    @CsvSource({ "0, 288", "6, 1344", "24, 1344", "65, 1344", "187, 16384", "206, 16384", "362, 16384", "1000000000, 1344" })
    void shouldDrawTheLengthsThatSplitMixSays(final long index, final int lengthBytes)
    {
        // By a second implementation, in Python.
        assertThat(new DrawnMessages(MIX, 42).newMix().lengthBytes(index)).isEqualTo(lengthBytes);
    }

    @ParameterizedTest
    @CsvSource({ "0, 63152", "1, 39605", "100, 23489", "1000000000, 64498" })
    void shouldDrawALengthFromARange(final long index, final int lengthBytes)
    {
        final Messages messages = new DrawnMessages(List.of(new MessageKind("r", 1_024, 65_536, 1)), 42);
        assertThat(messages.newMix().lengthBytes(index)).isEqualTo(lengthBytes);
    }

    @Test
    void shouldReachBothEndsOfARangeAndAllLengthsBetween()
    {
        final MessageMix mix = new DrawnMessages(List.of(new MessageKind("r", 100, 109, 1)), 5).newMix();
        final int count = 100_000;
        final long[] counts = new long[10];
        for (int i = 0; i < count; i++)
        {
            counts[mix.lengthBytes(i) - 100]++;
        }
        // Binomial: four standard errors of a tenth.
        assertThat(Arrays.stream(counts).boxed()).allSatisfy((one) -> assertThat(one).isBetween(9_620L, 10_380L));
    }

    @Test
    void shouldDrawEachKindInProportionToItsRate()
    {
        final MessageMix mix = new DrawnMessages(MIX, 9).newMix();
        final int count = 1_000_000;
        final long[] counts = new long[3];
        for (int i = 0; i < count; i++)
        {
            counts[mix.kindOf(i)]++;
        }
        // Four standard errors each.
        assertThat(counts[0]).isBetween(898_800L, 901_200L);
        assertThat(counts[1]).isBetween(88_855L, 91_145L);
        assertThat(counts[2]).isBetween(9_600L, 10_400L);
    }

    @Test
    void shouldDrawKindsIndependentlyOfPoissonIntervalsOfTheSameSeed()
    {
        final int count = 200_000;
        final long seed = 1;
        final Schedule schedule = new PoissonSchedule(10_000, count + 1, seed);
        final MessageMix mix = new DrawnMessages(List.of(
            new MessageKind("a", 32, 32, 1), new MessageKind("b", 64, 64, 1)), seed).newMix();
        double sumNs = 0;
        long chosen = 0;
        for (int i = 0; i < count; i++)
        {
            if (1 == mix.kindOf(i))
            {
                sumNs += schedule.timeNs(i + 1) - schedule.timeNs(i);
                chosen++;
            }
        }
        // The mean interval after messages of one kind is that of all: 100 us, with four standard errors.
        assertThat(sumNs / chosen).isBetween(98_700.0, 101_300.0);
    }

    @Test
    void shouldKnowItsLongestMessage()
    {
        assertThat(new DrawnMessages(MIX, 1).maxLengthBytes()).isEqualTo(16_384);
        assertThat(Messages.ofLength(64, 10).newMix().lengthBytes(7)).isEqualTo(64);
    }

    @Test
    void shouldRefuseKindsWithoutRates()
    {
        assertThatThrownBy(() -> new DrawnMessages(List.of(), 1)).hasMessageContaining("kinds=[]");
        assertThatThrownBy(() -> new DrawnMessages(List.of(new MessageKind("a", 32, 32, 0)), 1)).hasMessageContaining("kinds=");
        assertThatThrownBy(() -> new MergedSchedule(new long[]{ 1, 0 })).hasMessageContaining("ratesPerSecond=[1, 0]");
        assertThatThrownBy(() -> new MergedSchedule(new long[]{ 1, 1_000_000_000 })).hasMessageContaining("1000000000");
        assertThatThrownBy(() -> new MergedSchedule(new long[0])).hasMessageContaining("ratesPerSecond=[]");
    }

    private static Messages merged(final long[] ratesPerSecond)
    {
        return new MergedMessages(IntStream.range(0, ratesPerSecond.length)
            .mapToObj((i) -> new MessageKind("k" + i, 32 + i, 32 + i, ratesPerSecond[i])).toList(), 1);
    }
}

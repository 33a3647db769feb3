package io.clusterecho.client.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import io.clusterecho.reporting.measurement.MessageKind;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessagesTest
{
    private static final List<MessageKind> MIX = List.of(
        new MessageKind("288", 288, 288, 9_000), new MessageKind("1344", 1_344, 1_344, 900),
        new MessageKind("16384", 16_384, 16_384, 100));

    @Test
    void shouldNotDependOnTheOrderInWhichMessagesAreAskedFor()
    {
        final Messages drawn = new Messages(MIX, 3, false);
        final int[] lengths = IntStream.range(0, 3_000).map(drawn::lengthBytes).toArray();
        final Messages other = new Messages(MIX, 3, false);
        final Random random = new Random(1);
        for (int i = 0; i < 10_000; i++)
        {
            final int index = random.nextInt(3_000);
            assertThat(other.lengthBytes(index)).isEqualTo(lengths[index]);
        }
    }

    @ParameterizedTest
    @CsvSource({ "0, 288", "6, 1344", "24, 1344", "65, 1344", "187, 16384", "206, 16384", "362, 16384", "1000000000, 1344" })
    void shouldDrawTheLengthsThatSplitMixSays(final long index, final int lengthBytes)
    {
        // By a second implementation, in Python.
        assertThat(new Messages(MIX, 42, false).lengthBytes(index)).isEqualTo(lengthBytes);
    }

    @ParameterizedTest
    @CsvSource({ "0, 63152", "1, 39605", "100, 23489", "1000000000, 64498" })
    void shouldDrawALengthFromARange(final long index, final int lengthBytes)
    {
        final Messages messages = new Messages(List.of(new MessageKind("r", 1_024, 65_536, 1)), 42, false);
        assertThat(messages.lengthBytes(index)).isEqualTo(lengthBytes);
    }

    @Test
    void shouldReachBothEndsOfARangeAndAllLengthsBetween()
    {
        final Messages mix = new Messages(List.of(new MessageKind("r", 100, 109, 1)), 5, false);
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
        final Messages mix = new Messages(MIX, 9, false);
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

    @ParameterizedTest
    @CsvSource({ "1", "2", "77" })
    void shouldSendEachKindAtNearlyEqualDistances(final long seed)
    {
        final Messages mix = new Messages(MIX, seed, true);
        final long[] counts = new long[3];
        final List<Set<Integer>> distances = List.of(new HashSet<>(), new HashSet<>(), new HashSet<>());
        final int[] last = { -1, -1, -1 };
        for (int i = 0; i < 100_000; i++)
        {
            final int kind = mix.kindOf(i);
            counts[kind]++;
            if (last[kind] >= 0)
            {
                distances.get(kind).add(i - last[kind]);
            }
            last[kind] = i;
            for (int k = 0; k < 3; k++)
            {
                assertThat((double)counts[k]).isCloseTo((i + 1) * MIX.get(k).ratePerSecond() / 10_000, Offset.offset(4.0));
            }
        }
        assertThat(distances).allSatisfy((ofKind) -> assertThat(ofKind).hasSizeLessThanOrEqualTo(3));
    }

    @Test
    void shouldDrawKindsIndependentlyOfPoissonIntervalsOfTheSameSeed()
    {
        final int count = 200_000;
        final long seed = 1;
        final Schedule schedule = new PoissonSchedule(10_000, count + 1, seed);
        final Messages mix = new Messages(List.of(
            new MessageKind("a", 32, 32, 1), new MessageKind("b", 64, 64, 1)), seed, false);
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
        assertThat(new Messages(MIX, 1, false).maxLengthBytes()).isEqualTo(16_384);
        assertThat(Messages.ofLength(64, 10).lengthBytes(7)).isEqualTo(64);
    }

    @Test
    void shouldRefuseKindsWithoutRates()
    {
        assertThatThrownBy(() -> new Messages(List.of(), 1, false)).hasMessageContaining("kinds=[]");
        assertThatThrownBy(() -> new Messages(List.of(new MessageKind("a", 32, 32, 0)), 1, false)).hasMessageContaining("kinds=");
        final MessageKind kind = new MessageKind("a", 32, 32, 2);
        assertThatThrownBy(() -> new Messages(List.of(kind, new MessageKind("b", 32, 32, -1)), 1, false))
            .hasMessageContaining("kinds=");
        assertThatThrownBy(() -> new Messages(Collections.nCopies(33, kind), 1, false)).hasMessageContaining("allowed 1 to 32");
        assertThat(new Messages(Collections.nCopies(32, kind), 1, false).kinds()).hasSize(32);
    }
}

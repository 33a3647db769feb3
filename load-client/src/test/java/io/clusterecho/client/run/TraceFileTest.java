package io.clusterecho.client.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.clusterecho.client.schedule.Messages;
import io.clusterecho.client.schedule.ProfiledSchedule;
import io.clusterecho.client.schedule.Schedule;
import io.clusterecho.client.schedule.Trace;
import io.clusterecho.reporting.measurement.MessageKind;
import io.clusterecho.settings.InvalidSettingException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceFileTest
{
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {
        "time_s,bytes|0,288|0.000001,64|0.5,288|1.000000001,1344",
        "\uFEFFtime_s,bytes|0,288|0.000001,64|0.5,288|1.000000001,1344",
        "bytes,time_ns|288,0|64,1000|288,500000000|1344,1000000001",
        " who , time_s , bytes |a,1700000000.5, 288|b, 1700000000.500001,64|c,1700000001.0,288|,1700000001.500000001,1344||" })
    void shouldReplayTimesAndLengthsExactly(final String text) throws IOException
    {
        final Trace trace = read(text, 1, false);
        assertThat(times(trace, 4)).containsExactly(0L, 1_000L, 500_000_000L, 1_000_000_001L);
        assertThat(lengths(trace, 4)).containsExactly(288, 64, 288, 1_344);
        assertThat(trace.lengthNs()).isEqualTo(1_000_000_001L + 1_000_000_001L / 3);
    }

    @Test
    void shouldReplayFaster() throws IOException
    {
        final String text = "time_ns,bytes|0,32|1000,32|3001,32";
        assertThat(times(read(text, 2, false), 3)).containsExactly(0L, 500L, 1_500L);
        assertThat(times(read(text, 0.5, false), 3)).containsExactly(0L, 2_000L, 6_002L);
    }

    @Test
    void shouldBeginAgainAMeanDistanceAfterItsLastMessage() throws IOException
    {
        final Trace trace = read("time_ns,bytes|5,32|105,64|405,96", 1, true);
        assertThat(times(trace, 8)).containsExactly(0L, 100L, 400L, 600L, 700L, 1_000L, 1_200L, 1_300L);
        assertThat(lengths(trace, 7)).containsExactly(32, 64, 96, 32, 64, 96, 32);
        assertThat(trace.timeNs(3_000_000_001L)).isEqualTo(600_000_000_100L);
        assertThat(trace.lengthNs()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldCountTheMessagesBeforeATime() throws IOException
    {
        for (final boolean isRepeated : new boolean[]{ false, true })
        {
            final Trace trace = read("time_ns,bytes|0,32|100,32|100,32|400,32", 1, isRepeated);
            final long end = isRepeated ? 2_000 : trace.lengthNs();
            for (long timeNs = 0; timeNs <= end; timeNs++)
            {
                long expected = 0;
                while ((isRepeated || expected < 4) && trace.timeNs(expected) < timeNs)
                {
                    expected++;
                }
                assertThat((long)trace.count(timeNs)).as("before %d", timeNs).isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldKnowItsRateInAnyStretch() throws IOException
    {
        final Trace trace = read("time_s,bytes|0,32|0.1,32|0.2,32|1,32", 1, false);
        assertThat(trace.firstRatePerSecond()).isEqualTo(3);
        assertThat(trace.highestRatePerSecond()).isEqualTo(3);
        final Schedule schedule = new ProfiledSchedule(trace, 3, null);
        assertThat(LongStream.range(0, 7).map(schedule::timeNs)).containsExactly(
            0L, 333_333_333L, 666_666_666L, 1_000_000_000L, 1_100_000_000L, 1_200_000_000L, 2_000_000_000L);
        assertThat(schedule.ratePerSecond(1_000_000_000L, 2_000_000_000L)).isEqualTo(3);
        assertThat(schedule.ratePerSecond(1_500_000_000L, 2_500_000_000L)).isEqualTo(1);
    }

    @Test
    void shouldHaveAKindForEachOfAFewLengths() throws IOException
    {
        final Trace trace = read("time_s,bytes|0,288|1,64|2,288|3,288", 1, false);
        assertThat(trace.messages().kinds())
            .containsExactly(new MessageKind("64", 64, 64, 0.25), new MessageKind("288", 288, 288, 0.75));
        assertThat(IntStream.range(0, 4).map(trace.messages()::kindOf)).containsExactly(1, 0, 1, 1);

        // A warm-up of two messages, which have the last two lengths, and the first two of the trace in two seconds.
        final Messages messages = trace.messages(2, 2, 2_000_000_000L);
        assertThat(IntStream.range(0, 6).map(messages::kindOf)).containsExactly(1, 1, 1, 0, 1, 1);
        assertThat(messages.kinds()).extracting(MessageKind::ratePerSecond).containsExactly(0.5, 0.5);
        assertThat(trace.messages(0, 1, 1_000_000_000L).kinds()).extracting(MessageKind::ratePerSecond).containsExactly(0.0, 1.0);
    }

    @Test
    void shouldHaveAKindForEachPowerOfTwoOfManyLengths() throws IOException
    {
        final StringBuilder text = new StringBuilder("time_s,bytes");
        for (int i = 0; i < 100; i++)
        {
            text.append('|').append(i).append(',').append(50 + i);
        }
        final Trace trace = read(text.toString(), 1, false);
        assertThat(trace.messages().kinds()).extracting(MessageKind::name).containsExactly("50..63", "64..127", "128..149");
        assertThat(trace.messages().kinds().stream().mapToDouble(MessageKind::ratePerSecond).sum()).isCloseTo(1, within(1e-9));
        final Messages mix = trace.messages();
        assertThat(new int[]{ mix.kindOf(0), mix.kindOf(13), mix.kindOf(14), mix.kindOf(77), mix.kindOf(78), mix.kindOf(99) })
            .containsExactly(0, 0, 1, 1, 2, 2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "''; line 1; a header with one column", "time,bytes|0,32; line 1; time_s or time_ns, and one bytes",
        "time_s,bytes,bytes|0,32,64|1,32,64; line 1; one bytes", "\"time_s\",\"bytes\"|0,32|1,32; line 1; without quotes",
        "time_s,time_ns,bytes|0,0,32; line 1; a header", "time_s,bytes|0,32|1; line 3; a cell for each column",
        "time_s,bytes|0,32|2,32|1.9,32; line 4: '1.9'; not before that of the line above",
        "time_s,bytes|0,32|-1,32; line 3: '-1'; a time in s", "time_s,bytes|0,32|NaN,32; line 3: 'NaN'; a time in s",
        "time_s,bytes|0,32|1e3,32; line 3: '1e3'; a time in s", "time_s,bytes|0.1234567891,32; line 2; at most 9 decimals",
        "time_s,bytes|9999999999,32; line 2; a time in s", "time_ns,bytes|0.5,32; line 2: '0.5'; a time in ns",
        "time_ns,bytes|9999999999999999999,32; line 2; a time in ns", "time_s,bytes|0,31; line 2: '31'; from 32 to 16777184",
        "time_s,bytes|0,32|1,16777185; line 3: '16777185'; from 32", "time_s,bytes|0,x; line 2: 'x'; a length in bytes",
        "time_s,bytes|0,32||1,32; line 4; without empty lines", "time_s,bytes|0,32|0,32; a.csv; two rows with different times",
        "time_s,bytes|0,32; a.csv; two rows with different times",
        "time_ns,bytes|0,32|0,32|1,32; a.csv; from 1 ns a row", "time_s,bytes|0,32|86400001,32; a.csv; 1000 days" })
    void shouldNameTheLineThatCannotBeUsed(final String text, final String line, final String allowed)
    {
        assertThatThrownBy(() -> read(text, 1, false)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll("--trace=", "a.csv", line, allowed);
    }

    @Test
    void shouldRefuseAFileThatIsTooLongOrMissing() throws IOException
    {
        final Path file = write("time_s,bytes|0,32|1,32|2,32");
        assertThat(TraceFile.read(file, 1, false, 3).messages().kinds()).hasSize(1);
        assertThatThrownBy(() -> TraceFile.read(file, 1, false, 2)).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll("line 4", "at most 2 rows", "-Xmx");
        assertThatThrownBy(() -> TraceFile.read(folder.resolve("none"), 1, false, (String)null))
            .isInstanceOf(InvalidSettingException.class).hasMessageContaining("a readable file");
    }

    @Test
    void shouldKnowWhetherTwoFilesAreTheSame() throws IOException
    {
        final String digest = read("time_s,bytes|0,32|1,32", 1, false).digest();
        assertThat(digest).matches("[0-9a-f]{16}").isEqualTo(read("time_s,bytes|0,32|1,32", 2, true).digest())
            .isNotEqualTo(read("time_s,bytes|0,32|1,33", 1, false).digest());
        final Path file = write("time_s,bytes|0,32|1,32");
        assertThat(TraceFile.read(file, 1, false, digest).digest()).isEqualTo(digest);
        assertThatThrownBy(() -> TraceFile.read(file, 1, false, "0123")).isInstanceOf(InvalidSettingException.class)
            .hasMessageContainingAll("a file with the digest 0123", digest);
    }

    private Trace read(final String text, final double speed, final boolean isRepeated) throws IOException
    {
        return TraceFile.read(write(text), speed, isRepeated, (String)null);
    }

    private Path write(final String text) throws IOException
    {
        return Files.writeString(folder.resolve("a.csv"), text.replace('|', '\n') + "\n");
    }

    private static LongStream times(final Trace trace, final int count)
    {
        return LongStream.range(0, count).map(trace::timeNs);
    }

    private static IntStream lengths(final Trace trace, final int count)
    {
        final Messages mix = trace.messages();
        return IntStream.range(0, count).map(mix::lengthBytes);
    }
}

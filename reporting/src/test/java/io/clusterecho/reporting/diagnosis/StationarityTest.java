package io.clusterecho.reporting.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;

import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.reporting.results.IntervalTable;
import io.clusterecho.reporting.results.SteadyState;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StationarityTest
{
    private static final int WARM_UP_COUNT = 3;
    private static final int COUNT = 40;

    private static final Set<String> MACHINE = Set.of("dirty_mib", "writeback_mib", "io_pressure_ms");

    private final SplittableRandom random = new SplittableRandom(3);
    private String counter = "write_ms";
    private IntToDoubleFunction value = (row) -> 0;

    @Test
    void shouldBeSteadyFromTheBeginOfTheWindow()
    {
        assertThat(judged(COUNT, (row) -> 500)).isEqualTo(new SteadyState(true, 3_000_000_000L, List.of()));
    }

    @Test
    void shouldNameWhatChangedAndWhen()
    {
        final SteadyState state = judged(COUNT, (row) -> row < 13 ? 800 : 500);
        assertThat(state.reached()).isTrue();
        assertThat(state.fromNs()).isEqualTo(13_000_000_000L);
        assertThat(state.reasons()).anySatisfy((reason) -> assertThat(reason).matches(
            "p50 changed from 8\\d\\d us to 5\\d\\d us, 13.0 s after the start of the warm-up " +
            "\\(with core time of client from 800 to 200 ms/s\\)"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "compile_ms    | 700  | 20   | compilation of client from 700 to 20 ms/s",
        "collection_ms | 0    | 90   | collections of client from 0 to 90 ms/s",
        "memory_mib    | 400  | 900  | memory (heap, stacks, code) of client from 400 to 900 MiB",
        "log_mib       | 300  | 1500 | length of the log from 300 to 1500 MiB",
        "dirty_mib     | 100  | 800  | unwritten pages of the machine from 100 to 800 MiB",
        "writeback_mib | 0    | 60   | pages being written of the machine from 0 to 60 MiB",
        "io_pressure_ms | 10  | 400  | waiting for a disk of the machine from 10 to 400 ms/s" })
    void shouldNameWhatDrifted(final String column, final double before, final double after, final String words)
    {
        counter = column;
        value = (row) -> row < 13 ? before : after;
        assertThat(reason(after > before)).endsWith(" s after the start of the warm-up (with " + words + ")");
    }

    @ParameterizedTest
    @CsvSource({
        "log_mib, 300, 1500, false", "compile_ms, 20, 60, true", "memory_mib, 400, 500, true", "dirty_mib, 10, 60, true" })
    void shouldNameNothingThatExplainsNothing(
        final String column, final double before, final double after, final boolean isSlower)
    {
        counter = column;
        value = (row) -> row < 13 ? before : after;
        assertThat(reason(isSlower)).endsWith(" s after the start of the warm-up");
    }

    private String reason(final boolean isSlower)
    {
        return judged(COUNT, (row) -> isSlower == row < 13 ? 300 : 500).reasons().get(0);
    }

    @Test
    void shouldNotBeSteadyAfterALateChange()
    {
        final SteadyState state = judged(COUNT, (row) -> row < 35 ? 500 : 900);
        assertThat(state.reached()).isFalse();
        assertThat(state.fromNs()).isNull();
        assertThat(state.reasons()).isNotEmpty();
    }

    @Test
    void shouldNotMindASmallChange()
    {
        assertThat(judged(COUNT, (row) -> row < 13 ? 500 : 515, 4).reasons()).isEmpty();
    }

    @Test
    void shouldNotJudgeAShortRunOrOneWithoutSeries()
    {
        assertThat(judged(19, (row) -> 500)).isEqualTo(
            SteadyState.unknown("the measured window has 19 intervals with replies, fewer than 20"));
        assertThat(Stationarity.of(new IntervalTable(Path.of("target", "no-such-run"))).reached()).isNull();
    }

    private SteadyState judged(final int count, final IntToDoubleFunction p50Us)
    {
        return judged(count, p50Us, 40);
    }

    private SteadyState judged(final int count, final IntToDoubleFunction p50Us, final double scatterUs)
    {
        final List<String> intervals = new ArrayList<>(List.of("begin_s,end_s,phase,response_p50_us,response_p99_us"));
        final List<String> counters = new ArrayList<>(List.of("begin_s,end_s,process,cpu_ms," + counter));
        final List<String> machine = new ArrayList<>(List.of("begin_s,end_s," + counter));
        for (int row = 0; row < WARM_UP_COUNT + count; row++)
        {
            final double middle = p50Us.applyAsDouble(row) + random.nextDouble(scatterUs);
            final String times = row + ".000," + (row + 1) + ".000,";
            intervals.add(times + (row < WARM_UP_COUNT ? "warm_up" : "measure") + "," +
                (row < WARM_UP_COUNT ? "" : middle + "," + (3 * middle + random.nextDouble(scatterUs))));
            counters.add(times + "client," + (p50Us.applyAsDouble(row) > 600 ? 800 : 200) + "," +
                (MACHINE.contains(counter) ? 0 : value.applyAsDouble(row)));
            machine.add(times + (MACHINE.contains(counter) ? value.applyAsDouble(row) : 0));
        }
        intervals.replaceAll((line) -> line.endsWith("warm_up,") ? line + "," : line);
        return Stationarity.of(
            new IntervalTable(new CsvTable(intervals), new CsvTable(counters), new CsvTable(machine)));
    }
}

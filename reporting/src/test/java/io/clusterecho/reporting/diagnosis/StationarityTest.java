package io.clusterecho.reporting.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;

import io.clusterecho.reporting.results.CsvTable;
import io.clusterecho.reporting.results.SteadyState;

import org.junit.jupiter.api.Test;

class StationarityTest
{
    private static final int WARM_UP_COUNT = 3;
    private static final int COUNT = 40;

    private final SplittableRandom random = new SplittableRandom(3);

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
            "p50 changed from 8\\d\\d us to 5\\d\\d us, 13.0 s after the start " +
            "\\(with core time of client from 800 to 200 ms/s\\)"));
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
        assertThat(Stationarity.of(Path.of("target", "no-such-run")).reached()).isNull();
    }

    private SteadyState judged(final int count, final IntToDoubleFunction p50Us)
    {
        return judged(count, p50Us, 40);
    }

    private SteadyState judged(final int count, final IntToDoubleFunction p50Us, final double scatterUs)
    {
        final List<String> intervals = new ArrayList<>(List.of("begin_s,end_s,phase,response_p50_us,response_p99_us"));
        final List<String> counters = new ArrayList<>(List.of("begin_s,end_s,process,cpu_ms"));
        for (int row = 0; row < WARM_UP_COUNT + count; row++)
        {
            final double middle = p50Us.applyAsDouble(row) + random.nextDouble(scatterUs);
            intervals.add(row + ".000," + (row + 1) + ".000," + (row < WARM_UP_COUNT ? "warm_up" : "measure") + "," +
                (row < WARM_UP_COUNT ? "" : middle + "," + (3 * middle + random.nextDouble(scatterUs))));
            counters.add(row + ".000," + (row + 1) + ".000,client," + (p50Us.applyAsDouble(row) > 600 ? 800 : 200));
        }
        intervals.replaceAll((line) -> line.endsWith("warm_up,") ? line + "," : line);
        return Stationarity.of(new Observation(new CsvTable(intervals), new CsvTable(counters), new CsvTable(List.of())));
    }
}

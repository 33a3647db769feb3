package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterecho.reporting.results.WindowEnds.Cause;

import org.junit.jupiter.api.Test;

class WindowEndsTest
{
    private static final long SECOND_NS = 1_000_000_000L;

    @Test
    void shouldReportWhatWasReached()
    {
        final WindowEnds ends = new WindowEnds(
            new WindowEnds.WarmUp(23 * SECOND_NS, 60 * SECOND_NS, Cause.steady, null),
            new WindowEnds.Until("p99+-5%", 68 * SECOND_NS, 600 * SECOND_NS, Cause.precise, 0.042, null, 3));
        assertThat(ends.lines()).containsExactly(
            "warm-up of 23.0 s, until steady (at most 60.0 s)",
            "measured for 68.0 s, until p99+-5%: +-4.2% (at most 600 s; looked 3 times)");
        assertThat(ends.warnings()).isEmpty();
    }

    @Test
    void shouldWarnOfWhatWasNotReached()
    {
        final WindowEnds ends = new WindowEnds(
            new WindowEnds.WarmUp(60 * SECOND_NS, 60 * SECOND_NS, Cause.bound, "p50 fell by 31% in its last 30 intervals"),
            new WindowEnds.Until("p99+-5%", 600 * SECOND_NS, 600 * SECOND_NS, Cause.bound, 0.123, null, 8));
        assertThat(ends.lines()).containsExactly(
            "warm-up of 60.0 s, to its bound: not steady (at most 60.0 s)",
            "measured for 600 s, to the bound, for p99+-5%: +-12.3% (at most 600 s; looked 8 times)");
        assertThat(ends.warnings()).containsExactly(
            "the warm-up met its bound of 60.0 s before response times were steady: p50 fell by 31% in its last 30 intervals",
            "the run met its bound of 600 s before p99+-5% was reached: +-12.3%");
    }

    @Test
    void shouldReportWhyThereAreNoBounds()
    {
        final WindowEnds ends = new WindowEnds(
            null, new WindowEnds.Until("p99+-5%", SECOND_NS, 600 * SECOND_NS, Cause.bound, null, "too few messages", 0));
        assertThat(ends.lines()).singleElement().asString().contains("no bounds");
        assertThat(ends.warnings()).singleElement().asString().endsWith("was reached: too few messages");
        assertThat(new WindowEnds(
            new WindowEnds.WarmUp(SECOND_NS, 60 * SECOND_NS, Cause.request, "too few intervals"), null).warnings()).isEmpty();
    }
}

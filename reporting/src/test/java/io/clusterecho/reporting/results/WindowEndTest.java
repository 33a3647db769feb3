package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.clusterecho.reporting.results.WindowEnd.Cause;

import org.junit.jupiter.api.Test;

class WindowEndTest
{
    private static final long SECOND_NS = 1_000_000_000L;

    @Test
    void shouldReportWhatWasReached()
    {
        final WindowEnd end = new WindowEnd("p99+-5%", 68 * SECOND_NS, 600 * SECOND_NS, Cause.precise, 0.042, null, 3);
        assertThat(end.text()).isEqualTo("measured for 68.0 s, until p99+-5%: +-4.2% (at most 600 s; looked 3 times)");
        assertThat(end.warning()).isNull();
    }

    @Test
    void shouldWarnOfWhatWasNotReached()
    {
        final WindowEnd end = new WindowEnd("p99+-5%", 600 * SECOND_NS, 600 * SECOND_NS, Cause.bound, 0.123, null, 8);
        assertThat(end.text())
            .isEqualTo("measured for 600 s, to the bound, for p99+-5%: +-12.3% (at most 600 s; looked 8 times)");
        assertThat(end.warning()).isEqualTo("the run met its bound of 600 s before p99+-5% was reached: +-12.3%");
    }

    @Test
    void shouldReportWhyThereAreNoBounds()
    {
        final WindowEnd end =
            new WindowEnd("p99+-5%", SECOND_NS, 600 * SECOND_NS, Cause.bound, null, "too few messages", 0);
        assertThat(end.text()).contains("no bounds");
        assertThat(end.warning()).endsWith("was reached: too few messages");
        assertThat(new WindowEnd("p99+-5%", SECOND_NS, 600 * SECOND_NS, Cause.request, null, "too few messages", 0).warning())
            .isNull();
    }
}

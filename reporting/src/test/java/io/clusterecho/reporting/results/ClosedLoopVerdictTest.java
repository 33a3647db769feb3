package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.clusterecho.reporting.measurement.ClosedLoopResult;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ClosedLoopVerdictTest
{
    @Test
    void shouldWarnOfAClosedLoopThatNeverHadItsMessagesInFlight()
    {
        assertThat(Verdict.of(closedLoop(3, null), List.of()).warnings()).singleElement().asString()
            .startsWith("at most 3 messages were in flight at once, not 4");
        assertThat(Verdict.of(closedLoop(4, null), List.of()).warnings()).isEmpty();

        final Verdict failed = Verdict.of(closedLoop(3, "the session closed"), List.of());
        assertThat(failed.reasons()).containsExactly("the session closed");
        assertThat(failed.warnings()).isEmpty();
    }

    private static ClosedLoopResult closedLoop(final int mostInFlight, final String failure)
    {
        return new ClosedLoopResult(100, 0, 0, 0, mostInFlight, 4, 1_000, new Histogram(3), failure, false);
    }
}

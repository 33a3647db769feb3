package io.clusterecho.client.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;

import io.clusterecho.client.calibration.CalibratedEcho.PercentileError;
import io.clusterecho.client.calibration.KnownEcho;
import io.clusterecho.client.transport.MemoryTransport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On a clock on which work takes no time the load client has no error; an echo of another truth than stated has its own. */
class KnownEchoTest
{
    private static final long STEP_NS = 1_000;
    private static final long DELAY_NS = 150_000;
    private static final long DURATION_NS = 2_000_000_000L;
    private static final int LENGTH = 288;

    private final ManualRun run = new ManualRun();

    @ParameterizedTest
    @CsvSource({ "1000, false", "1000, true", "10000, false", "10000, true", "33333, true" })
    void shouldHaveNoErrorWhereWorkTakesNoTime(final long ratePerSecond, final boolean isStalled)
    {
        final KnownEcho echo = KnownEcho.of(ratePerSecond, LENGTH, DURATION_NS, DELAY_NS, isStalled);
        final List<PercentileError> errors = measured(echo, echo);
        // A message that is due between two steps of the clock is sent at the second; so one that would be answered just before
        // the stall is answered after it, and ranks in the stall shift by one message.
        final boolean isBetweenSteps = 0 != 1_000_000_000L % (ratePerSecond * STEP_NS);
        final long shiftNs = isStalled && isBetweenSteps ? 1_000_000_000L / ratePerSecond + 1 : 0;
        assertThat(errors).hasSize(6).allSatisfy((error) ->
            assertThat(error.errorNs()).as("%s", error).isBetween(0L, error.resolutionNs() + 2 * STEP_NS + shiftNs));
        assertThat(errors.get(5).trueNs())
            .isCloseTo(isStalled ? echo.stallNs() + DELAY_NS : DELAY_NS, within(DELAY_NS + 1_000_000_000L / ratePerSecond));
    }

    @Test
    void shouldReportAnInjectedErrorAsThatError()
    {
        final KnownEcho stated = KnownEcho.of(10_000, LENGTH, DURATION_NS, 100_000, false);
        final KnownEcho actual = KnownEcho.of(10_000, LENGTH, DURATION_NS, 125_000, false);
        assertThat(measured(stated, actual)).allSatisfy((error) ->
        {
            assertThat(error.trueNs()).isEqualTo(100_000);
            assertThat(error.errorNs()).isBetween(25_000L, 25_000 + error.resolutionNs() + 2 * STEP_NS);
            assertThat(error.errorPercent()).isBetween(25.0, 27.5);
        });
        assertThat(measured(actual, stated)).allSatisfy((error) ->
            assertThat(error.errorNs()).isBetween(-25_000L, -25_000 + error.resolutionNs() + 2 * STEP_NS));
    }

    @Test
    void shouldReportAnUnexpectedStallInTheTailOnly()
    {
        final KnownEcho stated = KnownEcho.of(10_000, LENGTH, DURATION_NS, DELAY_NS, false);
        final KnownEcho actual = KnownEcho.of(10_000, LENGTH, DURATION_NS, DELAY_NS, true);
        final List<PercentileError> errors = measured(stated, actual);
        assertThat(errors.get(0).errorNs()).isLessThanOrEqualTo(errors.get(0).resolutionNs() + 2 * STEP_NS);
        assertThat(errors.get(2).percentile()).isEqualTo("p99");
        assertThat(errors.get(2).errorNs()).isBetween(actual.stallNs() / 2, actual.stallNs());
    }

    @Test
    void shouldCompareNothingIfMessagesAreMissing()
    {
        final KnownEcho echo = KnownEcho.of(1_000, LENGTH, DURATION_NS, DELAY_NS, false);
        measured(echo, echo);
        run.responseTimes.recordValue(1);
        assertThatThrownBy(() -> PercentileError.of(run.responseTimes, echo.trueTimesNs()))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("expected reported times=1500");
    }

    private List<PercentileError> measured(final KnownEcho stated, final KnownEcho actual)
    {
        final ManualRun fresh = new ManualRun();
        final MemoryTransport transport = actual.transport(fresh, ManualRun.START_NS);
        fresh.execute(actual.plan(), actual.schedule(), STEP_NS, (timeNs) -> { }, transport);
        run.responseTimes.reset();
        run.responseTimes.add(fresh.responseTimes);
        assertThat(transport.connectTimeNs()).isZero();
        return PercentileError.of(fresh.responseTimes, stated.trueTimesNs());
    }
}

package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.clusterecho.reporting.measurement.FanOutOutcome;
import io.clusterecho.reporting.measurement.FanOutOutcome.Receiver;
import io.clusterecho.reporting.measurement.LoadMeasurement;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.junit.jupiter.api.Test;

class FanOutTest
{
    private static final Receiver GOOD = new Receiver(1_000, 990, 10, 0, 0, 0, 0, 0);

    @Test
    void shouldFindNothingInCopiesThatAllArrived()
    {
        final LoadMeasurement measurement = measurement(GOOD, GOOD);

        assertThat(verdict(measurement).isGood()).isTrue();
        assertThat(TextReport.fanOut(measurement)).containsExactly(
            "fan-out    2 receivers: copies 2,000 = received 1,980 + late 20 + missing 0 + never sent 0",
            "           duplicates 0, corrupt 0, of other clients 7, reconnects 0; complete 900 of 1,000 messages");
    }

    @Test
    void shouldFailARunWhoseCopiesAreMissingDuplicateOrCorrupt()
    {
        final LoadMeasurement measurement =
            measurement(GOOD, new Receiver(1_000, 995, 0, 5, 0, 3, 2, 1), new Receiver(1_000, 999, 0, 1, 0, 0, 0, 0));

        assertThat(verdict(measurement).reasons()).containsExactly(
            "6 of 3000 copies did not reach their receiver (2 of 3 receivers)", "3 duplicate copies", "2 corrupt copies");
        assertThat(TextReport.fanOut(measurement)).hasSize(4)
            .contains("           receiver 1: missing 5, reconnects 1", "           receiver 2: missing 1, reconnects 0");
    }

    @Test
    void shouldFailARunWhoseCopiesDoNotAddUp()
    {
        assertThat(verdict(measurement(GOOD, new Receiver(1_000, 999, 0, 0, 0, 0, 0, 0))).reasons()).containsExactly(
            "the accounts of receiver 1 do not add up: scheduled=1000, accounted for=999");
    }

    @Test
    void shouldHaveNothingToReportWithoutReceivers()
    {
        final LoadMeasurement measurement = new SampleEvidence().evidence().measurement();

        assertThat(verdict(measurement).isGood()).isTrue();
        assertThat(TextReport.fanOut(measurement)).isEmpty();
    }

    private static Verdict verdict(final LoadMeasurement measurement)
    {
        return Verdict.of(RunEvidence.of(measurement, SampleEvidence.RATE));
    }

    private static LoadMeasurement measurement(final Receiver... receivers)
    {
        return new SampleEvidence().evidence().measurement().with(new FanOutOutcome(
            List.of(receivers), 900, 7, TimeRecorder.newHistogram(), TimeRecorder.newHistogram()));
    }
}

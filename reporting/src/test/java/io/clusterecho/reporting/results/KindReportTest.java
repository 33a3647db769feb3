package io.clusterecho.reporting.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.Counts;
import io.clusterecho.reporting.measurement.KindOutcome;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.reporting.measurement.MessageKind;
import io.clusterecho.reporting.measurement.TimeRecorder;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class KindReportTest
{
    @Test
    void shouldHaveARowForEachKind()
    {
        assertThat(TextReport.kinds(outcome(List.of(
            kind(new MessageKind("orders", 288, 288, 100), 90, 5, 3, 2, 1_000_000),
            kind(new MessageKind("files", 65_536, 1_048_576, 12.5), 10, 0, 0, 0, 20_000_000))), false))
            .containsExactly(
                "kind             bytes  target/s  achieved/s  scheduled  answered  late  unanswered  never sent" +
                "      p50  p99  p99.9      max",
                "orders             288     100.0        95.0        100        90     5           3           2" +
                "  1.00 ms    -      -  1.00 ms",
                "files   65536..1048576      12.5        10.0         10        10     0           0           0" +
                "        -    -      -  20.0 ms");
    }

    @Test
    void shouldHaveNoRowsWithoutKinds()
    {
        assertThat(TextReport.kinds(outcome(List.of()), false)).isEmpty();
    }

    @Test
    void shouldAddUpTheSharesOfTwoClients()
    {
        final KindOutcome one = kind(new MessageKind("a", 32, 32, 100), 90, 5, 3, 2, 1_000);
        final KindOutcome sum = one.add(kind(new MessageKind("a", 32, 32, 100), 9, 8, 7, 6, 2_000));
        assertThat(sum.counts()).isEqualTo(new Counts().set(Counter.SCHEDULED, 130).set(Counter.ANSWERED, 99)
            .set(Counter.LATE, 13).set(Counter.UNANSWERED, 10).set(Counter.NEVER_SENT, 8));
        assertThat(sum.responseTimes().getTotalCount()).isEqualTo(130);
        assertThat(sum.responseTimes().getMaxValue()).isEqualTo(2_000);
        assertThat(one.responseTimes().getTotalCount()).as("unchanged").isEqualTo(100);
    }

    static KindOutcome kind(
        final MessageKind kind, final long answered, final long late, final long unanswered, final long neverSent, final long ns)
    {
        final Histogram times = TimeRecorder.newHistogram();
        final long count = answered + late + unanswered + neverSent;
        times.recordValueWithCount(ns, count);
        return new KindOutcome(
            kind,
            new Counts().set(Counter.SCHEDULED, count).set(Counter.ANSWERED, answered).set(Counter.LATE, late)
            .set(Counter.UNANSWERED, unanswered).set(Counter.NEVER_SENT, neverSent),
            times);
    }

    /** 105 replies at 105/s. */
    static LoadOutcome outcome(final List<KindOutcome> kinds)
    {
        return new LoadOutcome(
            new Counts().set(Counter.SCHEDULED, 110).set(Counter.ANSWERED, 100).set(Counter.LATE, 5)
            .set(Counter.UNANSWERED, 3).set(Counter.NEVER_SENT, 2),
            105.0, 0, TimeRecorder.newHistogram(), null, kinds, List.of(), null);
    }
}

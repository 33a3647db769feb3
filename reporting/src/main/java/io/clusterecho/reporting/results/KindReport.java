package io.clusterecho.reporting.results;

import java.util.List;
import java.util.Locale;

import io.clusterecho.reporting.measurement.KindOutcome;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.text.TextTable;

/** Accounts and response times of each kind of message as a text table. */
final class KindReport
{
    private static final List<Percentile> PERCENTILES =
        List.of(Percentile.P50, Percentile.P99, Percentile.P99_9, Percentile.MAX);

    private KindReport()
    {
    }

    /**
     * A row for each kind.
     *
     * @return header and rows; none if there is only one kind.
     */
    static List<String> lines(final LoadOutcome outcome)
    {
        if (outcome.kinds().isEmpty())
        {
            return List.of();
        }

        final TextTable table = new TextTable().left("kind").right("bytes").right("target/s").right("achieved/s")
            .right("scheduled").right("answered").right("late").right("unanswered").right("never sent");
        PERCENTILES.forEach((percentile) -> table.right(percentile.label()));
        for (final KindOutcome kind : outcome.kinds())
        {
            table.row(
                kind.kind().name(), kind.kind().lengths(), number("%,.1f", kind.kind().ratePerSecond()),
                number("%,.1f", kind.ratePerSecondAchieved(outcome)), number("%,d", kind.scheduled()),
                number("%,d", kind.answered()), number("%,d", kind.late()), number("%,d", kind.unanswered()),
                number("%,d", kind.neverSent()), PERCENTILES.get(0).text(kind.responseTimes()),
                PERCENTILES.get(1).text(kind.responseTimes()), PERCENTILES.get(2).text(kind.responseTimes()),
                PERCENTILES.get(3).text(kind.responseTimes()));
        }

        return table.text().lines().toList();
    }

    private static String number(final String format, final Object value)
    {
        return String.format(Locale.ROOT, format, value);
    }
}

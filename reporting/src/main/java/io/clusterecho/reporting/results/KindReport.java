package io.clusterecho.reporting.results;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.clusterecho.reporting.measurement.Counter;
import io.clusterecho.reporting.measurement.KindOutcome;
import io.clusterecho.reporting.measurement.LoadOutcome;
import io.clusterecho.text.Lines;
import io.clusterecho.text.TextTable;

/** Accounts and response times of each kind of message as a text table. */
final class KindReport
{
    private static final List<Percentile> PERCENTILES =
        List.of(Percentile.P50, Percentile.P99, Percentile.P99_9, Percentile.MAX);

    private KindReport()
    {
    }

    /** Header and a row for each kind, none if there is only one; brief without the accounts, to fit on a screen. */
    static List<String> lines(final LoadOutcome outcome, final boolean isBrief)
    {
        if (outcome.kinds().isEmpty())
        {
            return List.of();
        }

        final TextTable table = new TextTable().left("kind").right("bytes").right("target/s").right("achieved/s");
        if (!isBrief)
        {
            table.right("scheduled").right("answered").right("late").right("unanswered").right("never sent");
        }
        PERCENTILES.forEach((percentile) -> table.right(percentile.label()));
        for (final KindOutcome kind : outcome.kinds())
        {
            final List<String> cells = new ArrayList<>(List.of(
                kind.kind().name(), kind.kind().lengths(), Lines.text("%,.1f", kind.kind().ratePerSecond()),
                Lines.text("%,.1f", kind.ratePerSecondAchieved(outcome))));
            if (!isBrief)
            {
                Stream.of(Counter.SCHEDULED, Counter.ANSWERED, Counter.LATE, Counter.UNANSWERED, Counter.NEVER_SENT)
                    .forEach((counter) -> cells.add(Lines.text("%,d", kind.counts().of(counter))));
            }
            PERCENTILES.forEach((percentile) -> cells.add(percentile.text(kind.responseTimes())));
            table.row(cells);
        }

        return table.text().lines().toList();
    }
}

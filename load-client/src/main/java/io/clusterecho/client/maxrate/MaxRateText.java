package io.clusterecho.client.maxrate;

import static io.clusterecho.text.Lines.line;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.text.Lines;
import io.clusterecho.text.TextTable;

/** A search as text for a person. */
public final class MaxRateText
{
    private MaxRateText()
    {
    }

    /** The line of a trial, without a line feed. */
    static String ofTrial(final Step step)
    {
        return Lines.text(
            "%3d  %-8s %,12d/s  %s  p50 %s  p99 %s  p99.9 %s%s", step.number(),
            step.purpose().name().toLowerCase(Locale.ROOT), step.ratePerSecond(), step.isHeld() ? "passed" : "failed",
            response(step, Percentile.P50), response(step, Percentile.P99), response(step, Percentile.P99_9),
            reasons(step));
    }

    public static String text(final MaxRate search, final Verdict verdict, final String resultFolder)
    {
        final StringBuilder text = new StringBuilder();
        final SearchAnswer answer = search.answer();
        line(text, "%s  %s: %s", verdict.label(), search.description().label(), Threshold.join(search.conditions()));
        verdict.allReasons().forEach((reason) -> line(text, "  ! %s", reason));
        verdict.warnings().forEach((warning) -> line(text, "  ~ %s", warning));
        line(text, "");
        line(text, "answer     %s", search.answerSentence());
        if (answer.ratePerSecond() > 0)
        {
            for (int i = 0; i < search.conditions().size(); i++)
            {
                line(text, "           %s", search.conditionSentence(i));
            }
        }
        if (answer.brokenRate() > 0)
        {
            line(text, "failed at  %s", search.brokenSentence());
        }
        line(text, "limit      %s: %s", search.limit().by().name().toLowerCase(Locale.ROOT), search.limit().reason());
        line(text, "durability %s", search.description().durability());
        line(text, "placement  %s", search.description().placement());
        line(text, "");
        final TextTable table = new TextTable().right("rate/s").right("run").right("passed").right("achieved/s")
            .right("p50").right("p99").right("p99.9").right("send delay").right("never sent").left("");
        final List<Step> byRate = search.steps().stream()
            .sorted(Comparator.comparingLong(Step::ratePerSecond).thenComparingInt(Step::number)).toList();
        for (final Step step : byRate)
        {
            table.row(Lines.text("%,d", step.ratePerSecond()), step.number(), step.isHeld() ? "yes" : "no",
                Lines.text("%,.1f", step.run().ratePerSecondAchieved()), response(step, Percentile.P50),
                response(step, Percentile.P99),
                response(step, Percentile.P99_9), Lines.text("%.0f%%", 100 * step.sendDelayShare()),
                Lines.text("%,d", step.run().accounts().neverSent()), reasons(step).strip());
        }
        text.append(table.text());
        line(text, "");
        line(text, "send delay: share of the mean response time before messages were sent");
        line(text, "results in %s, with charts in report.html", resultFolder);
        return text.toString();
    }

    private static String response(final Step step, final Percentile percentile)
    {
        return Percentile.text(step.run().responseTimeNs().at(percentile));
    }

    private static String reasons(final Step step)
    {
        final StringBuilder reasons = new StringBuilder();
        step.run().verdict().reasons().forEach((reason) -> reasons.append("  ! ").append(reason));
        return reasons.toString();
    }
}

package io.clusterecho.client.maxrate;

import static io.clusterecho.text.Lines.line;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.results.Times;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.text.Lines;
import io.clusterecho.text.TextTable;

/** A search as text for a person, and as a table for other programs. */
public final class MaxRateText
{
    private static final double NS_PER_US = 1e3;

    private MaxRateText()
    {
    }

    /** The line of a trial, without a line feed. */
    static String ofTrial(final Step step)
    {
        return Lines.text(
            "%3d  %-8s %,12d/s  %s  p50 %s  p99 %s  p99.9 %s%s", step.number(),
            step.purpose().name().toLowerCase(Locale.ROOT), step.ratePerSecond(), step.isPassed() ? "passed" : "failed",
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
        if (answer.failedRate() > 0)
        {
            line(text, "failed at  %s", search.failedSentence());
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
            table.row(Lines.text("%,d", step.ratePerSecond()), step.number(), step.isPassed() ? "yes" : "no",
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

    /** A row for each run, in order, times in us: percentiles by rate form the knee curve. */
    static String csv(final MaxRate search)
    {
        final StringBuilder text = new StringBuilder(
            "step,purpose,rate_asked,rate_achieved,held,verdict,response_p50_us,response_p90_us,response_p99_us," +
            "response_p99.9_us,response_p99.99_us,response_max_us,service_p50_us,service_p99_us,send_delay_p50_us," +
            "send_delay_p99_us,send_delay_share,never_sent,unanswered,back_pressured,folder\n");
        for (final Step step : search.steps())
        {
            final RunDocument run = step.run();
            final Times response = run.responseTimeNs();
            final Times service = run.serviceTimeNs();
            final Times delay = run.sendDelayNs();
            text.append(Lines.text(
                "%d,%s,%d,%.2f,%b,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%.4f,%d,%d,%d,%s\n",
                step.number(), MaxRateDocument.lower(step.purpose()), step.ratePerSecond(),
                run.ratePerSecondAchieved(), step.isPassed(), run.verdict().label(),
                us(response, Percentile.P50), us(response, Percentile.P90), us(response, Percentile.P99),
                us(response, Percentile.P99_9), us(response, Percentile.P99_99), us(response, Percentile.MAX),
                us(service, Percentile.P50), us(service, Percentile.P99),
                us(delay, Percentile.P50), us(delay, Percentile.P99), step.sendDelayShare(),
                run.accounts().neverSent(), run.accounts().unanswered(), run.backPressured(), step.folder()));
        }

        return text.toString();
    }

    private static String us(final Times times, final Percentile percentile)
    {
        final Long timeNs = times.at(percentile);
        return null == timeNs ? "" : Lines.text("%.3f", timeNs / NS_PER_US);
    }
}

package io.clusterecho.client.maxrate;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

import io.clusterecho.client.results.Threshold;
import io.clusterecho.client.results.Verdict;
import io.clusterecho.settings.Quantity;

/**
 * A search as a person reads it on a terminal.
 */
public final class MaxRateText
{
    private MaxRateText()
    {
    }

    /**
     * A step in a line.
     *
     * @param step that has ended.
     * @return without a line's end.
     */
    public static String line(final Step step)
    {
        return text(
            "%3d  %-8s %,12d/s  %-6s p50 %s  p99 %s  p99.9 %s%s", step.number(), step.purpose().name().toLowerCase(Locale.ROOT),
            step.ratePerSecond(), step.isHeld() ? "held" : "broke",
            Quantity.formatNs(step.timeNs("responseTimeNs", "p50")), Quantity.formatNs(step.timeNs("responseTimeNs", "p99")),
            Quantity.formatNs(step.timeNs("responseTimeNs", "p99.9")), reasons(step));
    }

    /**
     * A whole search.
     *
     * @param search       that has ended.
     * @param verdict      on it.
     * @param resultFolder where it is kept.
     * @return several lines.
     */
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
            line(text, "broke at   %s", search.brokenSentence());
        }
        line(text, "limit      %s: %s", search.limit().by().name().toLowerCase(Locale.ROOT), search.limit().reason());
        line(text, "durability %s", search.description().durability());
        line(text, "placement  %s", search.description().placement());
        line(text, "");
        line(text, "%12s %4s  %5s %11s %10s %10s %10s %10s %10s", "rate/s", "run", "held", "achieved/s", "p50", "p99",
            "p99.9", "send delay", "never sent");
        final List<Step> byRate = search.steps().stream()
            .sorted(Comparator.comparingLong(Step::ratePerSecond).thenComparingInt(Step::number)).toList();
        for (final Step step : byRate)
        {
            line(text, "%,12d %4d  %5s %,11.1f %10s %10s %10s %9.0f%% %,10d%s", step.ratePerSecond(), step.number(),
                step.isHeld() ? "yes" : "no", step.achieved(), Quantity.formatNs(step.timeNs("responseTimeNs", "p50")),
                Quantity.formatNs(step.timeNs("responseTimeNs", "p99")),
                Quantity.formatNs(step.timeNs("responseTimeNs", "p99.9")), 100 * step.sendDelayShare(),
                step.count("neverSent"), reasons(step));
        }
        line(text, "");
        line(text, "send delay: the share of the mean response time that messages spent before they were sent");
        line(text, "results in %s, with charts in report.html", resultFolder);
        return text.toString();
    }

    private static String reasons(final Step step)
    {
        final StringBuilder reasons = new StringBuilder();
        step.manifest().at("/verdict/reasons").forEach((reason) -> reasons.append("  ! ").append(reason.asText()));
        return reasons.toString();
    }

    private static void line(final StringBuilder out, final String format, final Object... arguments)
    {
        out.append(text(format, arguments).stripTrailing()).append('\n');
    }

    private static String text(final String format, final Object... arguments)
    {
        return String.format(Locale.ROOT, format, arguments);
    }
}

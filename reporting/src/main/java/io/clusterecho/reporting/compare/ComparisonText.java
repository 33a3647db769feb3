package io.clusterecho.reporting.compare;

import java.util.List;
import java.util.Locale;

import io.clusterecho.reporting.results.JunitSuite;
import io.clusterecho.text.TextTable;

/** A comparison as text for a person, as Markdown, or as JUnit XML for continuous integration. */
public final class ComparisonText
{
    private ComparisonText()
    {
    }

    public static String text(final Comparison comparison, final boolean isMarkdown)
    {
        final Sheet sheet = new Sheet(isMarkdown).heading(1, comparison.summary());
        for (final RunSet set : List.of(comparison.a(), comparison.b()))
        {
            sheet.remark(set.name(), set.size() + " in " +
                String.join(", ", set.folders().stream().map(Object::toString).toList()));
        }
        comparison.differences().forEach((difference) -> sheet.remark(
            "differs", difference.path() + ": A " + String.join(" | ", difference.a()) + ", B " +
            String.join(" | ", difference.b())));
        sheet.remarks("refused", comparison.refusals()).remarks("note", comparison.notes());
        if (comparison.changes().isEmpty())
        {
            return sheet.toString();
        }

        final TextTable table = new TextTable().left("").right("A median").left("interval").right("B median")
            .left("interval").right("change").right("p").left("");
        for (final Change change : comparison.changes())
        {
            final Metric metric = change.metric();
            table.row(
                metric.title(), metric.format(change.a().median()), interval(metric, change.a()),
                metric.format(change.b().median()), interval(metric, change.b()),
                change.isShown() ? change.shareText() : change.sign(),
                String.format(Locale.ROOT, "%.4f", change.adjustedPValue()), change.isShown() ? change.sign() : "");
        }
        return sheet.blank().table(table, 0).blank().paragraph(legend(comparison)).toString();
    }

    /** A case for whether the sets can be compared, and one for each metric. */
    public static String junit(final Comparison comparison)
    {
        final JunitSuite suite = new JunitSuite("compare", 0).judgeable("sets are comparable", comparison.refusals(), "");
        for (final Change change : comparison.changes())
        {
            final Metric metric = change.metric();
            suite.judged(
                metric.name(), comparison.isRefused() ? comparison.summary() : null,
                change.isWorse() ? metric.title() + " changed by " + change.shareText() : null, String.format(
                Locale.ROOT, "A %s (%s), B %s (%s), p %.4f, %s", metric.format(change.a().median()),
                interval(metric, change.a()), metric.format(change.b().median()), interval(metric, change.b()),
                change.adjustedPValue(), change.sign()));
        }
        return suite.xml();
    }

    /** What the columns mean, and their confidence. */
    private static String legend(final Comparison comparison)
    {
        final ComparisonPlan plan = comparison.plan();
        if (Comparison.isPair(comparison.a(), comparison.b()))
        {
            return "Single runs, with their 95% bounds from the scatter within each, where known; runs scatter by more.";
        }
        return String.format(
            Locale.ROOT,
            "Medians over starts, of the median run of each, with the interval of order statistics, which contains the true " +
            "median with %.1f%% (A) and " +
            "%.1f%% (B); %s%% needs %d starts; never narrower than the scatter within the runs. " +
            "p: Mann-Whitney, two-sided, corrected for %d metrics by Holm's method. " +
            "~: not proven at %s%%, or less than %s%%.",
            100 * comparison.changes().get(0).a().confidence(), 100 * comparison.changes().get(0).b().confidence(),
            Comparison.percent(1 - plan.alpha()), MedianInterval.leastCount(1 - plan.alpha()), plan.metrics().size(),
            Comparison.percent(plan.alpha()), Comparison.percent(plan.minEffect()));
    }

    private static String interval(final Metric metric, final MedianInterval interval)
    {
        return metric.format(interval.low()) + " .. " + metric.format(interval.high());
    }
}

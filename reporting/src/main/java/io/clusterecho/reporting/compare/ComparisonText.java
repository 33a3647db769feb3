package io.clusterecho.reporting.compare;

import static io.clusterecho.text.Lines.line;

import java.util.Locale;

import io.clusterecho.text.TextTable;

/** A comparison as text for a person. */
public final class ComparisonText
{
    private ComparisonText()
    {
    }

    public static String text(final Comparison comparison)
    {
        final StringBuilder text = new StringBuilder(1024);
        line(text, "%s", comparison.summary());
        line(text, "");
        for (final RunSet set : new RunSet[]{ comparison.a(), comparison.b() })
        {
            line(
                text, "%-9s %s in %s", set.name(), set.size(),
                String.join(", ", set.folders().stream().map(Object::toString).toList()));
        }
        for (final Difference difference : comparison.differences())
        {
            line(text, "differs   %s: A %s, B %s", difference.path(), String.join(" | ", difference.inA()),
                String.join(" | ", difference.inB()));
        }
        comparison.refusals().forEach((refusal) -> line(text, "refused   %s", refusal));
        comparison.notes().forEach((note) -> line(text, "note      %s", note));
        if (comparison.changes().isEmpty())
        {
            return text.toString();
        }

        line(text, "");
        final TextTable table = new TextTable().left("").right("A median").left("interval").right("B median")
            .left("interval").right("change").right("p").left("");
        for (final Change change : comparison.changes())
        {
            final Metric metric = change.metric();
            table.row(
                metric.kind() + " " + metric.name().replaceFirst("^(service|delay)\\.|^rate$", ""),
                metric.format(change.a().median()), interval(metric, change.a()),
                metric.format(change.b().median()), interval(metric, change.b()),
                isShown(change) ? change.shareText() : change.outcome().sign(),
                String.format(Locale.ROOT, "%.4f", change.adjustedPValue()),
                isShown(change) ? change.outcome().sign() : "");
        }
        text.append(table.text());
        line(text, "");
        line(text, "%s", legend(comparison));
        return text.toString();
    }

    /** What the columns mean, and their confidence. */
    static String legend(final Comparison comparison)
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

    static String interval(final Metric metric, final MedianInterval interval)
    {
        return metric.format(interval.low()) + " .. " + metric.format(interval.high());
    }

    static boolean isShown(final Change change)
    {
        return Change.Outcome.BETTER == change.outcome() || Change.Outcome.WORSE == change.outcome();
    }
}

package io.clusterecho.reporting.compare;

import java.util.Locale;

import io.clusterecho.reporting.results.JunitSuite;

/**
 * A comparison as JUnit XML for continuous integration: a test case for whether the sets can be compared, and one for each
 * metric, which fails if the metric is worse and is skipped if there are too few starts.
 */
public final class ComparisonJunit
{
    private ComparisonJunit()
    {
    }

    /** Make the XML. */
    public static String xml(final Comparison comparison)
    {
        final JunitSuite suite = new JunitSuite("compare", 0);
        final String comparable = "sets are comparable";
        if (comparison.isRefused())
        {
            suite.broken(comparable, comparison.refusals().get(0), String.join("\n", comparison.refusals()));
        }
        else
        {
            suite.passed(comparable, "");
        }
        comparison.changes().forEach((change) -> add(suite, change, comparison));
        return suite.xml();
    }

    private static void add(final JunitSuite suite, final Change change, final Comparison comparison)
    {
        final Metric metric = change.metric();
        final String detail = String.format(
            Locale.ROOT, "A %s (%s), B %s (%s), p %.4f", metric.format(change.a().median()),
            ComparisonText.interval(metric, change.a()), metric.format(change.b().median()),
            ComparisonText.interval(metric, change.b()), change.adjustedPValue());
        if (comparison.isRefused())
        {
            suite.skipped(metric.name(), comparison.summary(), detail);
        }
        else if (Change.Outcome.WORSE == change.outcome())
        {
            suite.failed(metric.name(), metric.kind() + " " + metric.name() + " changed by " + change.shareText(), detail);
        }
        else
        {
            suite.passed(metric.name(), change.outcome().sign() + " " + detail);
        }
    }
}

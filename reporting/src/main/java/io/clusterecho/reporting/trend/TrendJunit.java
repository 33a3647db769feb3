package io.clusterecho.reporting.trend;

import io.clusterecho.reporting.results.JunitSuite;

/**
 * The judgement of the newest commit as JUnit XML: a test case for whether it can be judged, and one for each metric of each
 * group, which fails if the metric is worse and is skipped if there are too few results.
 */
public final class TrendJunit
{
    private TrendJunit()
    {
    }

    /** Make the XML. */
    public static String xml(final Trend trend)
    {
        final JunitSuite suite = new JunitSuite("trend", 0);
        final TrendGate gate = trend.gate();
        final String usable = "results are complete";
        if (gate.refusals().isEmpty())
        {
            suite.passed(usable, trend.summary());
        }
        else
        {
            suite.broken(usable, gate.refusals().get(0), String.join("\n", gate.refusals()));
        }
        for (final TrendGate.Judged one : gate.judged())
        {
            final String name = one.group().name() + ", " + one.series().metric().name();
            if (!gate.refusals().isEmpty() || null != one.undecided())
            {
                suite.skipped(name, null == one.undecided() ? gate.summary() : one.undecided(), one.sentence());
            }
            else if (one.isWorse())
            {
                suite.failed(name, one.series().name() + " changed by " + one.change().shareText(), one.sentence());
            }
            else
            {
                suite.passed(name, one.sentence());
            }
        }
        return suite.xml();
    }
}

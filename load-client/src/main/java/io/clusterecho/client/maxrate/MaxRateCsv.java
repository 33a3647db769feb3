package io.clusterecho.client.maxrate;

import java.util.Locale;

import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Times;

/** A search as CSV. */
final class MaxRateCsv
{
    private static final double NS_PER_US = 1e3;

    private MaxRateCsv()
    {
    }

    /** A row for each run, in order, times in us: percentiles by rate form the knee curve. */
    static String runs(final MaxRate search)
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
            text.append(String.format(
                Locale.ROOT,
                "%d,%s,%d,%.2f,%b,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%.4f,%d,%d,%d,%s\n",
                step.number(), MaxRateDocument.lower(step.purpose()), step.ratePerSecond(),
                run.ratePerSecondAchieved(), step.isHeld(), run.verdict().label(),
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
        return null == timeNs ? "" : String.format(Locale.ROOT, "%.3f", timeNs / NS_PER_US);
    }
}

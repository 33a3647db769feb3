package io.clusterecho.client.maxrate;

import static io.clusterecho.text.Lines.text;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.results.ClientShare;
import io.clusterecho.reporting.results.Percentile;
import io.clusterecho.reporting.results.Times;

/**
 * One measured trial of a search.
 *
 * @param isPassed   whether the run is good and all conditions were met.
 * @param values     of the conditions, in their order.
 */
public record Step(
    int number,
    RateSearch.Purpose purpose,
    boolean isPassed,
    List<Double> values,
    RunDocument run,
    String folder)
{
    static final String CSV_HEADER =
        "step,purpose,rate_asked,rate_achieved,held,verdict,response_p50_us,response_p90_us,response_p99_us," +
        "response_p99.9_us,response_p99.99_us,response_max_us,service_p50_us,service_p99_us,send_delay_p50_us," +
        "send_delay_p99_us,send_delay_share,never_sent,unanswered,back_pressured,folder\n";

    private static final double NS_PER_US = 1e3;

    /** The trial for a person, without a line feed. */
    String line()
    {
        return text(
            "%3d  %-8s %,12d/s  %s  p50 %s  p99 %s  p99.9 %s%s", number, purpose.name().toLowerCase(Locale.ROOT),
            ratePerSecond(), isPassed ? "passed" : "failed", response(Percentile.P50), response(Percentile.P99),
            response(Percentile.P99_9), reasons());
    }

    /** A percentile of the response time for a person. */
    String response(final Percentile percentile)
    {
        return Percentile.text(run.responseTimeNs().at(percentile));
    }

    /** Why it failed, for a person, after two blanks each; empty if it passed. */
    String reasons()
    {
        return run.verdict().reasons().stream().map((reason) -> "  ! " + reason).collect(Collectors.joining());
    }

    /** A row of {@link #CSV_HEADER}, with times in us. */
    String csv()
    {
        final Times response = run.responseTimeNs();
        final Times service = run.serviceTimeNs();
        final Times delay = run.sendDelayNs();
        return text(
            "%d,%s,%d,%.2f,%b,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%.4f,%d,%d,%d,%s\n",
            number, MaxRateDocument.lower(purpose), ratePerSecond(), run.ratePerSecondAchieved(), isPassed,
            run.verdict().label(),
            us(response, Percentile.P50), us(response, Percentile.P90), us(response, Percentile.P99),
            us(response, Percentile.P99_9), us(response, Percentile.P99_99), us(response, Percentile.MAX),
            us(service, Percentile.P50), us(service, Percentile.P99), us(delay, Percentile.P50), us(delay, Percentile.P99),
            sendDelayShare(), run.accounts().neverSent(), run.accounts().unanswered(), run.backPressured(), folder);
    }

    private static String us(final Times times, final Percentile percentile)
    {
        final Long timeNs = times.at(percentile);
        return null == timeNs ? "" : text("%.3f", timeNs / NS_PER_US);
    }

    Trial trial()
    {
        return new Trial(ratePerSecond(), purpose, isPassed);
    }

    long ratePerSecond()
    {
        return run.ratePerSecondAsked();
    }

    /** Share of the response time before messages were sent, 0 to 1; of the means, because percentiles of parts do not add up. */
    double sendDelayShare()
    {
        return share(run.sendDelayNs().mean(), run.responseTimeNs().mean());
    }

    /** The same for the tail: p99 of send delay / p99 of response time; of the largest values where p99 is not known. */
    double sendDelayShareP99()
    {
        final Percentile tail = null == run.responseTimeNs().at(Percentile.P99) ? Percentile.MAX : Percentile.P99;
        return share(run.sendDelayNs().at(tail), run.responseTimeNs().at(tail));
    }

    /** The client's share of the time of the slowest messages; null where it is not known. */
    ClientShare clientShare()
    {
        return run.clientTail();
    }

    private static double share(final double sendDelayNs, final double responseNs)
    {
        return 0 == responseNs ? 0 : Math.min(1, sendDelayNs / responseNs);
    }
}

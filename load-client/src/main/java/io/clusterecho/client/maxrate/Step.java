package io.clusterecho.client.maxrate;

import static io.clusterecho.text.Lines.text;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.results.Percentile;

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

    RateSearch.Trial trial()
    {
        return new RateSearch.Trial(ratePerSecond(), purpose, isPassed);
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

    private static double share(final double sendDelayNs, final double responseNs)
    {
        return 0 == responseNs ? 0 : Math.min(1, sendDelayNs / responseNs);
    }
}

package io.clusterecho.client.maxrate;

import java.util.List;

import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.results.Percentile;

/**
 * One trial of a search, as it was measured.
 *
 * @param number   of the trial, from 1.
 * @param purpose  of the trial.
 * @param attempt  1, or more when the rate broke the time before.
 * @param isHeld   whether the run is good and all conditions held.
 * @param values   of the conditions, in their order.
 * @param run      that was made.
 * @param folder   of the run, as seen from the folder of the search.
 */
public record Step(
    int number,
    RateSearch.Purpose purpose,
    int attempt,
    boolean isHeld,
    List<Double> values,
    RunDocument run,
    String folder)
{
    Trial trial()
    {
        return new Trial(ratePerSecond(), purpose, attempt, isHeld);
    }

    long ratePerSecond()
    {
        return run.ratePerSecondAsked();
    }

    /**
     * How much of the response time the messages spent before they were sent, from 0 to 1; of the means, as percentiles of
     * parts do not add up.
     */
    double sendDelayShare()
    {
        return share(run.sendDelayNs().mean(), run.responseTimeNs().mean());
    }

    /**
     * The same in the tail: the 99th percentile of the one over that of the other.
     */
    double sendDelayShareP99()
    {
        return share(run.sendDelayNs().at(Percentile.P99), run.responseTimeNs().at(Percentile.P99));
    }

    private static double share(final double sendDelayNs, final double responseNs)
    {
        return 0 == responseNs ? 0 : Math.min(1, sendDelayNs / responseNs);
    }
}

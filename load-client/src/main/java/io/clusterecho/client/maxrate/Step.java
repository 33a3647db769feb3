package io.clusterecho.client.maxrate;

import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * One trial of a search, as it was measured.
 *
 * @param number   of the trial, from 1.
 * @param purpose  of the trial.
 * @param attempt  1, or more when the rate broke the time before.
 * @param isHeld   whether the run is good and all conditions held.
 * @param values   of the conditions, in their order.
 * @param manifest of the run.
 * @param folder   of the run, as seen from the folder of the search.
 */
public record Step(
    int number,
    RateSearch.Purpose purpose,
    int attempt,
    boolean isHeld,
    List<Double> values,
    JsonNode manifest,
    String folder)
{
    Trial trial()
    {
        return new Trial(ratePerSecond(), purpose, attempt, isHeld);
    }

    long ratePerSecond()
    {
        return manifest.path("ratePerSecondAsked").asLong();
    }

    double achieved()
    {
        return manifest.path("ratePerSecondAchieved").asDouble();
    }

    long count(final String field)
    {
        return manifest.path(field).asLong();
    }

    long timeNs(final String time, final String percentile)
    {
        return manifest.path(time).path(percentile).asLong();
    }

    /**
     * How much of the response time the messages spent before they were sent, from 0 to 1; of the means, as percentiles of
     * parts do not add up.
     */
    double sendDelayShare()
    {
        final double responseNs = manifest.path("responseTimeNs").path("mean").asDouble();
        return 0 == responseNs ? 0 : Math.min(1, manifest.path("sendDelayNs").path("mean").asDouble() / responseNs);
    }

    /**
     * The same in the tail: the 99th percentile of the one over that of the other.
     */
    double sendDelayShareP99()
    {
        final long responseNs = timeNs("responseTimeNs", "p99");
        return 0 == responseNs ? 0 : Math.min(1, (double)timeNs("sendDelayNs", "p99") / responseNs);
    }
}

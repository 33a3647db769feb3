package io.clusterecho.client.maxrate;

import java.util.Comparator;
import java.util.List;

import io.clusterecho.reporting.results.ClientShare;
import io.clusterecho.reporting.results.Reason.Kind;
import io.clusterecho.statistics.NearestRank;
import io.clusterecho.text.Lines;

/** What limited the rate, judged by the first rate above the answer that failed. */
public record Limit(By by, String reason)
{
    private static final double MOST = 0.5;
    private static final double PUSHED_BACK = 0.01;
    private static final double CEILING_ROOM = 1.25;

    /** Possible limits. */
    public enum By
    {
        /** The system under test. */
        CLUSTER,
        /** The load client, or the machine that it shares. */
        CLIENT,
        /** The range of the search. */
        RANGE,
        /** No run shows the limit. */
        UNKNOWN
    }

    static Limit of(final List<Step> steps, final SearchAnswer answer)
    {
        if (answer.isOpenAbove())
        {
            return SearchAnswer.Status.ENDED == answer.status() ?
                new Limit(By.UNKNOWN, Lines.text(
                    "the search ended before a rate above %,d/s failed", answer.ratePerSecond())) :
                new Limit(By.RANGE, Lines.text(
                    "%,d/s is the highest rate of the search; higher rates were not tried", answer.ratePerSecond()));
        }

        final List<Step> beyond = steps.stream()
            .filter((step) -> !step.isPassed() && step.ratePerSecond() == answer.failedRate())
            .sorted(Comparator.comparingDouble(Limit::share)).toList();
        // The median run: a single run may have suffered from something else.
        return beyond.isEmpty() ? new Limit(By.UNKNOWN, "no rate failed") :
            of(beyond.get(NearestRank.index(beyond.size(), NearestRank.MEDIAN)));
    }

    /** Whether the client stalled and nothing else made the run fail. */
    private static boolean isStalled(final Step step)
    {
        return List.of(Kind.STALL.name()).equals(step.run().verdict().kinds());
    }

    /** The client's share of the slowest messages, by which the limit is decided where it is known; else that of send delay. */
    private static double share(final Step step)
    {
        return isStalled(step) ? 1 : null == step.run().clientTail() ?
            Math.max(step.sendDelayShare(), step.sendDelayShareP99()) : step.run().clientTail().share();
    }

    private static Limit of(final Step step)
    {
        final long rate = step.ratePerSecond();
        final long ceiling = step.run().clientCeilingPerSecond();
        if (ceiling > 0 && ceiling < rate * CEILING_ROOM)
        {
            return new Limit(By.CLIENT, Lines.text(
                "%,d/s is too close to the client's ceiling of %,d/s into a transport that answers at once", rate, ceiling));
        }

        final long backPressured = step.run().backPressured();
        final boolean isPushedBack = backPressured > PUSHED_BACK * Math.max(1, step.run().accounts().scheduled());
        // Back pressure, elections and a full window are waits for the system, which its times contain.
        final ClientShare share = step.run().clientTail();
        final String shares = isStalled(step) ? step.run().verdict().reasons().get(0) + ", for which alone it failed" :
            null != share ?
            Lines.text("%s of the time of the slowest 1%% of messages was the client's", share.text()) :
            Lines.text(
                "send delay was %.0f%% of the mean response time and %.0f%% of its p99", 100 * step.sendDelayShare(),
                100 * step.sendDelayShareP99());
        final String found = Lines.text(
            "at %,d/s, in run %d, %s; %,d offers met back pressure for %,d messages, and %,d messages were never sent",
            rate, step.number(), shares, backPressured, step.run().accounts().scheduled(), step.run().accounts().neverSent());
        final ClientShare.Decision decision = isStalled(step) ? ClientShare.Decision.LIMITED : null != share ? share.decision() :
            share(step) > MOST && !isPushedBack ? ClientShare.Decision.LIMITED : ClientShare.Decision.BELOW;
        return switch (decision)
        {
            case LIMITED -> new Limit(By.CLIENT, found + ": the client, or the machine that it shares, did not keep up");
            case UNDECIDED -> new Limit(By.UNKNOWN, found + ": undecided between client and cluster");
            case BELOW -> new Limit(By.CLUSTER, found);
        };
    }
}

package io.clusterecho.client.maxrate;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

import io.clusterecho.statistics.NearestRank;

/**
 * What kept the rate from being higher, judged by the first rate beyond it.
 *
 * @param by     what it was.
 * @param reason in a sentence.
 */
public record Limit(By by, String reason)
{
    private static final double MOST = 0.5;
    private static final double PUSHED_BACK = 0.01;
    private static final double CEILING_ROOM = 1.25;

    /** What can be a limit. */
    public enum By
    {
        /** The system under test. */
        CLUSTER,
        /** The load client, or the machine that it shares with others. */
        CLIENT,
        /** The range of the search. */
        RANGE,
        /** Nothing was measured that could tell. */
        UNKNOWN
    }

    /**
     * Judge.
     *
     * @param steps  of the search.
     * @param answer of it.
     * @return what the limit was.
     */
    static Limit of(final List<Step> steps, final SearchAnswer answer)
    {
        if (answer.isOpenAbove())
        {
            return SearchAnswer.Status.ENDED == answer.status() ?
                new Limit(By.UNKNOWN, text(
                    "the search ended before a rate above %,d/s was seen to break", answer.ratePerSecond())) :
                new Limit(By.RANGE, text(
                    "%,d/s is the highest rate of the search: no higher one was tried", answer.ratePerSecond()));
        }

        final List<Step> beyond = steps.stream()
            .filter((step) -> !step.isHeld() && step.ratePerSecond() == answer.brokenRate())
            .sorted(Comparator.comparingDouble(Limit::share)).toList();
        // The one in the middle: what a single run suffered from tells nothing.
        return beyond.isEmpty() ? new Limit(By.UNKNOWN, "no rate was seen to break") :
            of(beyond.get(NearestRank.index(beyond.size(), NearestRank.MEDIAN)));
    }

    private static double share(final Step step)
    {
        return Math.max(step.sendDelayShare(), step.sendDelayShareP99());
    }

    private static Limit of(final Step step)
    {
        final long rate = step.ratePerSecond();
        final long ceiling = step.run().clientCeilingPerSecond();
        if (ceiling > 0 && ceiling < rate * CEILING_ROOM)
        {
            return new Limit(By.CLIENT, text(
                "%,d/s is too near the client's ceiling of %,d/s into a transport that answers at once", rate, ceiling));
        }

        final long backPressured = step.run().backPressured();
        final boolean isPushedBack = backPressured > PUSHED_BACK * Math.max(1, step.run().accounts().scheduled());
        final String found = text(
            "at %,d/s, in run %d, messages spent %.0f%% of their mean response time and %.0f%% of its p99 before they were " +
            "sent, sends met back pressure %,d times for %,d messages, and %,d messages were never sent",
            rate, step.number(), 100 * step.sendDelayShare(), 100 * step.sendDelayShareP99(), backPressured,
            step.run().accounts().scheduled(), step.run().accounts().neverSent());
        return !isPushedBack && share(step) > MOST ?
            new Limit(By.CLIENT, found + ": the client, or the machine that it shares with others, did not keep up") :
            new Limit(By.CLUSTER, found);
    }

    private static String text(final String format, final Object... arguments)
    {
        return String.format(Locale.ROOT, format, arguments);
    }
}

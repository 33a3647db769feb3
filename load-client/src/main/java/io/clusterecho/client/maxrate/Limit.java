package io.clusterecho.client.maxrate;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

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
            return new Limit(
                SearchAnswer.Status.ENDED == answer.status() ? By.UNKNOWN : By.RANGE,
                "no rate above it was seen to break: the limit lies higher");
        }

        final List<Step> beyond = steps.stream()
            .filter((step) -> !step.isHeld() && step.ratePerSecond() == answer.brokenRate())
            .sorted(Comparator.comparingDouble(Limit::share)).toList();
        // The one in the middle: what a single run suffered from tells nothing.
        return beyond.isEmpty() ? new Limit(By.UNKNOWN, "no rate was seen to break") : of(beyond.get((beyond.size() - 1) / 2));
    }

    private static double share(final Step step)
    {
        return Math.max(step.sendDelayShare(), step.sendDelayShareP99());
    }

    private static Limit of(final Step step)
    {
        final long rate = step.ratePerSecond();
        final long ceiling = step.count("clientCeilingPerSecond");
        if (ceiling < rate * CEILING_ROOM)
        {
            return new Limit(By.CLIENT, text(
                "at %,d/s the client was near its ceiling of %,d/s into a transport that answers at once", rate, ceiling));
        }

        final double share = share(step);
        final long scheduled = Math.max(1, step.count("scheduled"));
        if (step.count("backPressured") > PUSHED_BACK * scheduled)
        {
            return new Limit(By.CLUSTER, text(
                "at %,d/s the cluster pushed back %,d times for %,d messages, and %,d were never sent; messages spent %.0f%% " +
                "of their response time before they were sent",
                rate, step.count("backPressured"), scheduled, step.count("neverSent"), 100 * share));
        }
        if (share > MOST)
        {
            return new Limit(By.CLIENT, text(
                "at %,d/s messages spent %.0f%% of their response time before they were sent, though nothing pushed back: the " +
                "client, or the machine that it shares with others, did not keep up", rate, 100 * share));
        }

        return new Limit(By.CLUSTER, text(
            "at %,d/s messages spent %.0f%% of their response time before they were sent and the rest on their way, and %,d " +
            "were never sent", rate, 100 * share, step.count("neverSent")));
    }

    private static String text(final String format, final Object... arguments)
    {
        return String.format(Locale.ROOT, format, arguments);
    }
}

package io.clusterecho.client.maxrate;

import java.util.List;

/**
 * What a search came to.
 *
 * @param status            in a word.
 * @param ratePerSecond     highest rate that held; 0 when none did.
 * @param brokenRate        lowest rate above it that broke; 0 when none did.
 * @param runCount          of trials, repeats included.
 * @param noiseCount        trials that broke and held when repeated.
 * @param steppedDownFrom   rates that had held and broke when they were to be confirmed, in order.
 */
public record SearchAnswer(
    Status status, long ratePerSecond, long brokenRate, int runCount, int noiseCount, List<Long> steppedDownFrom)
{
    /** How a search can end. */
    public enum Status
    {
        /** The rate held as often as was asked for. */
        CONFIRMED,
        /** No rate of the range held. */
        NONE,
        /** The search was ended before it was through; the rate held, but is not confirmed. */
        ENDED
    }

    /**
     * What steps say while the search is on.
     *
     * @param steps so far.
     * @return the highest rate that held, and the lowest above it that broke.
     */
    public static SearchAnswer soFar(final List<Step> steps)
    {
        final long held =
            steps.stream().filter(Step::isHeld).mapToLong(Step::ratePerSecond).max().orElse(0);
        final long broken = steps.stream().filter((step) -> !step.isHeld()).mapToLong(Step::ratePerSecond)
            .filter((rate) -> rate > held).min().orElse(0);
        return new SearchAnswer(Status.ENDED, held, broken, steps.size(), 0, List.of());
    }

    /**
     * Whether nothing above the rate was found to break, because the range ends there.
     *
     * @return true if the limit lies higher.
     */
    public boolean isOpenAbove()
    {
        return ratePerSecond > 0 && 0 == brokenRate;
    }
}

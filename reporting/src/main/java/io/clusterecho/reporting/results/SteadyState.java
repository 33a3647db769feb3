package io.clusterecho.reporting.results;

import java.util.List;
import java.util.Locale;

/**
 * Whether the measured window of a run was stationary.
 *
 * @param reached whether it was from some time in its first half; null if unknown.
 * @param fromNs  from when, since the start of the schedule; null if it was not.
 * @param reasons what changed, or why it is unknown; a sentence each. None if it was stationary throughout.
 */
public record SteadyState(Boolean reached, Long fromNs, List<String> reasons)
{
    public static SteadyState unknown(final String reason)
    {
        return new SteadyState(null, null, List.of(reason));
    }

    /** A warning if percentiles of the whole window mix what should be apart; else null. */
    String warning()
    {
        return null == reached || reasons.isEmpty() ? null : "NOT STATIONARY: " + String.join("; ", reasons) + "; " + (reached ?
            String.format(
                Locale.ROOT, "steady from %.1f s after the start of the warm-up on: a longer one leaves that out", fromNs / 1e9) :
            "the percentiles are those of a mixture");
    }
}

package io.clusterecho.reporting.results;

import io.clusterecho.settings.Quantity;

/**
 * Why a warm-up ended when it did, where the run decided that itself.
 *
 * @param boundNs  its longest length.
 * @param unsteady what was not steady at its last interval; null if it was steady.
 */
public record WarmUpEnd(long lengthNs, long boundNs, Cause endedBy, String unsteady)
{
    /** What ended it. */
    public enum Cause
    {
        steady,
        /** The longest time allowed. */
        bound,
        /** A request of the user, or whatever else ended the run early. */
        request
    }

    public String text()
    {
        return "warm-up of " + Quantity.formatNs(lengthNs) + switch (endedBy)
        {
            case steady -> ", until steady";
            case bound -> null == unsteady ? ", to its bound: steady" : ", to its bound: not steady";
            case request -> ", ended early";
        } + " (at most " + Quantity.formatNs(boundNs) + ")";
    }

    /** A sentence if it ended before the state was steady; else null. */
    public String warning()
    {
        return Cause.bound != endedBy || null == unsteady ? null : "the warm-up met its bound of " +
            Quantity.formatNs(boundNs) + " before response times were steady: " + unsteady;
    }
}

package io.clusterecho.reporting.results;

/**
 * The median of a run compared with the floor of the machine; or why no floor is known.
 *
 * @param floorNs         floor with the run's idle strategy, in ns.
 * @param ratio           median of the run / {@code floorNs}.
 * @param syncNs          part of both floors that is a sync of the archive's disk, in ns; 0 at file sync level 0.
 * @param baseline        folder of the baseline; null if there is none.
 * @param missing         why there is none and how to measure one, else null.
 */
public record FloorRatio(
    long floorNs, double ratio, long spinningFloorNs, double spinningRatio, long syncNs, String idle, String baseline,
    String missing)
{
    /** A result without a floor, with the reason and how to measure one. */
    public static FloorRatio missing(final String reason)
    {
        return new FloorRatio(0, 0, 0, 0, 0, null, null, reason);
    }

    public boolean isKnown()
    {
        return null == missing;
    }
}

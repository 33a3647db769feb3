package io.clusterecho.reporting.results;

/**
 * How far a median is from what the machine allows for; or why that is not known.
 *
 * @param floorNs         least response time with the idle strategy of the run, in ns.
 * @param ratio           median of the run / that.
 * @param spinningFloorNs least response time with threads that spin, in ns.
 * @param spinningRatio   median of the run / that.
 * @param syncNs          the part of both that is a sync of the archive's disk, in ns; 0 at file sync level 0.
 * @param idle            strategy of the run.
 * @param baseline        folder of the measurement that the floors come from; null where there is none.
 * @param missing         why there is none and how to get one, else null.
 */
public record FloorRatio(
    long floorNs,
    double ratio,
    long spinningFloorNs,
    double spinningRatio,
    long syncNs,
    String idle,
    String baseline,
    String missing)
{
    /**
     * No floor.
     *
     * @param reason why not, and how to get one.
     * @return which has no numbers.
     */
    public static FloorRatio missing(final String reason)
    {
        return new FloorRatio(0, 0, 0, 0, 0, null, null, reason);
    }

    /**
     * Whether it is known.
     *
     * @return true if so.
     */
    public boolean isKnown()
    {
        return null == missing;
    }
}

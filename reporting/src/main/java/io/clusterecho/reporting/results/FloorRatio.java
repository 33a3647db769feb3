package io.clusterecho.reporting.results;

/**
 * The median of a run compared with the floor of the machine, as its document has it; or why no floor is known.
 *
 * @param floorNs            floor with the run's idle strategy, in ns; null, like the next ones, if it is not known.
 * @param floorRatio         median of the run / {@code floorNs}, with two decimals.
 * @param spinningFloorNs    floor with spinning threads.
 * @param floorSyncNs        part of both floors that is a sync of the archive's disk, in ns; 0 at file sync level 0.
 * @param baseline           folder of the baseline.
 * @param floorMissing       why there is none and how to measure one, else null.
 */
public record FloorRatio(
    Long floorNs, Double floorRatio, Long spinningFloorNs, Double spinningFloorRatio, Long floorSyncNs, String baseline,
    String floorMissing)
{
    /** A result without a floor, with the reason and how to measure one. */
    public static FloorRatio missing(final String reason)
    {
        return new FloorRatio(null, null, null, null, null, null, reason);
    }
}

package io.clusterecho.reporting.results;

/**
 * Core time used in the measured window for each million answered messages, in seconds. NaN where unknown: for members on other
 * machines, and on systems without {@code /proc}.
 *
 * @param clientS  of this client and its media driver.
 * @param membersS of all members and their media drivers.
 */
public record CpuCost(double clientS, double membersS)
{
    public static final CpuCost UNKNOWN = new CpuCost(Double.NaN, Double.NaN);

    /** Seconds of client and members together, NaN if either is unknown. */
    public double allS()
    {
        return clientS + membersS;
    }
}

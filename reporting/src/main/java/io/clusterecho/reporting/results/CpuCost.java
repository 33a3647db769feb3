package io.clusterecho.reporting.results;

/**
 * Core time in the measured window for each million messages that were answered, in seconds. Not a number where it is not
 * known: members on other machines are not seen from here, nor is anything on a system without {@code /proc}.
 *
 * @param clientS  of this client, with its media driver.
 * @param membersS of all members, with theirs.
 */
public record CpuCost(double clientS, double membersS)
{
    /**
     * Where nothing is known.
     */
    public static final CpuCost UNKNOWN = new CpuCost(Double.NaN, Double.NaN);

    /**
     * Client and members.
     *
     * @return seconds, or not a number if either is not known.
     */
    public double allS()
    {
        return clientS + membersS;
    }
}

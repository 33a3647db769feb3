package io.clusterecho.reporting.results;

/**
 * Core time used in the measured window for each million answered messages, in seconds. Null where unknown: for members on other
 * machines, and on systems without {@code /proc}.
 *
 * @param client  and its media driver.
 * @param members all of them and their media drivers.
 * @param all     client and members together.
 */
public record CpuCost(Double client, Double members, Double all)
{
    public static final CpuCost UNKNOWN = new CpuCost(null, null, null);

    /** With NaN for what is unknown. */
    public static CpuCost of(final double clientS, final double membersS)
    {
        final double allS = clientS + membersS;
        return new CpuCost(
            Double.isNaN(clientS) ? null : clientS, Double.isNaN(membersS) ? null : membersS, Double.isNaN(allS) ? null : allS);
    }

    /** The same in whole milliseconds, as documents have it. */
    public CpuCost rounded()
    {
        return new CpuCost(rounded(client), rounded(members), rounded(all));
    }

    private static Double rounded(final Double seconds)
    {
        return null == seconds ? null : Math.round(seconds * 1e3) / 1e3;
    }
}

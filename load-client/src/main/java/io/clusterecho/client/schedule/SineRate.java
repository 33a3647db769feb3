package io.clusterecho.client.schedule;

/**
 * A rate that follows a sine: {@code mean - amplitude * cos(2 pi t / period)}, from its lowest value. The count is
 * {@code mean * t - amplitude * period / (2 pi) * sin(2 pi t / period)}; its inverse is Kepler's equation {@code E - e sin E = M}
 * with {@code e = amplitude / mean} below 1, which is solved by Newton's method within a bracket from a table.
 */
final class SineRate implements RateProfile
{
    private static final double TURN = 2 * Math.PI;
    private static final int TABLE_LENGTH = 1024;
    private static final int MAX_ITERATIONS = 64;

    private final String text;
    private final long lowPerSecond;
    private final long highPerSecond;
    private final long periodNs;
    private final double eccentricity;
    private final double periodCount;
    private final double[] angles = new double[TABLE_LENGTH + 1];

    /** A sine between two different rates, of which the lower one is at least 1. */
    SineRate(final String text, final long lowPerSecond, final long highPerSecond, final long periodNs)
    {
        this.text = text;
        this.lowPerSecond = lowPerSecond;
        this.highPerSecond = highPerSecond;
        this.periodNs = periodNs;
        eccentricity = (double)(highPerSecond - lowPerSecond) / (highPerSecond + lowPerSecond);
        periodCount = (lowPerSecond + highPerSecond) / 2.0 * periodNs / 1e9;
        for (int i = 1; i < TABLE_LENGTH; i++)
        {
            angles[i] = angle(TURN * i / TABLE_LENGTH, angles[i - 1], TURN);
        }
        angles[TABLE_LENGTH] = TURN;
    }

    @Override
    public double count(final long timeNs)
    {
        final long period = timeNs / periodNs;
        final double angle = TURN * (timeNs - period * periodNs) / periodNs;
        return (period + (angle - eccentricity * StrictMath.sin(angle)) / TURN) * periodCount;
    }

    @Override
    public long timeNs(final double count)
    {
        final double period = Math.floor((count + RateProfile.tolerance(count)) / periodCount);
        final double rest = Math.max(0, count - period * periodCount);
        final double place = Math.min(TABLE_LENGTH, rest / periodCount * TABLE_LENGTH);
        final int low = Math.min(TABLE_LENGTH - 1, (int)place);
        final double angle = angle(TURN * place / TABLE_LENGTH, angles[low], angles[low + 1]);
        return (long)period * periodNs + (long)(angle / TURN * periodNs);
    }

    /**
     * Solve Kepler's equation.
     *
     * @param mean mean anomaly, in radians.
     * @param from a lower bound of the solution.
     * @param to   an upper bound.
     * @return the eccentric anomaly, in radians.
     */
    private double angle(final double mean, final double from, final double to)
    {
        double low = from;
        double high = to;
        double angle = (low + high) / 2;
        for (int i = 0; i < MAX_ITERATIONS; i++)
        {
            // StrictMath, so that a message has the same time on every machine.
            final double error = angle - eccentricity * StrictMath.sin(angle) - mean;
            if (error > 0)
            {
                high = angle;
            }
            else
            {
                low = angle;
            }
            final double newton = angle - error / (1 - eccentricity * StrictMath.cos(angle));
            final double next = newton >= low && newton <= high ? newton : (low + high) / 2;
            if (Math.abs(next - angle) <= 1e-15 * TURN)
            {
                return next;
            }
            angle = next;
        }

        return angle;
    }

    @Override
    public long firstRatePerSecond()
    {
        return lowPerSecond;
    }

    @Override
    public long highestRatePerSecond()
    {
        return highPerSecond;
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof SineRate profile && text.equals(profile.text);
    }

    @Override
    public int hashCode()
    {
        return text.hashCode();
    }

    @Override
    public String toString()
    {
        return text;
    }
}

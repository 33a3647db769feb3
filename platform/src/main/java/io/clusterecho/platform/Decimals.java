package io.clusterecho.platform;

/** Numbers in rows that are written while a load runs, without the work of a {@link java.util.Formatter}. */
public final class Decimals
{
    private static final int THOUSAND = 1_000;

    /** Append a quotient with three decimals, rounded half up; the divisor is above 0. */
    public static void append(final StringBuilder text, final long value, final double divisor)
    {
        final long thousandths = Math.round(Math.abs(value / divisor) * THOUSAND);
        if (value < 0 && 0 != thousandths)
        {
            text.append('-');
        }
        final String decimals = String.valueOf(THOUSAND + thousandths % THOUSAND);
        text.append(thousandths / THOUSAND).append('.').append(decimals, 1, decimals.length());
    }
}

package io.clusterecho.client.sweep;

import java.util.Locale;
import java.util.function.DoubleFunction;

import io.clusterecho.reporting.results.Spread;

/**
 * By how much a number of one cell is more than that of another. Its range is that of all pairs of a repeat of the one and a
 * repeat of the other: where that holds 0, the two cells were not told apart.
 *
 * @param median         difference of the medians.
 * @param min            smallest difference of two repeats.
 * @param max            largest difference of two repeats.
 * @param repeats        of the one.
 * @param againstRepeats of the other.
 */
record Cost(double median, double min, double max, int repeats, int againstRepeats)
{
    static Cost of(final Spread own, final Spread against)
    {
        return new Cost(
            own.median() - against.median(), own.min() - against.max(), own.max() - against.min(), own.count(),
            against.count());
    }

    /**
     * What can be said of it.
     *
     * @param format of an amount, which is not negative.
     * @return the cost with its range, or that none is known.
     */
    String text(final DoubleFunction<String> format)
    {
        if (1 == Math.min(repeats, againstRepeats))
        {
            return "not known from 1 repeat (" + signed(median, format) + ")";
        }

        final String range = String.format(
            Locale.ROOT, "(%s repeats, %s..%s)", repeats == againstRepeats ? String.valueOf(repeats) :
            repeats + " and " + againstRepeats, signed(min, format), signed(max, format));
        return (min > 0 || max < 0 ? signed(median, format) : "not distinguishable from 0") + " " + range;
    }

    private static String signed(final double value, final DoubleFunction<String> format)
    {
        return (value < 0 ? "-" : "+") + format.apply(Math.abs(value));
    }
}

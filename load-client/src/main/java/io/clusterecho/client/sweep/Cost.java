package io.clusterecho.client.sweep;

import java.util.Locale;
import java.util.function.DoubleFunction;

import io.clusterecho.reporting.results.Spread;

/**
 * How much higher a number is in one cell than in another. The range covers all pairs of a repeat of the one and a repeat of
 * the other: if it contains 0, the two cells are not distinguishable.
 *
 * @param repeats        of the one cell.
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
     * The cost with its range in words, or that it is unknown.
     *
     * @param format for an amount, which is not negative.
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

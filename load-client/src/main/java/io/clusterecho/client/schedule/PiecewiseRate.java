package io.clusterecho.client.schedule;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Parts in which the rate is constant or changes linearly, once or repeated. The count within a part is a polynomial of at most
 * the second degree, so that its inverse is a root in closed form; the part is found by binary search over the counts at which
 * parts begin.
 */
final class PiecewiseRate implements RateProfile
{
    /** Divides a millisecond. */
    private static final int SINE_PARTS = 4000;
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final String text;
    private final boolean isRepeated;
    private final Double tolerance;
    private final long firstRatePerSecond;
    private final long highestRatePerSecond;
    private final long[] beginsNs;
    private final double[] beginCounts;
    private final double[] beginRates;
    private final double[] endRates;

    /** A part of a profile: longer than 0, with rates from 0 at its begin and its end. */
    record Part(long lengthNs, double beginRatePerSecond, double endRatePerSecond)
    {
    }

    /**
     * A profile of parts.
     *
     * @param parts      in order, the first with a rate above 0 at its begin.
     * @param isRepeated whether the first follows the last; otherwise the last rate holds, which must be above 0.
     */
    PiecewiseRate(final String text, final List<Part> parts, final boolean isRepeated)
    {
        this(text, parts, isRepeated, null);
    }

    private PiecewiseRate(final String text, final List<Part> parts, final boolean isRepeated, final Double tolerance)
    {
        this.text = text;
        this.tolerance = tolerance;
        this.isRepeated = isRepeated;
        final int count = parts.size();
        beginsNs = new long[count + 1];
        beginCounts = new double[count + 1];
        beginRates = new double[count + 1];
        endRates = new double[count + 1];
        double highest = 0;
        // What the sum so far has too much because of rounding (Kahan 1965): a period counts thousands of times.
        double excess = 0;
        for (int i = 0; i < count; i++)
        {
            final Part part = parts.get(i);
            beginRates[i] = part.beginRatePerSecond;
            endRates[i] = part.endRatePerSecond;
            beginsNs[i + 1] = Math.addExact(beginsNs[i], part.lengthNs);
            final double partCount = (beginRates[i] + endRates[i]) / 2 * part.lengthNs / 1e9 - excess;
            beginCounts[i + 1] = beginCounts[i] + partCount;
            excess = beginCounts[i + 1] - beginCounts[i] - partCount;
            highest = Math.max(highest, Math.max(part.beginRatePerSecond, part.endRatePerSecond));
        }
        beginRates[count] = endRates[count - 1];
        endRates[count] = endRates[count - 1];
        firstRatePerSecond = (long)parts.get(0).beginRatePerSecond;
        highestRatePerSecond = (long)highest;
    }

    static PiecewiseRate constant(final long ratePerSecond)
    {
        if (ratePerSecond < 1 || ratePerSecond > NS_PER_SECOND)
        {
            throw new IllegalArgumentException("ratePerSecond=" + ratePerSecond + ", allowed 1 to " + NS_PER_SECOND);
        }

        return new PiecewiseRate(
            String.valueOf(ratePerSecond), List.of(new Part(NS_PER_SECOND, ratePerSecond, ratePerSecond)), false);
    }

    /**
     * {@code mean - amplitude * cos(2 pi t / period)} in linear parts, which deviate by less than 4e-7 of the amplitude.
     *
     * @param periodNs whole ms.
     */
    static PiecewiseRate sine(
        final String text, final long lowPerSecond, final long highPerSecond, final long periodNs)
    {
        final double[] rates = IntStream.rangeClosed(0, SINE_PARTS).mapToDouble((i) -> (lowPerSecond + highPerSecond) / 2.0 -
            (highPerSecond - lowPerSecond) / 2.0 * StrictMath.cos(2 * Math.PI * i / SINE_PARTS)).toArray();
        return new PiecewiseRate(text, IntStream.range(0, SINE_PARTS)
            .mapToObj((i) -> new Part(periodNs / SINE_PARTS, rates[i], rates[i + 1])).toList(), true);
    }

    static PiecewiseRate pulse(
        final long baseRatePerSecond, final long pulseRatePerSecond, final long beforeNs, final long pulseNs,
        final long afterNs, final double tolerance)
    {
        final List<Part> parts = List.of(
            new Part(beforeNs, baseRatePerSecond, baseRatePerSecond), new Part(pulseNs, pulseRatePerSecond, pulseRatePerSecond),
            new Part(afterNs, baseRatePerSecond, baseRatePerSecond));
        return new PiecewiseRate(
            "steps:" + parts.stream().map((part) -> (long)part.beginRatePerSecond + "*" + text(part.lengthNs))
            .collect(Collectors.joining(",")), parts, false, tolerance);
    }

    /** A length without rounding, in the largest unit that allows that. */
    private static String text(final long lengthNs)
    {
        return 0 == lengthNs % 1_000_000_000L ? lengthNs / 1_000_000_000L + "s" :
            0 == lengthNs % 1_000_000L ? lengthNs / 1_000_000L + "ms" : lengthNs + "ns";
    }

    @Override
    public Double pulseTolerance()
    {
        return tolerance;
    }

    @Override
    public double count(final long timeNs)
    {
        final int last = beginsNs.length - 1;
        final long period = isRepeated ? timeNs / beginsNs[last] : 0;
        final long restNs = timeNs - period * beginsNs[last];
        final int found = Arrays.binarySearch(beginsNs, restNs);
        final int part = found < 0 ? -found - 2 : found;
        final double seconds = (restNs - beginsNs[part]) / 1e9;
        final double slope = part == last ? 0 :
            (endRates[part] - beginRates[part]) / (beginsNs[part + 1] - beginsNs[part]) * 1e9;
        return period * beginCounts[last] + beginCounts[part] + seconds * (beginRates[part] + slope * seconds / 2);
    }

    @Override
    public long timeNs(final double count)
    {
        final int last = beginsNs.length - 1;
        final double error = RateProfile.tolerance(count);
        final double period = isRepeated ? Math.floor((count + error) / beginCounts[last]) : 0;
        final double rest = Math.max(0, count - period * beginCounts[last]);
        final int part = partOf(rest + error, isRepeated ? last - 1 : last);
        final double inPart = Math.max(0, rest - beginCounts[part]);
        final long periodBeginNs = (long)period * beginsNs[last];
        if (part == last)
        {
            return periodBeginNs + beginsNs[part] + (long)(inPart * 1e9 / endRates[part]);
        }

        final long lengthNs = beginsNs[part + 1] - beginsNs[part];
        return periodBeginNs + beginsNs[part] +
            (long)Math.min(lengthNs, 1e9 * secondsOf(inPart, beginRates[part], endRates[part], lengthNs / 1e9));
    }

    /** The last part that begins at this count or before it, which skips parts without messages. */
    private int partOf(final double count, final int lastAllowed)
    {
        final int found = Arrays.binarySearch(beginCounts, 0, lastAllowed + 1, count);
        int part = found < 0 ? -found - 2 : found;
        while (part < lastAllowed && beginCounts[part + 1] <= count)
        {
            part++;
        }

        return part;
    }

    /** Solve {@code count = begin * s + (end - begin) / length * s * s / 2} for s, in the form that does not cancel. */
    private static double secondsOf(final double count, final double begin, final double end, final double lengthS)
    {
        if (begin == end)
        {
            return 0 == begin ? lengthS : count / begin;
        }
        if (count <= 0)
        {
            return 0;
        }

        // Not below 0 by rounding at the end of a ramp down to 0.
        final double square = Math.max(0, begin * begin + 2 * (end - begin) / lengthS * count);
        return 2 * count / (begin + Math.sqrt(square));
    }

    @Override
    public long firstRatePerSecond()
    {
        return firstRatePerSecond;
    }

    @Override
    public long highestRatePerSecond()
    {
        return highestRatePerSecond;
    }

    @Override
    public boolean isConstant()
    {
        return !isRepeated && 2 == beginsNs.length && beginRates[0] == endRates[0];
    }

    /** {@inheritDoc} Of a constant rate, the nearest number. */
    @Override
    public long messageCount(final long timeNs)
    {
        final long seconds = timeNs / NS_PER_SECOND;
        return !isConstant() ? RateProfile.super.messageCount(timeNs) :
            seconds * firstRatePerSecond + Math.round((timeNs - seconds * NS_PER_SECOND) / 1e9 * firstRatePerSecond);
    }

    @Override
    public List<Step> steps()
    {
        final int count = beginsNs.length - 1;
        final boolean isInSteps = !isRepeated && count > 1 && Arrays.equals(beginRates, endRates);
        return !isInSteps ? List.of() : IntStream.range(0, count)
            .mapToObj((i) -> new Step((long)beginRates[i], beginsNs[i + 1] - beginsNs[i])).toList();
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof PiecewiseRate profile && text.equals(profile.text);
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

package io.clusterecho.client.schedule;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.clusterecho.reporting.results.OverloadPulse;
import io.clusterecho.settings.IllegalArgument;
import io.clusterecho.settings.Quantity;

/**
 * A target rate over time, and the number of messages that is due up to a time: the integral of the rate, with its inverse. Both
 * are computed from their argument alone, so that nothing accumulates. Immutable; any thread. {@link #toString()} is the text
 * that {@link #parse} reads.
 * <p>
 * It consists of parts in which the rate is constant or changes linearly, once or repeated. The count within a part is a
 * polynomial of at most the second degree, so that its inverse is a root in closed form; the part is found by binary search over
 * the counts at which parts begin. A {@link Trace} has recorded times instead.
 */
public sealed class RateProfile permits Trace
{
    private static final String SHAPES = "a rate such as 10k, or steps:, ramp:, sine: or on-off:, such as sine:2k..20k/10s";
    private static final String SWEEP =
        "one rate, such as 10k; a chart over several: bin/load-client matrix config/matrix/quick --set fsync=0 --set size=288 " +
        "--set rate=";
    /** What is allowed, by shape. */
    private static final Map<String, String> ALLOWED = Map.of(
        "steps", "steps:RATE*TIME,RATE*TIME, such as steps:10k*5s,50k*5s: 2 to 1000 steps, times above 0, rates from 1, or 0 " +
        "for a pause that is neither first nor last",
        "ramp", "ramp:FROM..TO/TIME, such as ramp:1k..50k/30s: two different rates from 1, a time above 0",
        "sine", "sine:LOW..HIGH/PERIOD, such as sine:2k..20k/10s: rates from 1, the lower one first, a period above 0 in " +
        "whole ms",
        "on-off", "on-off:RATE*ON/OFF, such as on-off:20k*1s/500ms: a rate from 1, times above 0");
    private static final int MAX_STEPS = 1000;
    /** Divides a millisecond. */
    private static final int SINE_PARTS = 4000;
    private static final long NS_PER_MS = 1_000_000L;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    // 100 days, up to which a time in ns is exact in a double.
    private static final long MAX_LENGTH_NS = 100L * 24 * 3_600 * NS_PER_SECOND;

    private final String text;
    private final boolean isRepeated;
    private final Double tolerance;
    private final long highestRatePerSecond;
    private final long[] beginsNs;
    private final double[] beginCounts;
    private final double[] beginRates;
    private final double[] endRates;

    /** A part of a profile: longer than 0, with rates from 0 at its begin and its end. */
    private record Part(long lengthNs, double beginRatePerSecond, double endRatePerSecond)
    {
    }

    /** A constant rate; also for a profile with times of its own, after a warm-up at this rate. */
    RateProfile(final String text, final long firstRatePerSecond)
    {
        this(text, List.of(new Part(NS_PER_SECOND, firstRatePerSecond, firstRatePerSecond)), false, null);
    }

    /**
     * A profile of parts.
     *
     * @param parts      in order, the first with a rate above 0 at its begin.
     * @param isRepeated whether the first follows the last; otherwise the last rate holds, which must be above 0.
     */
    private RateProfile(final String text, final List<Part> parts, final boolean isRepeated, final Double tolerance)
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
        highestRatePerSecond = (long)highest;
    }

    /**
     * Read a rate, constant or varying. Rates are per second and times have units, as in other options:
     * <pre>
     *   10k                          constant
     *   steps:10k*5s,50k*5s          one rate after the other; the last one holds
     *   ramp:1k..50k/30s             linear, from one rate to the other in this time; then the second holds
     *   sine:2k..20k/10s             between two rates with this period, from the lower one
     *   on-off:20k*1s/500ms          a rate for the first time, nothing for the second, repeated
     * </pre>
     *
     * @return the profile of this text, of which {@code toString()} is again the text.
     * @throws IllegalArgumentException whose message says what is allowed.
     */
    public static RateProfile parse(final String given)
    {
        final String text = given.trim();
        final int colon = text.indexOf(':');
        if (colon < 0)
        {
            IllegalArgument.throwIf(text.indexOf(',') >= 0, SWEEP + text);
            return constant(Quantity.parseRate(text));
        }

        final String shape = text.substring(0, colon);
        final String rest = text.substring(colon + 1);
        IllegalArgument.throwIf(!ALLOWED.containsKey(shape), SHAPES);
        try
        {
            return switch (shape)
            {
                case "steps" -> steps(text, rest, null);
                case "ramp" -> new RateProfile(text, List.of(slope(rest)), false, null);
                case "sine" -> sine(text, slope(rest));
                default ->
                {
                    final String[] halves = halves(rest, "/");
                    yield new RateProfile(
                        text, List.of(step(halves[0], false), new Part(lengthNs(halves[1]), 0, 0)), true, null);
                }
            };
        }
        catch (final IllegalArgumentException | ArithmeticException ex)
        {
            throw new IllegalArgumentException(ALLOWED.get(shape), ex);
        }
    }

    private static RateProfile steps(final String text, final String rest, final Double tolerance)
    {
        final String[] steps = rest.split(",", -1);
        IllegalArgument.throwIf(steps.length < 2 || steps.length > MAX_STEPS, text);
        final List<Part> parts = IntStream.range(0, steps.length)
            .mapToObj((i) -> step(steps[i], i > 0 && i < steps.length - 1)).toList();
        IllegalArgument.throwIf(parts.stream().mapToLong(Part::lengthNs).sum() > MAX_LENGTH_NS, text);
        return new RateProfile(text, parts, false, tolerance);
    }

    private static Part step(final String text, final boolean isPauseAllowed)
    {
        final String[] halves = halves(text, "*");
        final long rate = isPauseAllowed && "0".equals(halves[0]) ? 0 : Quantity.parseRate(halves[0]);
        return new Part(lengthNs(halves[1]), rate, rate);
    }

    /** From one rate to another, which must be different. */
    private static Part slope(final String text)
    {
        final String[] halves = halves(text, "/");
        final String[] rates = halves(halves[0], "..");
        final long from = Quantity.parseRate(rates[0]);
        final long to = Quantity.parseRate(rates[1]);
        IllegalArgument.throwIf(from == to, text);
        return new Part(lengthNs(halves[1]), from, to);
    }

    private static RateProfile sine(final String text, final Part halfPeriod)
    {
        final double low = halfPeriod.beginRatePerSecond;
        final double high = halfPeriod.endRatePerSecond;
        final long periodNs = halfPeriod.lengthNs;
        IllegalArgument.throwIf(low >= high || 0 != periodNs % NS_PER_MS, text);
        // mean - amplitude * cos(2 pi t / period) in linear parts, which deviate by less than 4e-7 of the amplitude.
        final double[] rates = IntStream.rangeClosed(0, SINE_PARTS).mapToDouble(
            (i) -> (low + high) / 2.0 - (high - low) / 2.0 * StrictMath.cos(2 * Math.PI * i / SINE_PARTS)).toArray();
        return new RateProfile(text, IntStream.range(0, SINE_PARTS)
            .mapToObj((i) -> new Part(periodNs / SINE_PARTS, rates[i], rates[i + 1])).toList(), true, null);
    }

    private static long lengthNs(final String text)
    {
        final long lengthNs = Quantity.parseDurationNs(text);
        IllegalArgument.throwIf(lengthNs <= 0 || lengthNs > MAX_LENGTH_NS, text);
        return lengthNs;
    }

    private static String[] halves(final String text, final String separator)
    {
        final String[] halves = text.split(Pattern.quote(separator), -1);
        IllegalArgument.throwIf(2 != halves.length, text);
        return halves;
    }

    /** The same rate at all times, from 1 to 1e9 messages per second. */
    public static RateProfile constant(final long ratePerSecond)
    {
        IllegalArgument.throwIf(
            ratePerSecond < 1 || ratePerSecond > NS_PER_SECOND,
            "ratePerSecond=" + ratePerSecond + ", allowed 1 to " + NS_PER_SECOND);

        return new RateProfile(String.valueOf(ratePerSecond), ratePerSecond);
    }

    /**
     * A base rate, a higher rate for a time, and the base rate again, as steps.
     *
     * @param tolerance by which the p99 may exceed that before the pulse and count as returned, 0.5 for half.
     */
    public static RateProfile pulse(
        final long baseRatePerSecond, final long pulseRatePerSecond, final long beforeNs, final long pulseNs,
        final long afterNs, final double tolerance)
    {
        final String rest = baseRatePerSecond + "*" + text(beforeNs) + "," + pulseRatePerSecond + "*" + text(pulseNs) + "," +
            baseRatePerSecond + "*" + text(afterNs);
        return steps("steps:" + rest, rest, tolerance);
    }

    /** A length without rounding, in the largest unit that allows that. */
    public static String text(final long lengthNs)
    {
        return 0 == lengthNs % 1_000_000_000L ? lengthNs / 1_000_000_000L + "s" :
            0 == lengthNs % 1_000_000L ? lengthNs / 1_000_000L + "ms" : lengthNs + "ns";
    }

    /** The pulse of a schedule with a warm-up before it, which ends at a time; null unless the rate is of an overload test. */
    public OverloadPulse pulse(final long warmUpNs, final long endNs, final long skippedCount)
    {
        return null == tolerance ? null : new OverloadPulse(
            firstRatePerSecond(), highestRatePerSecond, warmUpNs + beginsNs[1], warmUpNs + beginsNs[2], endNs, skippedCount,
            tolerance);
    }

    /** Number of messages due before a time since the begin of the profile: the integral of the rate, not rounded. */
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

    /**
     * The inverse of {@link #count}: when a number of messages has been due.
     *
     * @param count from 0.
     * @return ns since the begin of the profile; where nothing is due for a time, its end. Never decreases with the count.
     */
    public long timeNs(final double count)
    {
        final int last = beginsNs.length - 1;
        final double error = tolerance(count);
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
        // Not below 0 by rounding at the end of a ramp down to 0.
        final double square = Math.max(0, begin * begin + 2 * (end - begin) / lengthS * count);
        return 2 * count / (begin + Math.sqrt(square));
    }

    /** Messages per second at the begin, which is the rate of the warm-up before it; at least 1. */
    public long firstRatePerSecond()
    {
        return (long)beginRates[0];
    }

    /** Highest rate at any time, in messages per second. */
    public long highestRatePerSecond()
    {
        return highestRatePerSecond;
    }

    public boolean isConstant()
    {
        return 2 == beginsNs.length && beginRates[0] == endRates[0];
    }

    /**
     * Number of whole messages due before a time since the begin of the profile, from 0: message n is due at {@code timeNs(n)}.
     *
     * @return the smallest count whose message is due at this time or later; of a constant rate, the nearest number.
     */
    public long messageCount(final long timeNs)
    {
        if (isConstant())
        {
            final long seconds = timeNs / NS_PER_SECOND;
            return seconds * firstRatePerSecond() + Math.round((timeNs - seconds * NS_PER_SECOND) / 1e9 * beginRates[0]);
        }

        final double count = count(timeNs);
        return (long)Math.ceil(count - tolerance(count));
    }

    /** How near to the end of a part a count is taken for that end: above the rounding error of a double, far below a message. */
    private static double tolerance(final double count)
    {
        return 1e-9 + count * 1e-15;
    }

    @Override
    public String toString()
    {
        return text;
    }
}

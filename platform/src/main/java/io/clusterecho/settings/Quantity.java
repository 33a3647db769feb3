package io.clusterecho.settings;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Numbers with units in Aeron's style: rates with decimal suffixes ({@code 100k}), sizes with binary suffixes ({@code 64k}),
 * durations with a unit ({@code 500ms}).
 * <p>
 * Each parser throws {@link IllegalArgumentException} with the allowed values as its message.
 */
public final class Quantity
{
    private static final Pattern NUMBER = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([a-zA-Z]*)");
    private static final Pattern SHARE = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?)(%?)");
    private static final String SHARE_ALLOWED = "a share as in 5% or 0.05";
    private static final String RATE_ALLOWED =
        "messages per second from 1 to 1000M, with k for thousands or M for millions, as in 250, 1.5k or 100k";
    private static final String SIZE_ALLOWED =
        "bytes, with k, m or g for powers of 1024 (KB, MB and GB are the same), as in 288, 1.5k or 64k";
    private static final Map<String, Long> RATE_UNITS = Map.of("", 1L, "k", 1_000L, "m", 1_000_000L);
    private static final Map<String, Long> SIZE_UNITS = Map.of(
        "", 1L, "k", 1L << 10, "kb", 1L << 10, "kib", 1L << 10, "m", 1L << 20, "mb", 1L << 20, "mib", 1L << 20, "g", 1L << 30,
        "gb", 1L << 30, "gib", 1L << 30);
    private static final Map<String, Long> TIME_UNITS = Map.of(
        "ns", 1L, "us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L, "m", 60_000_000_000L, "h", 3_600_000_000_000L);
    private static final Pattern DURATION_PART = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*(ns|us|ms|s|m|h)\\s*");
    private static final String DURATION_ALLOWED =
        "numbers with a unit of ns, us, ms, s, m or h, as in 500ms, 10s or 1m30s";

    /** Messages per second, from 1 to 1,000,000,000, of a text such as {@code 100k}, {@code 1.5M} or {@code 250}. */
    public static long parseRate(final String text)
    {
        return parse(text, RATE_UNITS, 1, 1_000_000_000L, RATE_ALLOWED);
    }

    /** Bytes, from 0, of a text such as {@code 288}, {@code 64k} or {@code 8m}. */
    public static long parseSize(final String text)
    {
        return parse(text, SIZE_UNITS, 0, Long.MAX_VALUE, SIZE_ALLOWED);
    }

    private static long parse(
        final String text, final Map<String, Long> units, final long min, final long max, final String allowed)
    {
        final Matcher matcher = NUMBER.matcher(text.trim());
        final Long unit = matcher.matches() ? units.get(matcher.group(2).toLowerCase(Locale.ROOT)) : null;
        IllegalArgument.throwIf(null == unit, allowed);
        return exact(matcher.group(1), unit, min, max, allowed);
    }

    /** Nanoseconds, from 0, of one or more numbers with units, added up, such as {@code 500ms}, {@code 1m30s} or {@code 1.5h}. */
    public static long parseDurationNs(final String text)
    {
        final Matcher matcher = DURATION_PART.matcher(text.trim().toLowerCase(Locale.ROOT));
        long sumNs = 0;
        do
        {
            IllegalArgument.throwIf(!matcher.lookingAt(), DURATION_ALLOWED);
            final long partNs = exact(matcher.group(1), TIME_UNITS.get(matcher.group(2)), 0, Long.MAX_VALUE, DURATION_ALLOWED);
            IllegalArgument.throwIf(sumNs > Long.MAX_VALUE - partNs, DURATION_ALLOWED);
            sumNs += partNs;
            matcher.region(matcher.end(), matcher.regionEnd());
        }
        while (matcher.regionStart() < matcher.regionEnd());

        return sumNs;
    }

    /** A share, from 0 with 1 for 100%, of a text such as {@code 5%}, {@code 0.05} or {@code 150%}. */
    public static double parseShare(final String text)
    {
        final Matcher matcher = SHARE.matcher(text.trim());
        IllegalArgument.throwIf(!matcher.matches(), SHARE_ALLOWED);

        return Double.parseDouble(matcher.group(1)) / ("%".equals(matcher.group(2)) ? 100 : 1);
    }

    /** A duration with three digits and a unit, as in {@code 218 us} or {@code 1.53 s}. */
    public static String formatNs(final double durationNs)
    {
        final String unit = unitOf(durationNs);
        return withThreeDigits(durationNs / TIME_UNITS.get(unit)) + " " + unit;
    }

    /** A range of durations, both in the unit of the longer one, as in {@code 1.40-1.95 ms}. */
    public static String formatRangeNs(final long lowNs, final long highNs)
    {
        return withThreeDigits((double)lowNs / TIME_UNITS.get(unitOf(highNs))) + "-" + formatNs(highNs);
    }

    private static String unitOf(final double durationNs)
    {
        return durationNs < 1e3 ? "ns" : durationNs < 1e6 ? "us" : durationNs < 1e9 ? "ms" : "s";
    }

    /** Round to three significant digits, the useful precision of a measured rate; below 1000 to a whole number. */
    public static long threeDigits(final double value)
    {
        long unit = 1;
        while (value / unit >= 1_000)
        {
            unit *= 10;
        }

        return Math.round(value / unit) * unit;
    }

    private static String withThreeDigits(final double value)
    {
        final String format = value >= 99.95 ? "%.0f" : value >= 9.995 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }

    private static long exact(
        final String number, final long unit, final long min, final long max, final String allowed)
    {
        final long value;
        try
        {
            value = new BigDecimal(number).multiply(BigDecimal.valueOf(unit)).longValueExact();
        }
        catch (final ArithmeticException ex)
        {
            throw new IllegalArgumentException(allowed, ex);
        }

        IllegalArgument.throwIf(value < min || value > max, allowed);

        return value;
    }
}

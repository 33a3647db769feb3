package io.clusterecho.failover.lab;

import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

import io.clusterecho.settings.Quantity;

/** What the strength of a fault is, its default, and its allowed range. */
record Strength(Unit unit, long defaultValue, long min, long max)
{
    /** For faults without a strength. */
    static final Strength NONE = new Strength(Unit.NONE, 0, 0, 0);

    private static final long PPM = 1_000_000;
    private static final long[] TIME_UNITS_NS = { 1_000_000_000L, 1_000_000L, 1_000L };
    private static final String[] TIME_UNITS = { "s", "ms", "us" };

    enum Unit
    {
        NONE((text) -> 0, (value) -> ""),

        /** Parts per million, written as a share. */
        SHARE((text) -> Math.round(PPM * Quantity.parseShare(text)), (value) -> number(value * 100.0 / PPM) + "%"),

        /** In ns. */
        TIME(Quantity::parseDurationNs, Strength::time),

        /** In ns, may be negative. */
        SIGNED_TIME(
            (text) -> text.startsWith("-") ? -Quantity.parseDurationNs(text.substring(1)) :
                Quantity.parseDurationNs(text.startsWith("+") ? text.substring(1) : text),
            (value) -> (value < 0 ? "-" : "+") + time(Math.abs(value))),

        /** In bytes. */
        SIZE(Quantity::parseSize, String::valueOf),

        COUNT(Long::parseLong, String::valueOf);

        private final ToLongFunction<String> parser;
        private final LongFunction<String> formatter;

        Unit(final ToLongFunction<String> parser, final LongFunction<String> formatter)
        {
            this.parser = parser;
            this.formatter = formatter;
        }
    }

    /** @throws IllegalArgumentException with what is allowed, if the strength is not. */
    long parse(final String text)
    {
        try
        {
            final long value = unit.parser.applyAsLong(text);
            if (value >= min && value <= max)
            {
                return value;
            }
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IllegalArgumentException(allowed(), ex);
        }
        throw new IllegalArgumentException(allowed());
    }

    /** The value as text that {@code parse} reads. */
    String format(final long value)
    {
        return unit.formatter.apply(value);
    }

    String allowed()
    {
        return "from " + format(min) + " to " + format(max);
    }

    private static String time(final long valueNs)
    {
        for (int i = 0; i < TIME_UNITS.length; i++)
        {
            if (0 == valueNs % TIME_UNITS_NS[i])
            {
                return valueNs / TIME_UNITS_NS[i] + TIME_UNITS[i];
            }
        }
        return valueNs + "ns";
    }

    private static String number(final double value)
    {
        return value == Math.rint(value) ? String.valueOf((long)value) : String.valueOf(value);
    }
}

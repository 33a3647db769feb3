package io.clusterecho.failover.lab;

import java.util.function.ToLongFunction;

import io.clusterecho.settings.Quantity;

/** What the strength of a fault is, its default, and its allowed range, as {@code --fault} takes them. */
record Strength(Unit unit, String defaultText, String min, String max)
{
    /** For faults without a strength. */
    static final Strength NONE = new Strength(Unit.NONE, "", "", "");

    enum Unit
    {
        NONE((text) -> 0),

        /** A share, as parts per million. */
        SHARE((text) -> Math.round(1e6 * Quantity.parseShare(text))),

        /** In ns. */
        TIME(Quantity::parseDurationNs),

        /** In ns, may be negative. */
        SIGNED_TIME((text) -> text.startsWith("-") ? -Quantity.parseDurationNs(text.substring(1)) :
            Quantity.parseDurationNs(text.startsWith("+") ? text.substring(1) : text)),

        /** In bytes. */
        SIZE(Quantity::parseSize),

        COUNT(Long::parseLong);

        private final ToLongFunction<String> parser;

        Unit(final ToLongFunction<String> parser)
        {
            this.parser = parser;
        }

        long parse(final String text)
        {
            return parser.applyAsLong(text);
        }
    }

    /** @throws IllegalArgumentException with what is allowed, if the strength is not. */
    long parse(final String text)
    {
        try
        {
            final long value = unit.parse(text);
            if (value >= unit.parse(min) && value <= unit.parse(max))
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

    private String allowed()
    {
        return "from " + min + " to " + max;
    }
}

package io.clusterecho.commands;

import java.util.List;
import java.util.function.Function;

import io.clusterecho.failover.lab.VictimReturn;
import io.clusterecho.reporting.compare.Metric;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.settings.Quantity;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Texts of options into values; each names what is allowed when it cannot.
 */
final class Converters
{
    private Converters()
    {
    }

    private static <T> T convert(final String text, final Function<String, T> parser)
    {
        try
        {
            return parser.apply(text);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new TypeConversionException("'" + text + "' is not allowed: " + ex.getMessage());
        }
    }

    /** Messages per second. */
    static final class Rate implements ITypeConverter<Long>
    {
        @Override
        public Long convert(final String text)
        {
            return Converters.convert(text, Quantity::parseRate);
        }
    }

    /** Bytes. */
    static final class Size implements ITypeConverter<Long>
    {
        @Override
        public Long convert(final String text)
        {
            return Converters.convert(text, Quantity::parseSize);
        }
    }

    /** Nanoseconds. */
    static final class Duration implements ITypeConverter<Long>
    {
        @Override
        public Long convert(final String text)
        {
            return Converters.convert(text, Quantity::parseDurationNs);
        }
    }

    /** A time, auto or never. */
    static final class ReturnAfter implements ITypeConverter<VictimReturn>
    {
        @Override
        public VictimReturn convert(final String text)
        {
            return Converters.convert(text, VictimReturn::parse);
        }
    }

    /** A whole number from 1. */
    static final class PositiveInt implements ITypeConverter<Integer>
    {
        @Override
        public Integer convert(final String text)
        {
            if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) < 1)
            {
                throw new TypeConversionException("'" + text + "' is not allowed: a whole number of at least 1");
            }

            return Integer.valueOf(text);
        }
    }

    /** A whole number from 0. */
    static final class Count implements ITypeConverter<Integer>
    {
        @Override
        public Integer convert(final String text)
        {
            if (!text.matches("[0-9]{1,9}"))
            {
                throw new TypeConversionException("'" + text + "' is not allowed: a whole number of at least 0");
            }

            return Integer.valueOf(text);
        }
    }

    /** A share of 1. */
    static final class Share implements ITypeConverter<Double>
    {
        @Override
        public Double convert(final String text)
        {
            return Converters.convert(text, Quantity::parseShare);
        }
    }

    /** Name of a run. */
    static final class Label implements ITypeConverter<String>
    {
        @Override
        public String convert(final String text)
        {
            if (!text.matches("[A-Za-z0-9._-]{1,80}"))
            {
                throw new TypeConversionException(
                    "'" + text + "' is not allowed: 1 to 80 letters, digits, dots, dashes and underscores");
            }

            return text;
        }
    }

    /** What is done about messages that may be lost. */
    static final class DeliveryMode implements ITypeConverter<LoadOptions.DeliveryName>
    {
        @Override
        public LoadOptions.DeliveryName convert(final String text)
        {
            return switch (text)
            {
                case "at-most-once" -> LoadOptions.DeliveryName.at_most_once;
                case "exactly-once" -> LoadOptions.DeliveryName.exactly_once;
                default -> throw new TypeConversionException("'" + text + "' is not allowed: at-most-once or exactly-once");
            };
        }
    }

    /** Conditions on a result. */
    static final class Thresholds implements ITypeConverter<List<Threshold>>
    {
        @Override
        public List<Threshold> convert(final String text)
        {
            return Converters.convert(text, Threshold::parse);
        }
    }

    /** What is compared. */
    static final class Metrics implements ITypeConverter<List<Metric>>
    {
        @Override
        public List<Metric> convert(final String text)
        {
            return Converters.convert(text, Metric::parse);
        }
    }

    /**
     * When a stall begins and how long it lasts.
     *
     * @param lengthNs of the stall in ns.
     * @param beginNs  in ns after the start.
     */
    record StallSpan(long lengthNs, long beginNs)
    {
        @Override
        public String toString()
        {
            return lengthNs + "ns@" + beginNs + "ns";
        }
    }

    /** A stall. */
    static final class Stall implements ITypeConverter<StallSpan>
    {
        @Override
        public StallSpan convert(final String text)
        {
            final String[] parts = text.split("@");
            if (2 != parts.length)
            {
                throw new TypeConversionException("'" + text + "' is not allowed: a length and a begin, as in 1s@5s");
            }

            return Converters.convert(
                text, (all) -> new StallSpan(Quantity.parseDurationNs(parts[0]), Quantity.parseDurationNs(parts[1])));
        }
    }
}

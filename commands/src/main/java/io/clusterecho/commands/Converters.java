package io.clusterecho.commands;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

import io.clusterecho.client.load.ThinkTime;
import io.clusterecho.client.load.WarmUpTime;
import io.clusterecho.client.run.MixConfig;
import io.clusterecho.client.schedule.RateProfile;
import io.clusterecho.failover.lab.FaultSpec;
import io.clusterecho.failover.lab.VictimReturn;
import io.clusterecho.reporting.compare.Metric;
import io.clusterecho.reporting.results.PrecisionGoal;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.settings.Quantity;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters of option texts; a rejection names what is allowed. */
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

    /** A file that is written at the end, so checked before the work that would be lost. */
    static final class OutputFile implements ITypeConverter<Path>
    {
        @Override
        public Path convert(final String text)
        {
            final Path file = Path.of(text);
            final Path folder = file.toAbsolutePath().getParent();
            if (text.isEmpty() || Files.isDirectory(file) || null == folder || !Files.isDirectory(folder) ||
                !Files.isWritable(Files.exists(file) ? file : folder))
            {
                throw new TypeConversionException(
                    "'" + text + "' is not allowed: a file that can be written, in a folder that exists");
            }

            return file;
        }
    }

    /** A folder that is made if it is missing. */
    static final class OutputFolder implements ITypeConverter<Path>
    {
        @Override
        public Path convert(final String text)
        {
            Path existing = Path.of(text).toAbsolutePath();
            while (null != existing && !Files.exists(existing))
            {
                existing = existing.getParent();
            }
            if (text.isBlank() || null == existing || !Files.isDirectory(existing) || !Files.isWritable(existing))
            {
                throw new TypeConversionException(
                    "'" + text + "' is not allowed: a folder that can be created and written, such as results or .");
            }

            return Path.of(text);
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

    /** Messages per second, constant or varying. */
    static final class Profile implements ITypeConverter<RateProfile>
    {
        @Override
        public RateProfile convert(final String text)
        {
            return Converters.convert(text, RateProfile::parse);
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

    /** Lengths by weight. */
    static final class Lengths implements ITypeConverter<MixConfig>
    {
        @Override
        public MixConfig convert(final String text)
        {
            return Converters.convert(text, MixConfig::parse);
        }
    }

    /** A kind of message. */
    static final class Kind implements ITypeConverter<MixConfig.Kind>
    {
        @Override
        public MixConfig.Kind convert(final String text)
        {
            return Converters.convert(text, MixConfig.Kind::parse);
        }
    }

    /** A factor of speed. */
    static final class Speed implements ITypeConverter<Double>
    {
        @Override
        public Double convert(final String text)
        {
            final double factor = text.matches("[0-9]{1,4}(\\.[0-9]{1,6})?") ? Double.parseDouble(text) : 0;
            if (factor < 0.001 || factor > 1_000)
            {
                throw new TypeConversionException("'" + text + "' is not allowed: a factor from 0.001 to 1000, such as 2 or 0.5");
            }

            return factor;
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

    /** Think time of a closed loop. */
    static final class Thinking implements ITypeConverter<ThinkTime>
    {
        @Override
        public ThinkTime convert(final String text)
        {
            return Converters.convert(text, ThinkTime::parse);
        }
    }

    /** A time, auto, or auto with its longest time. */
    static final class WarmUp implements ITypeConverter<WarmUpTime>
    {
        @Override
        public WarmUpTime convert(final String text)
        {
            return Converters.convert(text, WarmUpTime::parse);
        }
    }

    /** A percentile and how precisely it is to be known. */
    static final class Precision implements ITypeConverter<PrecisionGoal>
    {
        @Override
        public PrecisionGoal convert(final String text)
        {
            return Converters.convert(text, PrecisionGoal::parse);
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

    /** A fault, with or without its strength. */
    static final class FaultText implements ITypeConverter<FaultSpec>
    {
        @Override
        public FaultSpec convert(final String text)
        {
            return Converters.convert(text, FaultSpec::parse);
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

    /** A share, 1 for all. */
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
            if (!text.matches("\\P{Cntrl}{1,80}") || text.isBlank())
            {
                throw new TypeConversionException("'" + text + "' is not allowed: 1 to 80 printable characters");
            }

            return text;
        }
    }

    /** Delivery. */
    static final class DeliveryMode implements ITypeConverter<DeliveryOptions.Mode>
    {
        @Override
        public DeliveryOptions.Mode convert(final String text)
        {
            return switch (text)
            {
                case "at-most-once" -> DeliveryOptions.Mode.at_most_once;
                case "exactly-once" -> DeliveryOptions.Mode.exactly_once;
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

    /** Metrics of a comparison. */
    static final class Metrics implements ITypeConverter<List<Metric>>
    {
        @Override
        public List<Metric> convert(final String text)
        {
            return Converters.convert(text, Metric::parse);
        }
    }

    /** Metrics of a record over time. */
    static final class MetricsOverTime implements ITypeConverter<List<Metric>>
    {
        @Override
        public List<Metric> convert(final String text)
        {
            return Converters.convert(text, Metric::parseOverTime);
        }
    }

    /**
     * When a stall begins and how long it lasts.
     *
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
                throw new TypeConversionException("'" + text + "' is not allowed: a length and a begin, such as 1s@5s");
            }

            return Converters.convert(
                text, (all) -> new StallSpan(Quantity.parseDurationNs(parts[0]), Quantity.parseDurationNs(parts[1])));
        }
    }
}

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

import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters of option texts; a rejection names what is allowed. */
final class Converters
{
    private Converters()
    {
    }

    /** Let a command line and its commands convert texts to this project's types. */
    static CommandLine register(final CommandLine commandLine)
    {
        register(commandLine, RateProfile.class, RateProfile::parse);
        register(commandLine, MixConfig.class, MixConfig::parse);
        register(commandLine, MixConfig.Kind.class, MixConfig.Kind::parse);
        register(commandLine, ThinkTime.class, ThinkTime::parse);
        register(commandLine, WarmUpTime.class, WarmUpTime::parse);
        register(commandLine, PrecisionGoal.class, PrecisionGoal::parse);
        register(commandLine, VictimReturn.class, VictimReturn::parse);
        register(commandLine, FaultSpec.class, FaultSpec::parse);
        register(commandLine, DeliveryOptions.Mode.class, DeliveryOptions.Mode::parse);
        register(commandLine, TargetOptions.Stall.class, TargetOptions.Stall::parse);
        return commandLine;
    }

    private static <T> void register(final CommandLine commandLine, final Class<T> type, final Function<String, T> parser)
    {
        commandLine.registerConverter(type, (text) -> convert(text, parser));
    }

    private static <T> T convert(final String text, final Function<String, T> parser)
    {
        try
        {
            return parser.apply(text);
        }
        catch (final IllegalArgumentException ex)
        {
            return allowed(false, text, null, ex.getMessage());
        }
    }

    private static <T> T allowed(final boolean isAllowed, final String text, final T value, final String allowed)
    {
        if (!isAllowed)
        {
            throw new TypeConversionException("'" + text + "' is not allowed: " + allowed);
        }

        return value;
    }

    /** A file that is written at the end, so checked before the work that would be lost. */
    static final class OutputFile implements ITypeConverter<Path>
    {
        @Override
        public Path convert(final String text)
        {
            final Path file = Path.of(text);
            final Path folder = file.toAbsolutePath().getParent();
            final boolean isAllowed = !text.isEmpty() && !Files.isDirectory(file) && null != folder &&
                Files.isDirectory(folder) && Files.isWritable(Files.exists(file) ? file : folder);
            return allowed(isAllowed, text, file, "a file that can be written, in a folder that exists");
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
            return allowed(
                !text.isBlank() && null != existing && Files.isDirectory(existing) && Files.isWritable(existing), text,
                Path.of(text), "a folder that can be created and written, such as results or .");
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

    /** A factor of speed. */
    static final class Speed implements ITypeConverter<Double>
    {
        @Override
        public Double convert(final String text)
        {
            final double factor = text.matches("[0-9]{1,4}(\\.[0-9]{1,6})?") ? Double.parseDouble(text) : 0;
            return allowed(factor >= 0.001 && factor <= 1_000, text, factor, "a factor from 0.001 to 1000, such as 2 or 0.5");
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

    /** A whole number from 1. */
    static final class PositiveInt implements ITypeConverter<Integer>
    {
        @Override
        public Integer convert(final String text)
        {
            final int number = text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
            return allowed(number >= 1, text, number, "a whole number of at least 1");
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
            return allowed(
                text.matches("\\P{Cntrl}{1,80}") && !text.isBlank(), text, text, "1 to 80 printable characters");
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
}

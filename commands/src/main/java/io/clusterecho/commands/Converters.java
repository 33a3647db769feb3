package io.clusterecho.commands;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

import io.clusterecho.client.run.LoadOption;
import io.clusterecho.failover.lab.FailoverPlan;
import io.clusterecho.failover.lab.FaultSpec;
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
        register(commandLine, PrecisionGoal.class, PrecisionGoal::parse);
        register(commandLine, FailoverPlan.VictimReturn.class, FailoverPlan.VictimReturn::parse);
        register(commandLine, FaultSpec.class, FaultSpec::parse);
        return commandLine;
    }

    private static <T> void register(final CommandLine commandLine, final Class<T> type, final Function<String, T> parser)
    {
        commandLine.registerConverter(type, (text) -> convert(text, parser));
    }

    static <T> T convert(final String text, final Function<String, T> parser)
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
            return Converters.convert(text, OutputFile::writable);
        }

        private static Path writable(final String text)
        {
            final Path file = Path.of(text);
            final Path folder = file.toAbsolutePath().getParent();
            if (text.isEmpty() || Files.isDirectory(file) || null == folder || !Files.isDirectory(folder) ||
                !Files.isWritable(Files.exists(file) ? file : folder))
            {
                throw new IllegalArgumentException("a file that can be written, in a folder that exists");
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
            return (Path)Converters.convert(text, LoadOption.Kind.FOLDER::parse);
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

    /** A whole number from 1. */
    static final class PositiveInt implements ITypeConverter<Integer>
    {
        @Override
        public Integer convert(final String text)
        {
            return (Integer)Converters.convert(text, LoadOption.Kind.COUNT::parse);
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
            return (String)Converters.convert(text, LoadOption.Kind.TITLE::parse);
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
}

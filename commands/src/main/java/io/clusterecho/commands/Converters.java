package io.clusterecho.commands;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

import io.clusterecho.reporting.compare.Metric;
import io.clusterecho.settings.IllegalArgument;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters of option texts; a rejection names what is allowed. */
final class Converters
{
    private Converters()
    {
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
            IllegalArgument.throwIf(
                text.isEmpty() || Files.isDirectory(file) || null == folder || !Files.isDirectory(folder) ||
                !Files.isWritable(Files.exists(file) ? file : folder),
                "a file that can be written, in a folder that exists");
            return file;
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

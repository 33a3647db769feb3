package io.clusterecho.commands;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.clusterecho.control.command.OptionGroup;
import io.clusterecho.reporting.report.DocumentedResult;
import io.clusterecho.reporting.document.ResultJunit;
import io.clusterecho.reporting.results.Threshold;
import io.clusterecho.settings.Cause;
import io.clusterecho.settings.IllegalArgument;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** How results and progress are printed. */
@OptionGroup("Output")
final class PrintOptions
{
    static final String JSON = "--json";
    static final String QUIET = "--quiet";

    private final long beginNs = System.nanoTime();

    @Option(names = JSON, description = "Print the result, or an error, as one JSON document.")
    private boolean isJson;

    @Option(names = "--junit", paramLabel = "FILE", converter = OutputFile.class,
        description = "Also write the verdict as JUnit XML, with a test case for each condition.")
    private Path junit;

    @Option(names = { QUIET, "-q" }, description = "Print no progress.")
    private boolean isQuiet;

    boolean isJson()
    {
        return isJson;
    }

    boolean isQuiet()
    {
        return isQuiet;
    }

    /** Print a line of progress on stderr, unless the user wants none. */
    void progress(final String line)
    {
        if (!isQuiet)
        {
            System.err.println(line);
        }
    }

    /** Print a result in the form that the user asked for, and write its verdict to the file of {@code --junit}. */
    void result(final String json, final String text, final List<Threshold> conditions)
    {
        System.out.print(isJson ? json : text);
        if (null != junit)
        {
            write("--junit", junit, ResultJunit.xml(json, conditions, System.nanoTime() - beginNs));
        }
    }

    /** Print a result without conditions, and return its exit status. */
    int result(final DocumentedResult.Ended result)
    {
        result(result.json(), result.text(), List.of());
        return result.verdict().exitStatus();
    }

    /** Write a text file that the user asked for. */
    static void write(final String option, final Path file, final String content)
    {
        Io.run(
            (ex) -> new InvalidSettingException(option, file, "a file that can be written (" + Cause.of(ex) + ")"),
            () -> Files.writeString(file, content));
    }

    /** A file that is written at the end, so checked before the work that would be lost. */
    static final class OutputFile implements ITypeConverter<Path>
    {
        @Override
        public Path convert(final String text)
        {
            return LoadCommand.convert(text, OutputFile::writable);
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
}

package io.clusterecho.commands;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.Redaction;
import io.clusterecho.reporting.bundle.BundleDocument;
import io.clusterecho.reporting.bundle.BundleWriter;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.settings.InvalidSettingException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;

/** Packs a result for others, and repeats a packed one. */
@Command(
    name = "bundle",
    mixinStandardHelpOptions = true,
    header = "Pack a result into one archive, or repeat its command.",
    description = {
        "",
        "The archive contains all files of the folder and bundle.json: command line, configuration, cluster settings, " +
        "versions and machine. --rerun runs that command line on this machine, with this version; the cluster must be " +
        "running if the command needs one. It refuses options that can start other programs or overwrite files; the message " +
        "then shows the command line." },
    exitCodeList = {
        "  0:written, or the repeated command ended with 0",
        "  1:internal error",
        "  2:usage, no result folder, no bundle, or a command line that is not repeated",
        "  n:--rerun: that of the repeated command" })
@CommandHelp(
    examples = {
        "load-client bundle results/20261122-101500-run",
        "load-client bundle results/20261122-101500-run -o run.zip",
        "load-client bundle --rerun run.zip" })
final class BundleCommand implements Callable<Integer>
{
    private static final String RERUN = "--rerun";
    private static final String COMMAND_LINE = "commandLine";
    private static final List<String> PROGRAM = List.of("java", "-jar", "load-client.jar");
    private static final Set<String> REPEATED =
        Set.of("run", "max-rate", "overload", "matrix", "ping-pong", "calibrate", "failover");
    private static final Set<String> REFUSED =
        Set.of("--client-command", "--driver-command", "--fault-script", "--junit", "--set", "--transport-set");
    private static final double BYTES_PER_KB = 1e3;

    @Parameters(arity = "0..1", paramLabel = "DIR", description = "Result folder to pack: of a run, search, sweep or test.")
    private Path folder;

    @Option(names = { "--output", "-o" }, paramLabel = "FILE", converter = Converters.OutputFile.class,
        description = "Archive to write; it must not exist. Default: the name of DIR with .zip, in this folder.")
    private Path output;

    @Option(names = RERUN, paramLabel = "FILE", description = "Bundle whose command line is run again.")
    private Path bundle;

    @Override
    public Integer call()
    {
        InvalidSettingException.throwIf(
            (null == folder) == (null == bundle) || null != bundle && null != output,
            "either DIR with or without --output, or --rerun FILE is needed");
        if (null != bundle)
        {
            return rerun(BundleDocument.read(bundle, RERUN));
        }

        final BundleWriter.Written written = BundleWriter.write(folder, output);
        System.out.println(String.format(
            Locale.ROOT, "bundle in %s: %s, %d files, %,.0f kB", written.file(), written.kind(), written.fileCount(),
            Math.ceil(written.length() / BYTES_PER_KB)));
        return ExitCode.GOOD;
    }

    private int rerun(final BundleDocument document)
    {
        final List<String> arguments = arguments(document.commandLine());
        System.err.println(versions(document));
        System.err.println("running " + document.commandLine());
        return RootCommand.execute(arguments.toArray(String[]::new));
    }

    /** The line of another's file: whatever could do more than measure is refused. */
    private List<String> arguments(final String commandLine)
    {
        InvalidSettingException.throwIf(null == commandLine, RERUN, bundle, "a bundle with a commandLine; an audit has none");
        final List<String> words;
        try
        {
            words = TypedCommand.arguments(commandLine);
        }
        catch (final IllegalArgumentException ex)
        {
            throw refused(commandLine, "a command line of load-client.jar (" + ex.getMessage() + ")");
        }

        InvalidSettingException.throwIf(
            words.size() < PROGRAM.size() || !PROGRAM.equals(words.subList(0, PROGRAM.size())), COMMAND_LINE, commandLine,
            "a command line that begins with " + String.join(" ", PROGRAM));
        final List<String> arguments = words.subList(PROGRAM.size(), words.size());
        InvalidSettingException.throwIf(
            arguments.stream().anyMatch((argument) -> argument.contains(Redaction.MARK)), COMMAND_LINE, commandLine,
            "no secret, which was replaced by " + Redaction.MARK + "; run it yourself with it");
        InvalidSettingException.throwIf(
            arguments.stream().anyMatch((argument) -> argument.startsWith("@")), COMMAND_LINE, commandLine,
            "no file of arguments; run it yourself if you trust it");
        check(commandLine, arguments);

        return arguments;
    }

    private static void check(final String commandLine, final List<String> arguments)
    {
        ParseResult parsed;
        try
        {
            parsed = RootCommand.parsed(arguments.toArray(String[]::new));
        }
        catch (final ParameterException ex)
        {
            throw refused(commandLine, "a command line that this version accepts (" + ex.getMessage() + ")");
        }
        while (null != parsed)
        {
            final Optional<String> refused = REFUSED.stream().filter(parsed::hasMatchedOption).findFirst();
            if (refused.isPresent())
            {
                throw refused(commandLine, "options other than " + refused.get() + "; run it yourself if you trust it");
            }
            parsed = parsed.hasSubcommand() ? parsed.subcommand() : null;
            InvalidSettingException.throwIf(
                null != parsed && !REPEATED.contains(parsed.commandSpec().name()), COMMAND_LINE, commandLine,
                "a command that measures: " + REPEATED.stream().sorted().collect(Collectors.joining(", ")));
        }
    }

    private static InvalidSettingException refused(final String commandLine, final String allowed)
    {
        return new InvalidSettingException(COMMAND_LINE, commandLine, allowed);
    }

    private static String versions(final BundleDocument document)
    {
        if (null == document.versions())
        {
            return "the bundle does not name the version that made it";
        }
        final String differences = BuildFacts.versions().entrySet().stream()
            .filter((here) -> !here.getValue().equals(document.versions().get(here.getKey())))
            .map((here) -> here.getKey() + " " + document.versions().get(here.getKey()) + " there, " + here.getValue() + " here")
            .collect(Collectors.joining("; "));
        return "made by cluster-echo " + document.versions().get("cluster-echo") + ", commit " +
            document.versions().get("commit") + ": " +
            (differences.isEmpty() ? "the same versions as here" : "versions differ: " + differences);
    }
}

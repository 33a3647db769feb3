package io.clusterecho.node;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.ExitStatus;
import io.clusterecho.node.member.MemberProcess;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Setting;
import io.clusterecho.settings.Settings;
import io.clusterecho.settings.Similarity;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs one member in this process. */
@Command(
    name = "cluster-node",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Run one member of the cluster, or its backup, in this process.",
    description = { "", "Runs until it receives SIGTERM or Ctrl-C. 'start' starts all members of a cluster." },
    footer = {
        "",
        "Settings come from defaults, then the files in order, then -Decho.KEY=VALUE, then the options; later ones win.",
        "Aeron's own aeron.* keys in files or -D override what is derived from echo.* keys. The id and the folders of a member " +
        "are set with echo.* keys only; Aeron's keys for these are rejected." })
public class MemberCommand implements Callable<Integer>
{
    private CommandSpec spec;

    @Option(names = "--member-id", paramLabel = "N", description = "Index of this member, from 0 (echo.member.id).")
    private String memberId;

    @Option(names = "--driver", paramLabel = "KIND", description = "Media driver: java, embedded or c (echo.driver).")
    private String driver;

    @Option(
        names = "--backup",
        description = "Run the backup of the cluster in this process, in place of a member; needs echo.backup=true.")
    private boolean isBackup;

    @Option(
        names = "--insecure",
        description = "Allow addresses that other hosts can reach, without credentials (echo.insecure).")
    private boolean isInsecure;

    @Option(
        names = "--delete-data",
        description = "Delete this member's log, snapshots and votes before the start (echo.delete.data).")
    private boolean deleteData;

    @Option(
        names = "--set", paramLabel = "KEY=VALUE", description = "Set any key, as in --set echo.fsync=1; repeatable.")
    private List<String> assignments = new ArrayList<>();

    @Option(names = "--print-config", description = "Print the effective configuration and exit.")
    private boolean isPrintConfig;

    @Parameters(paramLabel = "FILE.properties", description = "Property files with settings, in UTF-8.")
    private List<Path> files = new ArrayList<>();

    /** Run a member until it is stopped by a signal, and exit with its status. */
    public static void main(final String[] args)
    {
        System.exit(execute(new MemberCommand(), System.err, args));
    }

    /**
     * Run the command line of this command, or of one with subcommands; the stream is for one line about invalid arguments or
     * settings.
     */
    protected static int execute(final MemberCommand command, final PrintStream err, final String... args)
    {
        final CommandLine commandLine = new CommandLine(command);
        showVersions(commandLine);
        commandLine.getCommandSpec().usageMessage().exitCodeList(exitCodes());
        command.layOut(commandLine);
        command.spec = commandLine.getCommandSpec();
        return commandLine
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setParameterExceptionHandler((ex, ignore) -> command.reject(err, ex))
            .setExecutionExceptionHandler((ex, ignored, ignore) -> command.fail(err, ex))
            .execute(args);
    }

    private static Map<String, String> exitCodes()
    {
        final Map<String, String> texts = new LinkedHashMap<>();
        for (final ExitStatus status : ExitStatus.values())
        {
            texts.put("  " + status.code(), status.reason());
        }

        return texts;
    }

    /** Change how help looks. Called once, before the arguments are parsed. */
    protected void layOut(final CommandLine commandLine)
    {
    }

    private static void showVersions(final CommandLine commandLine)
    {
        commandLine.getCommandSpec().version(BuildFacts.lines());
        commandLine.getSubcommands().values().forEach(MemberCommand::showVersions);
    }

    @Override
    public Integer call()
    {
        final MemberProcess process = isBackup ? MemberProcess.ofBackup(settings(), System.out, System.err) :
            new MemberProcess(settings(), System.out, System.err);
        if (isPrintConfig)
        {
            printConfig(process);
            return ExitStatus.OK.code();
        }

        return process.run().code();
    }

    private Settings settings()
    {
        checkFiles();
        final Settings settings = new Settings(NodeSettings.PREFIX, NodeSettings.ALL)
            .putFiles(files)
            .putSystemProperties(System.getProperties())
            .putAssignments(assignments, "--set");
        if (null != memberId)
        {
            if (isBackup)
            {
                throw new InvalidSettingException("--member-id", memberId, "must not be set with --backup");
            }
            settings.put(NodeSettings.MEMBER_ID.key(), memberId, "--member-id");
        }
        if (null != driver)
        {
            settings.put(NodeSettings.DRIVER.kind().key(), driver, "--driver");
        }
        putIf(isInsecure, settings, NodeSettings.INSECURE, "--insecure");
        putIf(deleteData, settings, NodeSettings.DELETE_DATA, "--delete-data");
        return settings;
    }

    private static void putIf(
        final boolean isGiven, final Settings settings, final Setting<Boolean> setting, final String option)
    {
        if (isGiven)
        {
            settings.put(setting.key(), "true", option);
        }
    }

    private static void printConfig(final MemberProcess process)
    {
        final Map<String, String> lines = new TreeMap<>(process.config().effective());
        for (final String key : System.getProperties().stringPropertyNames())
        {
            if (key.startsWith("aeron.") || key.startsWith("agrona."))
            {
                lines.put(key, System.getProperty(key));
            }
        }
        lines.forEach((key, value) -> System.out.println(key + "=" + value));
    }

    /** A mistyped command would be taken for a file of settings. */
    private void checkFiles()
    {
        for (final Path file : files)
        {
            if (!Files.exists(file) && file.toString().matches("[a-z-]+"))
            {
                throw new InvalidSettingException(
                    "unknown command " + file + "; " +
                    Similarity.closest(file.toString(), spec.subcommands().keySet())
                    .map((close) -> "did you mean " + close + "?").orElse("see --help"));
            }
        }
    }

    private int reject(final PrintStream err, final Exception ex)
    {
        final StringWriter suggestions = new StringWriter();
        if (ex instanceof CommandLine.ParameterException unusable)
        {
            CommandLine.UnmatchedArgumentException.printSuggestions(unusable, new PrintWriter(suggestions, true));
        }
        final String hint = suggestions.toString().strip();
        return report(
            err, ExitStatus.CONFIGURATION.code(),
            Cause.ofArgument(ex.getMessage()) + (hint.isEmpty() ? "" : System.lineSeparator() + hint));
    }

    /** Print why the command ends, in one line or several. */
    protected int report(final PrintStream err, final int exitStatus, final String message)
    {
        err.println("error: " + message);
        return exitStatus;
    }

    /** Report a failure. */
    protected int fail(final PrintStream err, final Exception ex)
    {
        if (ex instanceof InvalidSettingException)
        {
            return reject(err, ex);
        }

        report(err, ExitStatus.OTHER.code(), ex.toString());
        ex.printStackTrace(err);
        return ExitStatus.OTHER.code();
    }
}

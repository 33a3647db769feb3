package io.clusterecho.commands;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.control.command.ErrorDocument;
import io.clusterecho.control.command.HelpLayout;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.platform.MemoryFault;
import io.clusterecho.process.CommandHint;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The command line of {@code load-client.jar}. Without a command it is {@code run}. */
public final class RootCommand
{
    private final CommandLine root;
    private final String[] args;

    private RootCommand(final String program, final List<?> commands, final String[] args)
    {
        this.args = args;
        root = new CommandLine(new RunCommand()).setCommandName(program);
        for (final Object command : List.of(
            new RunCommand(), new MaxRateCommand(), new OverloadCommand(), new MatrixCommand(), new PingPongCommand(),
            new CalibrateCommand(), new FailoverCommand(), new ChaosCommand(), new RolloutCommand(),
            new AuditCommand(), new ReportCommand(), new CompareCommand(), new TrendCommand(), new WorkerCommand(),
            new SidesCommand()))
        {
            root.addSubcommand(command);
        }
        commands.forEach(root::addSubcommand);
        root.addSubcommand("generate-completion", new AutoComplete.GenerateCompletion());
        root.addSubcommand(new CommandLine.HelpCommand());
        Converters.register(root);
        showVersions(root);
        HelpLayout.apply(root);
        root.setAllowSubcommandsAsOptionParameters(true);
        root.setCaseInsensitiveEnumValuesAllowed(true);
        root.setParameterExceptionHandler((ex, ignored) -> onUsageError(ex));
        root.setExecutionExceptionHandler((ex, command, parsed) -> onFailure(ex));
    }

    /** Run the command that the arguments name, and return the {@link ExitCode}. */
    public static int execute(final String[] args)
    {
        return execute("load-client", List.of(), args);
    }

    /**
     * Run the command that the arguments name, for a program with further commands.
     *
     * @param program  name of its jar, without {@code .jar}.
     * @param commands objects with picocli's annotations.
     * @return the exit status, see {@link ExitCode}.
     */
    public static int execute(final String program, final List<?> commands, final String[] args)
    {
        return new RootCommand(program, commands, args).execute();
    }

    private int execute()
    {
        try
        {
            root.setDefaultValueProvider(OptionFile.of(args, commandOf(args).getCommandSpec()));
            return root.execute(args);
        }
        catch (final InvalidSettingException ex)
        {
            return onFailure(ex);
        }
        catch (final InternalError ex)
        {
            if (!MemoryFault.is(ex))
            {
                throw ex;
            }
            return fail(ExitCode.RUN_FAILED, MemoryFault.text(ex) + ": see df /dev/shm", null);
        }
    }

    private CommandLine commandOf(final String[] arguments)
    {
        // Only the first argument: a label, say, may be called like a command.
        return 0 == arguments.length ? root : root.getSubcommands().getOrDefault(arguments[0], root);
    }

    private int onUsageError(final ParameterException ex)
    {
        final CommandLine command = ex.getCommandLine();
        final StringWriter suggestions = new StringWriter();
        CommandLine.UnmatchedArgumentException.printSuggestions(ex, new PrintWriter(suggestions, true));
        final String hint = suggestions.toString().strip();
        return fail(
            ExitCode.USAGE, Cause.ofArgument(ex.getMessage()) + (hint.isEmpty() ? "" : System.lineSeparator() + hint),
            "see " + hint(command.getCommandSpec().qualifiedName() + " --help"));
    }

    private static String hint(final String commandLine)
    {
        final String[] words = commandLine.split(" ", 2);
        return CommandHint.of(words[0], words[1]);
    }

    private int onFailure(final Exception ex)
    {
        if (ex instanceof InvalidSettingException invalid)
        {
            return fail(ExitCode.USAGE, asTyped(invalid), null);
        }
        if (ex instanceof NotConnectedException)
        {
            return fail(ExitCode.NOT_CONNECTED, ex.getMessage(), null);
        }

        if (ex instanceof ControlFailure failure)
        {
            // The codes of a control failure mean the same.
            return fail(failure.exitCode(), ex.getMessage(), null);
        }

        fail(ExitCode.INTERNAL, ex.toString(), null);
        ex.printStackTrace();
        return ExitCode.INTERNAL;
    }

    private int fail(final int exitStatus, final String message, final String hint)
    {
        if (ErrorDocument.isWanted(args))
        {
            System.err.print(new ErrorDocument(message, exitStatus).text());
        }
        else
        {
            System.err.println("error: " + message);
            if (null != hint)
            {
                System.err.println(hint);
            }
        }

        return exitStatus;
    }

    /** The message with the value as the user typed it, and not as it was converted: {@code 1ms}, not {@code 1000000ns}. */
    private String asTyped(final InvalidSettingException ex)
    {
        ParseResult parsed = root.getParseResult();
        while (null != parsed && parsed.hasSubcommand())
        {
            parsed = parsed.subcommand();
        }
        if (null == ex.key() || null == parsed || !parsed.hasMatchedOption(ex.key()))
        {
            return ex.getMessage();
        }

        final List<String> typed = parsed.matchedOption(ex.key()).originalStringValues();
        return 1 == typed.size() && !typed.get(0).isEmpty() ? ex.withValue(typed.get(0)).getMessage() : ex.getMessage();
    }

    private static void showVersions(final CommandLine commandLine)
    {
        commandLine.getCommandSpec().version(BuildFacts.lines());
        commandLine.getSubcommands().values().forEach(RootCommand::showVersions);
    }
}

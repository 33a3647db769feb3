package io.clusterecho.commands;

import java.util.Map;

import io.clusterecho.client.run.ClientsConfig;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.platform.BuildFacts;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.settings.InvalidSettingException;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * The command line of {@code load-client.jar}: {@code run} is what it does unless another command is named.
 */
public final class RootCommand
{
    private RootCommand()
    {
    }

    /**
     * Do what the arguments say.
     *
     * @param args of the process.
     * @return the exit status, see {@link ExitCode}.
     */
    public static int execute(final String[] args)
    {
        return execute("load-client", Map.of(), args);
    }

    /**
     * Do what the arguments say, for a program that knows further commands.
     *
     * @param program  name of its jar, without its ending.
     * @param commands by name; objects that picocli can read.
     * @param args     of the process.
     * @return the exit status, see {@link ExitCode}.
     */
    public static int execute(final String program, final Map<String, Object> commands, final String[] args)
    {
        final CommandLine root = new CommandLine(new RunCommand()).setCommandName(program);
        root.addSubcommand("run", new RunCommand());
        root.addSubcommand("max-rate", new MaxRateCommand());
        root.addSubcommand("matrix", new MatrixCommand());
        root.addSubcommand("placement", new PlacementCommand());
        root.addSubcommand("ping-pong", new PingPongCommand());
        root.addSubcommand("baseline", new BaselineCommand());
        root.addSubcommand("failover", new FailoverCommand());
        root.addSubcommand("audit", new AuditCommand());
        root.addSubcommand("report", new ReportCommand());
        root.addSubcommand(ClientsConfig.WORKER, new WorkerCommand());
        root.addSubcommand("compare", new CompareCommand());
        commands.forEach(root::addSubcommand);
        root.addSubcommand("generate-completion", new AutoComplete.GenerateCompletion());
        showVersions(root);
        root.setAllowSubcommandsAsOptionParameters(true);
        // So that a script can put defaults before what its user gives; picocli's own remark about it would only confuse.
        System.setProperty("picocli.trace", "OFF");
        root.setOverwrittenOptionsAllowed(true);
        root.setCaseInsensitiveEnumValuesAllowed(true);
        root.setParameterExceptionHandler(RootCommand::onUsageError);
        root.setExecutionExceptionHandler((ex, command, parsed) -> onFailure(ex));
        try
        {
            root.setDefaultValueProvider(OptionFile.of(args, root.getCommandSpec()));
        }
        catch (final InvalidSettingException ex)
        {
            return onFailure(ex);
        }

        return root.execute(args);
    }

    private static int onUsageError(final ParameterException ex, final String[] args)
    {
        System.err.println("error: " + ex.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(ex, System.err);
        System.err.println("see --help");
        return ExitCode.USAGE;
    }

    private static int onFailure(final Exception ex)
    {
        if (ex instanceof InvalidSettingException)
        {
            System.err.println("error: " + ex.getMessage());
            return ExitCode.USAGE;
        }
        if (ex instanceof NotConnectedException)
        {
            System.err.println("error: " + ex.getMessage());
            return ExitCode.NOT_CONNECTED;
        }

        System.err.println("error: " + ex);
        ex.printStackTrace();
        return ExitCode.INTERNAL;
    }

    private static void showVersions(final CommandLine commandLine)
    {
        commandLine.getCommandSpec().version(BuildFacts.lines());
        commandLine.getSubcommands().values().forEach(RootCommand::showVersions);
    }
}

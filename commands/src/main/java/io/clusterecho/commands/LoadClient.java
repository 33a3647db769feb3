package io.clusterecho.commands;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import io.clusterecho.client.run.TargetConfig;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.control.command.Program;
import io.clusterecho.failover.lab.FailoverPlan;
import io.clusterecho.failover.lab.FaultSpec;
import io.clusterecho.process.CommandHint;
import io.clusterecho.reporting.results.ExitCode;
import io.clusterecho.reporting.results.PrecisionGoal;
import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Main class of {@code load-client.jar}. Without a command it is {@code run}. */
public final class LoadClient extends Program
{
    private LoadClient(final CommandLine root, final String[] args)
    {
        super(root, System.err, ExitCode.INTERNAL, args);
    }

    /** Run the command that the arguments name, and exit with its status. */
    public static void main(final String[] args)
    {
        System.exit(execute(args));
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
        final CommandLine root = new CommandLine(new LoadCommand.RunCommand()).setCommandName(program);
        final List<Object> all = new ArrayList<>(List.of(
            new LoadCommand.RunCommand(), new LoadCommand.MaxRateCommand(), new LoadCommand.OverloadCommand(),
            new MatrixCommand(), new LoadCommand.PingPongCommand(), new CalibrateCommand(),
            new FaultCommand.FailoverCommand(), new FaultCommand.ChaosCommand(), new FaultCommand.RolloutCommand(),
            ResultCommands.named("audit"), ResultCommands.named("report"), ResultCommands.named("compare"),
            ResultCommands.named("trend"), new WorkerCommand(), new SidesCommand()));
        all.addAll(commands);
        addNeeded(root, all, args);
        root.addSubcommand("generate-completion", new AutoComplete.GenerateCompletion());
        root.addSubcommand(new CommandLine.HelpCommand());
        register(root, PrecisionGoal.class, PrecisionGoal::parse);
        register(root, FailoverPlan.VictimReturn.class, FailoverPlan.VictimReturn::parse);
        register(root, FaultSpec.class, FaultSpec::parse);
        // A number with a fraction is a share of something.
        register(root, double.class, Quantity::parseShare);
        root.setAllowSubcommandsAsOptionParameters(true);
        return new LoadClient(root, args).execute();
    }

    /** Let a program and its commands convert texts of options to a type. */
    private static <T> void register(final CommandLine program, final Class<T> type, final Function<String, T> parser)
    {
        program.registerConverter(type, (text) -> LoadCommand.convert(text, parser));
    }

    @Override
    public int execute()
    {
        try
        {
            root.setDefaultValueProvider(OptionFile.of(args, commandOf(args).getCommandSpec()));
            return super.execute();
        }
        catch (final InvalidSettingException ex)
        {
            return fail(ex);
        }
        catch (final InternalError ex)
        {
            if (!Cause.isMemoryFault(ex))
            {
                throw ex;
            }
            return report(ExitCode.RUN_FAILED, Cause.ofError(ex) + ": see df /dev/shm");
        }
    }

    private CommandLine commandOf(final String[] arguments)
    {
        // Only the first argument: a label, say, may be called like a command.
        return 0 == arguments.length ? root : root.getSubcommands().getOrDefault(arguments[0], root);
    }

    @Override
    protected int reject(final ParameterException ex)
    {
        final int exitStatus = super.reject(ex);
        if (!isJsonWanted())
        {
            if (ex instanceof UnmatchedArgumentException unmatched &&
                unmatched.getUnmatched().toString().contains("--endpoints") &&
                ex.getCommandLine().getCommandSpec().options().stream()
                .anyMatch((option) -> TargetConfig.BASE_DIR.equals(option.names()[0])))
            {
                System.err.println("this command needs members that cluster-node started, whose --base-dir it takes; run, " +
                    "max-rate and overload measure any cluster, ping-pong one whose service sends bytes back");
            }
            final String[] words = (ex.getCommandLine().getCommandSpec().qualifiedName() + " --help").split(" ", 2);
            System.err.println("see " + CommandHint.of(words[0], words[1]));
        }
        return exitStatus;
    }

    @Override
    protected int fail(final Exception ex)
    {
        return ex instanceof InvalidSettingException invalid ? report(ExitCode.USAGE, asTyped(invalid)) :
            ex instanceof NotConnectedException ? report(ExitCode.NOT_CONNECTED, ex.getMessage()) : super.fail(ex);
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
}

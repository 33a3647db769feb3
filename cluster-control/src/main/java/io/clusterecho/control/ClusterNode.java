package io.clusterecho.control;

import java.io.PrintStream;

import io.clusterecho.control.cluster.AgentCommand;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.control.command.ErrorDocument;
import io.clusterecho.control.command.HealCommand;
import io.clusterecho.control.command.HelpLayout;
import io.clusterecho.control.command.RetainCommand;
import io.clusterecho.control.command.SnapshotCommand;
import io.clusterecho.control.command.StartCommand;
import io.clusterecho.control.command.StatusCommand;
import io.clusterecho.control.command.StopCommand;
import io.clusterecho.control.doctor.DoctorCommand;
import io.clusterecho.control.member.ControlFailure;
import io.clusterecho.node.MemberCommand;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Main class of {@code cluster-node.jar}: runs one member in this process, or one of the subcommands. */
@Command(
    name = "cluster-node",
    subcommands = {
        StartCommand.class, StopCommand.class, StatusCommand.class, SnapshotCommand.class, RetainCommand.class,
        HealCommand.class, AgentCommand.class, DoctorCommand.class, CommandLine.HelpCommand.class })
@CommandHelp(examples = {
    "cluster-node start",
    "cluster-node --member-id 0 config/cluster.properties",
    "cluster-node help start" })
public final class ClusterNode extends MemberCommand
{
    private boolean isJsonWanted;

    /** Run the command line and exit with its status. */
    public static void main(final String[] args)
    {
        System.exit(execute(System.err, args));
    }

    /**
     * Run the command line.
     *
     * @param err  for why the command cannot run: a sentence, or JSON where the user wants its result as JSON.
     * @param args options and files as listed by {@code --help}.
     */
    public static int execute(final PrintStream err, final String... args)
    {
        final ClusterNode command = new ClusterNode();
        command.isJsonWanted = ErrorDocument.isWanted(args);
        return execute(command, err, args);
    }

    @Override
    protected void layOut(final CommandLine commandLine)
    {
        HelpLayout.apply(commandLine);
    }

    @Override
    protected int report(final PrintStream err, final int exitStatus, final String message)
    {
        if (!isJsonWanted)
        {
            return super.report(err, exitStatus, message);
        }

        err.print(new ErrorDocument(message, exitStatus).text());
        return exitStatus;
    }

    @Override
    protected int fail(final PrintStream err, final Exception ex)
    {
        if (ex instanceof ControlFailure failure)
        {
            return report(err, failure.exitCode(), failure.getMessage());
        }

        return super.fail(err, ex);
    }
}

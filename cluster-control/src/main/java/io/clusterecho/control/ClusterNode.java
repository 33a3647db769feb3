package io.clusterecho.control;

import java.io.PrintStream;
import java.security.Security;
import java.util.List;

import io.clusterecho.control.command.ClusterCommands;
import io.clusterecho.control.command.CommandHelp;
import io.clusterecho.control.command.Program;
import io.clusterecho.control.command.SettingsCommand;
import io.clusterecho.control.command.StartCommand;
import io.clusterecho.control.doctor.DoctorCommand;
import io.clusterecho.node.MemberCommand;
import io.clusterecho.node.member.ExitStatus;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Main class of {@code cluster-node.jar}: runs one member in this process, or one of the subcommands. */
@Command(name = "cluster-node")
@CommandHelp(examples = {
    "cluster-node start", "cluster-node --member-id 0 config/cluster.properties", "cluster-node help start" })
public final class ClusterNode extends MemberCommand
{
    public static void main(final String[] args)
    {
        System.exit(execute(System.err, args));
    }

    /**
     * @param err  for why the command cannot run: a sentence, or JSON where the user wants its result as JSON.
     * @param args options and files as listed by {@code --help}.
     */
    public static int execute(final PrintStream err, final String... args)
    {
        // The JVM keeps for 10 s that DNS did not answer; java.security has that value, so no option of the JVM can change it.
        Security.setProperty("networkaddress.cache.negative.ttl", "1");
        final CommandLine root = new ClusterNode().commandLine();
        Program.addNeeded(root, List.of(
            new StartCommand(), ClusterCommands.named("stop"), ClusterCommands.named("status"),
            ClusterCommands.named("snapshot"), ClusterCommands.named("retain"), new SettingsCommand(),
            ClusterCommands.named("agent"), new DoctorCommand()), args);
        root.addSubcommand(new CommandLine.HelpCommand());
        return new Program(root, err, ExitStatus.OTHER.code(), args).execute();
    }
}

package io.clusterecho.control.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

import io.clusterecho.media.link.Direction;
import io.clusterecho.media.link.Impairment;
import io.clusterecho.media.link.LinkFile;
import io.clusterecho.node.config.NodeConfig;
import io.clusterecho.node.config.NodeSettings;
import io.clusterecho.node.member.ExitStatus;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Cuts a running member off from the network and heals the link. */
@Command(
    name = "link",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "cut | heal | status",
    header = "Cut one member off from the network, and heal the link.",
    description = {
        "",
        "The member's own media driver drops its frames to and from all other members and clients. The member must run with " +
        "echo.fault.filter=true." },
    exitCodeList = {
        "  0:done",
        "  2:no such member with a link filter",
        "  7:the member did not react in time" })
@CommandHelp(examples = {
        "cluster-node link --member 1 cut",
        "cluster-node link --member 1 heal" })
public final class LinkCommand implements Runnable
{
    @Option(
        names = "--base-dir", paramLabel = "DIR", defaultValue = "${sys:echo.base.dir:-cluster-data}", scope = ScopeType.INHERIT,
        description = "Folder of the cluster (echo.base.dir; default: ${DEFAULT-VALUE}).")
    private Path baseDir;

    @Option(
        names = "--member", paramLabel = "N", scope = ScopeType.INHERIT, description = "Id of the member; required.")
    private Integer memberId;

    @Option(
        names = "--timeout", paramLabel = "TIME", defaultValue = "5s", scope = ScopeType.INHERIT,
        description = "Time for the member to react (default: ${DEFAULT-VALUE}).")
    private String timeout;

    @Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "link: missing subcommand cut, heal or status");
    }

    @Command(mixinStandardHelpOptions = true, description = "Drop the member's frames.")
    private int cut(
        @Option(
            names = "--direction", paramLabel = "both|send|receive", defaultValue = "both",
            description = "Frames to drop: both, send (outgoing) or receive (incoming) (default: ${DEFAULT-VALUE}).")
        final Direction direction)
    {
        return impair(Impairment.of(direction).cut());
    }

    @Command(mixinStandardHelpOptions = true, description = "Stop dropping frames.")
    private int heal()
    {
        return impair(Impairment.NONE);
    }

    @Command(mixinStandardHelpOptions = true, description = "Print the state of the link and the number of dropped frames.")
    private int status()
    {
        print(open());
        return ExitStatus.OK.code();
    }

    private LinkFile open()
    {
        InvalidSettingException.throwIf(null == memberId, "--member", "", "the id of a member");

        final Path memberDir = NodeConfig.memberDir(baseDir, memberId);
        try
        {
            return LinkFile.open(memberDir);
        }
        catch (final NoSuchFileException ex)
        {
            throw new InvalidSettingException(
                "--member", memberId, "a member below " + baseDir + " that runs with " + NodeSettings.FAULT_FILTER.key() +
                "=true; missing: " + ex.getMessage());
        }
        catch (final IOException ex)
        {
            throw notUsable(ex);
        }
    }

    private InvalidSettingException notUsable(final IOException ex)
    {
        return new InvalidSettingException("--member", memberId, "a member with a usable link filter; " + ex.getMessage());
    }

    private int impair(final Impairment impairment)
    {
        final long timeoutNs = InvalidSettingException.parsed(
            "--timeout", timeout, "a number with a unit of ns, us, ms, s, m or h, as in 5s", Quantity::parseDurationNs);
        final LinkFile control = open();
        try
        {
            control.impair(impairment);
        }
        catch (final IOException ex)
        {
            throw notUsable(ex);
        }
        final boolean isTaken = control.awaitTaken(timeoutNs);
        print(control);
        return (isTaken ? ExitStatus.OK : ExitStatus.OTHER).code();
    }

    private void print(final LinkFile control)
    {
        final PrintWriter out = spec.commandLine().getOut();
        final boolean isAlive = ProcessHandle.of(control.pid()).map(ProcessHandle::isAlive).orElse(false);
        final String link = control.impairment().map(Impairment::toString).orElse("being changed");
        out.println("member " + memberId + " (pid " + control.pid() + (isAlive ? "" : ", gone") + "): link " + link +
            (control.isTaken() ? "" : ", not applied yet") + "; " + control.count(LinkFile.Count.UNSENT) +
            " frames dropped on send, " + control.count(LinkFile.Count.UNHEARD) + " on receive");
        out.flush();
    }
}

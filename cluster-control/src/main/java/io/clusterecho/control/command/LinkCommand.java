package io.clusterecho.control.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

import io.clusterecho.media.link.Direction;
import io.clusterecho.media.link.LinkControl;
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

/**
 * Cuts a running member off from the network and heals it, as told on the command line.
 */
@Command(
    name = "link",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    synopsisSubcommandLabel = "cut | heal | status",
    description = {
        "Cuts a member of this machine off from all others and from clients, within its own media driver, and heals it.",
        "The member must run with echo.fault.filter=true." },
    footer = { "", "Exit codes: 0 done, 2 no such member with a filter, 7 the member did not do it within the time." })
public final class LinkCommand implements Runnable
{
    @Option(
        names = "--base-dir", paramLabel = "DIR", defaultValue = "cluster-data", scope = ScopeType.INHERIT,
        description = "Base folder of the cluster (echo.base.dir), ${DEFAULT-VALUE} unless given.")
    private Path baseDir;

    @Option(
        names = "--member", paramLabel = "N", scope = ScopeType.INHERIT, description = "Which member; must be given.")
    private Integer memberId;

    @Option(
        names = "--timeout", paramLabel = "TIME", defaultValue = "5s", scope = ScopeType.INHERIT,
        description = "How long to wait for the member to do it, ${DEFAULT-VALUE} unless given.")
    private String timeout;

    @Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "link: cut, heal or status is missing");
    }

    @Command(mixinStandardHelpOptions = true, description = "Drop the frames of the member.")
    private int cut(
        @Option(
            names = "--direction", paramLabel = "both|send|receive", defaultValue = "both",
            description = "Which frames: all, those that it sends, or those that it receives; ${DEFAULT-VALUE} unless given.")
        final Direction direction)
    {
        final long timeoutNs = timeoutNs();
        final LinkControl control = open();
        control.cut(direction);
        return await(control, timeoutNs);
    }

    @Command(mixinStandardHelpOptions = true, description = "Drop nothing any more.")
    private int heal()
    {
        final long timeoutNs = timeoutNs();
        final LinkControl control = open();
        control.heal();
        return await(control, timeoutNs);
    }

    @Command(mixinStandardHelpOptions = true, description = "Print what is dropped, and how many frames were.")
    private int status()
    {
        print(open());
        return ExitStatus.ASKED.code();
    }

    private LinkControl open()
    {
        if (null == memberId)
        {
            throw new InvalidSettingException("--member", "", "the id of a member");
        }

        final Path memberDir = NodeConfig.memberDir(baseDir, memberId);
        try
        {
            return LinkControl.open(memberDir);
        }
        catch (final NoSuchFileException ex)
        {
            throw new InvalidSettingException(
                "--member", memberId, "a member below " + baseDir + " that runs with " + NodeSettings.FAULT_FILTER.key() +
                "=true; there is no " + ex.getMessage());
        }
        catch (final IOException ex)
        {
            throw new InvalidSettingException("--member", memberId, "a member whose filter can be used; " + ex.getMessage());
        }
    }

    private long timeoutNs()
    {
        try
        {
            return Quantity.parseDurationNs(timeout);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new InvalidSettingException("--timeout", timeout, "a number with a unit of ns, us, ms, s, m or h, as in 5s");
        }
    }

    private int await(final LinkControl control, final long timeoutNs)
    {
        final boolean isTaken = control.awaitTaken(timeoutNs);
        print(control);
        return (isTaken ? ExitStatus.ASKED : ExitStatus.OTHER).code();
    }

    private void print(final LinkControl control)
    {
        final PrintWriter out = spec.commandLine().getOut();
        final boolean isAlive = ProcessHandle.of(control.pid()).map(ProcessHandle::isAlive).orElse(false);
        final String link = control.direction().map((direction) -> "cut (" + text(direction) + ")").orElse("open");
        out.println("member " + memberId + " (pid " + control.pid() + (isAlive ? "" : ", gone") + "): link " + link +
            (control.isTaken() ? "" : ", not taken yet") + "; " + control.unsentCount() + " frames not sent, " +
            control.unheardCount() + " not heard");
        out.flush();
    }

    private static String text(final Direction direction)
    {
        return direction.name().toLowerCase(Locale.ROOT);
    }
}

package io.clusterecho.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts processes that a terminal's signals are not meant for: Ctrl-C and Ctrl-Z in it, and its end.
 * <p>
 * They stay in the session of the one that starts them. Linux gives the cores to sessions first and then to the threads in each
 * (sched_autogroup, see {@code man 7 sched}), and splits the weight of a session over the cores by where it has run. A member
 * with a session of its own could then wait for tens of milliseconds on a core that it had seldom used, while threads of others
 * took turns there: docs/adr/0023-keep-members-in-one-session.md.
 */
public final class TerminalSignals
{
    private static final Path SHELL = Path.of("/bin/sh");
    private static final Path BASH = Path.of("/bin/bash");
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    /** A JVM installs no handler of its own for an interrupt or a hang-up that is ignored when it starts. */
    private static final String IGNORE = "trap '' INT HUP TSTP TTIN TTOU; ";

    private TerminalSignals()
    {
    }

    /**
     * A command whose process ignores these signals, if its program sets no handlers for them. Its process id is that of the
     * process that is started.
     *
     * @param command program and arguments.
     * @return the same behind a shell that becomes it; unchanged where there is no shell.
     */
    public static List<String> ignoredBy(final List<String> command)
    {
        final List<String> words = new ArrayList<>();
        if (Files.isExecutable(SHELL))
        {
            words.addAll(List.of(SHELL.toString(), "-c", IGNORE + "exec \"$@\"", command.get(0)));
        }
        words.addAll(command);
        return words;
    }

    /**
     * A script in which each job in the background is out of the terminal's reach, whatever handlers it sets, and so is the
     * shell itself. Where there is no {@code bash} they are in a session of their own.
     *
     * @param script    in the language of a POSIX shell.
     * @param arguments of the script, from its name on.
     * @return what to start.
     */
    public static List<String> scriptOutOfReach(final String script, final List<String> arguments)
    {
        final List<String> words = new ArrayList<>();
        if (Files.isExecutable(BASH))
        {
            // With job control each job is a process group of its own; other shells want a terminal for that.
            words.addAll(List.of(BASH.toString(), "-c", IGNORE + "set -m\n" + script));
        }
        else
        {
            if (Files.isExecutable(SETSID))
            {
                words.add(SETSID.toString());
            }
            words.addAll(List.of(SHELL.toString(), "-c", script));
        }
        words.addAll(arguments);
        return words;
    }
}

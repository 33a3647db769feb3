package io.clusterecho.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts processes that ignore a terminal's signals: Ctrl-C, Ctrl-Z and hang-up.
 * <p>
 * They stay in the session of their parent. Linux divides the cores among sessions first and then among the threads of each
 * (sched_autogroup, see {@code man 7 sched}), and splits the weight of a session over the cores by where it has run. A member in
 * a separate session could then wait for tens of milliseconds on a core that it had seldom used, while threads of others
 * shared that core: docs/adr/0023-keep-members-in-one-session.md.
 */
public final class TerminalSignals
{
    private static final Path SHELL = Path.of("/bin/sh");
    private static final Path BASH = Path.of("/bin/bash");
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    /** A JVM does not install handlers for an interrupt or a hang-up that is ignored when it starts. */
    private static final String IGNORE = "trap '' INT HUP TSTP TTIN TTOU; ";

    private TerminalSignals()
    {
    }

    /**
     * A command whose process ignores these signals, unless its program sets handlers for them. It keeps the process id of the
     * started process. Unchanged if there is no shell.
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
     * A script in which the shell and each background job do not receive these signals, whatever handlers the jobs set. Without
     * {@code bash} they are in a separate session. The first argument is the name of the script.
     */
    public static List<String> shieldedScript(final String script, final List<String> arguments)
    {
        final List<String> words = new ArrayList<>();
        if (Files.isExecutable(BASH))
        {
            // With job control each job is a separate process group; other shells need a terminal for that.
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

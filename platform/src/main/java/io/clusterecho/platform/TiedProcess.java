package io.clusterecho.platform;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A program of others as a process that lives no longer than this one, however this one ends.
 * <pre>
 *   this process - pipe -&gt; shell - starts -&gt; program
 *                            |  a line on the pipe: SIGTERM; its end, as when this process is killed: SIGKILL
 * </pre>
 * None of them hears of Ctrl-C in a terminal: that is for this process, which closes what works with the program before the
 * program. Any thread may call; see docs/adr/0013-hang-a-driver-on-a-pipe.md.
 */
public final class TiedProcess implements AutoCloseable
{
    private static final String SHELL =
        "umask 077\n" +
        "exec 3<&0 < /dev/null\n" +
        "\"$@\" 3<&- &\n" +
        "program=$!\n" +
        // What the shell says of the ends of its jobs would stand behind the program's last words.
        "exec 2> /dev/null\n" +
        "( while read -r line; do kill -TERM \"$program\"; done; kill -KILL \"$program\" ) <&3 2> /dev/null &\n" +
        "guard=$!\n" +
        "exec 3<&-\n" +
        "wait \"$program\"\n" +
        "status=$?\n" +
        "kill -KILL \"$guard\" 2> /dev/null\n" +
        "exit \"$status\"\n";
    private static final int SIGNAL_STATUS = 128;
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int LAST_LINES = 5;

    private final Process process;
    private final String name;
    private final Consumer<String> log;
    private final Deque<String> lastLines = new ArrayDeque<>();
    private final Thread reader;

    private TiedProcess(final Process process, final String name, final Consumer<String> log)
    {
        this.process = process;
        this.name = name;
        this.log = log;
        reader = new Thread(this::read, "output of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Start a program.
     *
     * @param name      of it, for messages to a person.
     * @param command   program and arguments.
     * @param variables added to the environment.
     * @param log       told each line that it says, and what became of it; called by a thread of its own.
     * @return the process, which may have ended already.
     * @throws UncheckedIOException if there is no shell to start it.
     */
    public static TiedProcess start(
        final String name, final List<String> command, final Map<String, String> variables, final Consumer<String> log)
    {
        final List<String> arguments = new ArrayList<>(List.of("tied"));
        arguments.addAll(command);
        final ProcessBuilder builder =
            new ProcessBuilder(TerminalSignals.scriptOutOfReach(SHELL, arguments)).redirectErrorStream(true);
        builder.environment().putAll(variables);
        try
        {
            return new TiedProcess(builder.start(), name, log);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Whether it runs.
     *
     * @return false once it has ended.
     */
    public boolean isAlive()
    {
        return process.isAlive();
    }

    /**
     * Be told of its end, also when it has ended already.
     *
     * @param task run by a thread of its own.
     */
    public void onEnd(final Runnable task)
    {
        process.onExit().thenRun(task);
    }

    /**
     * Wait for its end, and say how it ended.
     *
     * @return its name, exit code or signal, and its last words.
     */
    public String describeEnd()
    {
        try
        {
            final int status = process.waitFor();
            reader.join(TimeUnit.NANOSECONDS.toMillis(STOP_TIMEOUT_NS));
            return name + " ended, " +
                (status > SIGNAL_STATUS ? "signal " + (status - SIGNAL_STATUS) : "exit code " + status) + lastWords();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return name + " ended";
        }
    }

    /**
     * What it said last.
     *
     * @return to be put behind other words; empty if it said nothing.
     */
    public String lastWords()
    {
        synchronized (lastLines)
        {
            return lastLines.isEmpty() ? "" : "; it said: " + String.join(" / ", lastLines);
        }
    }

    /**
     * Ask it to end, wait, and kill it if it takes too long.
     */
    @Override
    public void close()
    {
        if (!process.isAlive())
        {
            return;
        }

        try (OutputStream orders = process.getOutputStream())
        {
            orders.write('\n');
            orders.flush();
            if (!process.waitFor(STOP_TIMEOUT_NS, TimeUnit.NANOSECONDS))
            {
                log.accept(name + " did not stop in time and is killed");
            }
        }
        catch (final IOException ex)
        {
            log.accept(name + " ended before it was asked to stop");
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }

        try
        {
            // The end of the orders kills it, if it still runs.
            process.waitFor();
            // What it said last belongs before the last words of this process.
            reader.join(TimeUnit.NANOSECONDS.toMillis(STOP_TIMEOUT_NS));
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void read()
    {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), ISO_8859_1)))
        {
            for (String line = lines.readLine(); null != line; line = lines.readLine())
            {
                synchronized (lastLines)
                {
                    lastLines.addLast(line.trim());
                    if (lastLines.size() > LAST_LINES)
                    {
                        lastLines.removeFirst();
                    }
                }
                log.accept(line);
            }
        }
        catch (final IOException ex)
        {
            log.accept("what " + name + " says can no longer be read: " + ex);
        }
    }
}

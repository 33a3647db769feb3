package io.clusterecho.node.driver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.clusterecho.platform.TerminalSignals;
import io.clusterecho.settings.InvalidSettingException;

import org.agrona.IoUtil;
import org.agrona.concurrent.AgentInvoker;

/**
 * A driver as a process of its own, which lives no longer than this one, however this one ends.
 * <pre>
 *   this process - pipe -&gt; shell - starts -&gt; driver
 *                            |  a line on the pipe: SIGTERM; its end, as when this process is killed: SIGKILL
 * </pre>
 * None of them hears of Ctrl-C in a terminal: that is for this process, which closes what works with the driver before the
 * driver.
 */
final class DriverProcess implements Driver
{
    private static final String SHELL =
        "umask 077\n" +
        "exec 3<&0 < /dev/null\n" +
        "\"$@\" 3<&- &\n" +
        "driver=$!\n" +
        // What the shell says of the ends of its jobs would stand behind the driver's last words.
        "exec 2> /dev/null\n" +
        "( while read -r line; do kill -TERM \"$driver\"; done; kill -KILL \"$driver\" ) <&3 2> /dev/null &\n" +
        "guard=$!\n" +
        "exec 3<&-\n" +
        "wait \"$driver\"\n" +
        "status=$?\n" +
        "kill -KILL \"$guard\" 2> /dev/null\n" +
        "exit \"$status\"\n";
    private static final int SIGNAL_STATUS = 128;
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int LAST_LINES = 5;

    private final Process process;
    private final List<String> command;
    private final Path folder;
    private final Consumer<String> log;
    private final Deque<String> lastLines = new ArrayDeque<>();
    private final Thread reader = new Thread(this::read, "driver-output");
    private volatile boolean isClosed;

    private DriverProcess(
        final Process process, final List<String> command, final Path folder, final Consumer<String> log)
    {
        this.process = process;
        this.command = command;
        this.folder = folder;
        this.log = log;
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Start a driver and wait until it works.
     *
     * @param plan       with the command.
     * @param variables  added to the environment.
     * @param folderName that the driver makes; one that a dead driver left is deleted.
     * @param log        told what the driver says.
     * @param onEnd      told why it ended, unless it was closed.
     * @return the driver.
     */
    static DriverProcess start(
        final DriverPlan plan,
        final Map<String, String> variables,
        final String folderName,
        final Consumer<String> log,
        final Consumer<String> onEnd)
    {
        final Path folder = Path.of(folderName);
        // Else the file of a dead driver could be taken for the new one's.
        IoUtil.delete(folder.toFile(), true);
        final List<String> arguments = new ArrayList<>(List.of("driver"));
        arguments.addAll(plan.command());
        final ProcessBuilder builder =
            new ProcessBuilder(TerminalSignals.scriptOutOfReach(SHELL, arguments)).redirectErrorStream(true);
        builder.environment().putAll(variables);
        final DriverProcess driver;
        try
        {
            driver = new DriverProcess(builder.start(), plan.command(), folder, log);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }

        try
        {
            driver.awaitReady();
        }
        catch (final RuntimeException ex)
        {
            driver.close();
            throw ex;
        }
        driver.process.onExit().thenAccept((ended) -> driver.tellEnd(onEnd));
        return driver;
    }

    private void awaitReady()
    {
        final long deadlineNs = System.nanoTime() + START_TIMEOUT_NS;
        Optional<DriverFile> file = DriverFile.read(folder);
        while (file.isEmpty())
        {
            if (!process.isAlive())
            {
                throw new InvalidSettingException(describeEnd());
            }
            if (System.nanoTime() - deadlineNs > 0 || Thread.currentThread().isInterrupted())
            {
                throw new InvalidSettingException(
                    "the media driver " + String.join(" ", command) + " made no CnC file in " + folder + " within " +
                    TimeUnit.NANOSECONDS.toSeconds(START_TIMEOUT_NS) + " s" + lastWords());
            }
            LockSupport.parkNanos(POLL_NS);
            file = DriverFile.read(folder);
        }

        file.get().checkVersion(String.join(" ", command));
        DriverFile.claim(folder);
    }

    private void tellEnd(final Consumer<String> onEnd)
    {
        if (!isClosed)
        {
            onEnd.accept(describeEnd());
        }
    }

    private String describeEnd()
    {
        try
        {
            final int status = process.waitFor();
            reader.join(TimeUnit.NANOSECONDS.toMillis(STOP_TIMEOUT_NS));
            return "the media driver " + String.join(" ", command) + " ended, " +
                (status > SIGNAL_STATUS ? "signal " + (status - SIGNAL_STATUS) : "exit code " + status) + lastWords();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return "the media driver " + String.join(" ", command) + " ended";
        }
    }

    private String lastWords()
    {
        synchronized (lastLines)
        {
            return lastLines.isEmpty() ? "" : "; it said: " + String.join(" / ", lastLines);
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
            log.accept("what the media driver says can no longer be read: " + ex);
        }
    }

    @Override
    public AgentInvoker invoker()
    {
        return null;
    }

    @Override
    public void close()
    {
        isClosed = true;
        if (process.isAlive())
        {
            stop();
        }
        IoUtil.delete(folder.toFile(), true);
    }

    private void stop()
    {
        try (OutputStream orders = process.getOutputStream())
        {
            orders.write('\n');
            orders.flush();
            if (!process.waitFor(STOP_TIMEOUT_NS, TimeUnit.NANOSECONDS))
            {
                log.accept("the media driver did not stop in time and is killed");
            }
        }
        catch (final IOException ex)
        {
            log.accept("the media driver ended before it was asked to stop");
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
}

package io.clusterecho.client.transport.udp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.clusterecho.client.load.Idle;
import io.clusterecho.client.transport.NotConnectedException;
import io.clusterecho.platform.TerminalSignals;

/**
 * A {@link UdpEcho} in a process of its own, from the code that runs here. One thread calls all methods.
 */
public final class EchoProcess implements AutoCloseable
{
    private static final long STOP_TIMEOUT_MS = 2_000;

    private final Process process;
    private final int port;

    private EchoProcess(final Process process, final int port)
    {
        this.process = process;
        this.port = port;
    }

    /**
     * Start one and wait until it is ready.
     *
     * @param idle what its thread does while no datagram is there.
     * @return the process.
     * @throws NotConnectedException with what it said, if it cannot be started.
     */
    public static EchoProcess start(final Idle idle)
    {
        final List<String> command = command(idle);
        try
        {
            // Ctrl-C is for the process that measures, which still wants its replies.
            final Process process = new ProcessBuilder(TerminalSignals.ignoredBy(command))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
            // Not closed: that would close the process's output under it.
            final BufferedReader said =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            final String line = said.readLine();
            if (null == line || !line.startsWith(UdpEcho.READY))
            {
                process.destroyForcibly();
                throw new NotConnectedException("the process that echoes did not start: " + command + " said " + line, null);
            }

            return new EchoProcess(process, Integer.parseInt(line.substring(UdpEcho.READY.length())));
        }
        catch (final IOException ex)
        {
            throw new NotConnectedException("the process that echoes cannot be started: " + command, ex);
        }
    }

    /**
     * Where it echoes.
     *
     * @return UDP port on loopback.
     */
    public int port()
    {
        return port;
    }

    /**
     * The process itself.
     *
     * @return its id.
     */
    public long pid()
    {
        return process.pid();
    }

    @Override
    public void close()
    {
        try
        {
            process.getOutputStream().close();
            if (!process.waitFor(STOP_TIMEOUT_MS, TimeUnit.MILLISECONDS))
            {
                process.destroyForcibly().waitFor();
            }
        }
        catch (final IOException ex)
        {
            process.destroyForcibly();
        }
        catch (final InterruptedException ex)
        {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static List<String> command(final Idle idle)
    {
        final List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:-UsePerfData"));
        // What a jar opens by its manifest a class path opens by the flags that this process was given.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter((argument) -> argument.startsWith("--add-")).forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), UdpEcho.class.getName(), idle.name()));
        return command;
    }
}

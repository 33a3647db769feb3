package io.clusterecho.node.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Programs of the host that are asked what Java cannot be.
 */
@FunctionalInterface
interface Commands
{
    /**
     * What a program answered.
     *
     * @param exitCode of it.
     * @param text     both of its outputs.
     */
    record Answer(int exitCode, String text)
    {
    }

    /**
     * Ask a program.
     *
     * @param command line of it.
     * @return its answer, or empty if it is not installed or does not end.
     */
    Optional<Answer> ask(List<String> command);

    /**
     * Those of this machine, for ten seconds each at most.
     */
    static Commands ofThisMachine()
    {
        return Commands::run;
    }

    private static Optional<Answer> run(final List<String> command)
    {
        final Process process;
        try
        {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        }
        catch (final IOException ex)
        {
            return Optional.empty();
        }

        try
        {
            process.getOutputStream().close();
            // It says a few lines: they fit into the pipe.
            if (!process.waitFor(10, TimeUnit.SECONDS))
            {
                return Optional.empty();
            }
            return Optional.of(
                new Answer(process.exitValue(), new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)));
        }
        catch (final IOException ex)
        {
            return Optional.empty();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
        finally
        {
            process.destroyForcibly();
        }
    }
}

package io.clusterecho.reporting.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import io.clusterecho.testing.Need;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A small file system in memory. Mounting it needs root. */
public final class SmallMount implements BeforeEachCallback, AfterEachCallback
{
    private final String size;
    private Path path;
    private boolean isMounted;

    /** @param size in the format of {@code mount}, in pages of 4 KiB. */
    public SmallMount(final String size)
    {
        this.size = size;
    }

    public Path path()
    {
        return path;
    }

    @Override
    public void beforeEach(final ExtensionContext context) throws IOException, InterruptedException
    {
        path = Files.createTempDirectory("small-mount");
        final String problem = run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", path.toString());
        isMounted = problem.isEmpty();
        Need.ROOT.check(isMounted, "a small file system cannot be mounted here: " + problem);
    }

    @Override
    public void afterEach(final ExtensionContext context) throws IOException, InterruptedException
    {
        if (isMounted)
        {
            assertThat(run("umount", path.toString())).isEmpty();
        }
        Files.deleteIfExists(path);
    }

    /** @return error message, empty if there was no error. */
    private static String run(final String... command) throws IOException, InterruptedException
    {
        final Process process;
        try
        {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        }
        catch (final IOException ex)
        {
            return ex.toString();
        }
        final String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        final int status = process.waitFor();
        return 0 == status ? "" : command[0] + " ended with " + status + ": " + said;
    }
}

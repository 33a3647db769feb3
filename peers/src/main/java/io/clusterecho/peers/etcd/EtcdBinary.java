package io.clusterecho.peers.etcd;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.Launch;

/** The {@code etcd} program of this machine. */
final class EtcdBinary
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final String PREFIX = "etcd Version: ";
    private static final String UNKNOWN = "of unknown version";

    private EtcdBinary()
    {
    }

    /**
     * Version of a program.
     *
     * @return the version, or a text that it is unknown.
     */
    static String version(final Path binary)
    {
        final List<String> lines = new ArrayList<>();
        try (ChildProcess process = new Launch("etcd", List.of(binary.toString(), "--version")).output(lines::add).start())
        {
            process.awaitEnd(TIMEOUT_NS);
        }
        catch (final UncheckedIOException ex)
        {
            return UNKNOWN;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return UNKNOWN;
        }

        return lines.stream().filter((line) -> line.startsWith(PREFIX))
            .map((line) -> line.substring(PREFIX.length()).trim()).findFirst().orElse(UNKNOWN);
    }
}

package io.clusterecho.client.witness;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.clusterecho.platform.WaitClock;
import io.clusterecho.process.ChildProcess;
import io.clusterecho.process.Launch;
import io.clusterecho.settings.InvalidSettingException;

/**
 * A tcpdump that captures all UDP datagrams of an interface into a file, with stamps of the kernel in ns. One thread calls all
 * methods.
 */
final class Tcpdump implements AutoCloseable
{
    private static final String NAME = "tcpdump";
    private static final List<String> ADMIN_FOLDERS = List.of("/usr/sbin", "/sbin");
    private static final String READY = "listening on ";
    private static final Pattern DROPPED = Pattern.compile("([0-9]+) packets? dropped by kernel");
    private static final long START_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long STOP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    /** The kernel hands over a block of packets after a second at the latest. */
    private static final long LAST_PACKETS_NS = TimeUnit.MILLISECONDS.toNanos(1_500);
    private static final int BUFFER_KIB = 65_536;

    private final ChildProcess process;
    private final StringBuffer errors;

    private Tcpdump(final ChildProcess process, final StringBuffer errors)
    {
        this.process = process;
        this.errors = errors;
    }

    /**
     * Find the program.
     *
     * @throws InvalidSettingException if it is neither on the PATH nor in the folders of administration programs.
     */
    static Path find()
    {
        return find(Stream.concat(
            Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)), ADMIN_FOLDERS.stream())
            .filter((folder) -> !folder.isEmpty()).map(Path::of).toList());
    }

    static Path find(final List<Path> folders)
    {
        return folders.stream().map((folder) -> folder.resolve(NAME))
            .filter((file) -> Files.isRegularFile(file) && Files.isExecutable(file)).findFirst().orElseThrow(() ->
                new InvalidSettingException("nothing was witnessed: tcpdump is not installed; see docs/MEASURING.md, Witnesses"));
    }

    /**
     * Start a capture and wait until it has begun.
     *
     * @param program     that was found.
     * @param interfaceTo capture, or {@code any}.
     * @throws InvalidSettingException if it cannot capture, with its reason.
     */
    static Tcpdump start(final Path program, final String interfaceTo, final Path file)
    {
        final CompletableFuture<Boolean> ready = new CompletableFuture<>();
        final StringBuffer errors = new StringBuffer();
        final ChildProcess process = new Launch(NAME, command(program, interfaceTo, file)).tied()
            .errors((line) ->
            {
                errors.append(line).append('\n');
                if (line.contains(READY))
                {
                    ready.complete(true);
                }
            })
            .stopTimeoutNs(STOP_TIMEOUT_NS).start();
        process.onEnd((end) -> ready.complete(false));
        final WaitClock clock = WaitClock.SYSTEM;
        if (clock.await(ready, clock.nanoTime() + START_TIMEOUT_NS) && ready.join())
        {
            return new Tcpdump(process, errors);
        }
        process.kill();
        throw new InvalidSettingException(
            "nothing was witnessed: tcpdump cannot capture: " + process.describeEnd() + "; it needs root or CAP_NET_RAW");
    }

    /**
     * Its command line. As root it keeps its user, which owns the folder of the result.
     */
    private static List<String> command(final Path program, final String interfaceTo, final Path file)
    {
        final Stream<String> user = "root".equals(System.getProperty("user.name")) ? Stream.of("-Z", "root") : Stream.of();
        return Stream.concat(
            Stream.of(
                program.toString(), "-i", interfaceTo, "-n", "--time-stamp-precision=nano", "-B", String.valueOf(BUFFER_KIB)),
            Stream.concat(user, Stream.of("-w", file.toString(), "udp"))).toList();
    }

    /**
     * Wait for the last packets, and end the capture.
     *
     * @return packets that the kernel dropped because tcpdump did not keep up; empty if it does not say.
     */
    Optional<Long> stop()
    {
        final WaitClock clock = WaitClock.SYSTEM;
        final long deadlineNs = clock.nanoTime() + LAST_PACKETS_NS;
        while (deadlineNs - clock.nanoTime() > 0 && !Thread.currentThread().isInterrupted())
        {
            clock.park(deadlineNs - clock.nanoTime());
        }
        process.close();
        // Waits for its last output.
        process.describeEnd();
        return Optional.of(DROPPED.matcher(errors)).filter(Matcher::find).map((found) -> Long.valueOf(found.group(1)));
    }

    @Override
    public void close()
    {
        process.close();
    }
}

package io.clusterecho.client.results;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

import io.clusterecho.settings.InvalidSettingException;

import org.HdrHistogram.Histogram;

/**
 * The folder of one run, {@code <time>-<label>} below a folder of results. It is made before the run begins, so that a run
 * whose results cannot be kept does not start.
 */
public final class ResultFolder
{
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);
    private static final double NS_PER_US = 1000.0;
    private static final int TICKS_PER_HALF_DISTANCE = 5;

    private static final String HOSTS = "hosts";

    private final Path path;

    private ResultFolder(final Path path)
    {
        this.path = path;
    }

    /**
     * Make the folder of a new run.
     *
     * @param parent of all results.
     * @param label  of the run: letters, digits, dot, dash and underscore.
     * @param start  of the run, in the folder's name in UTC.
     * @return the folder, new and empty.
     * @throws InvalidSettingException when it cannot be made or written.
     */
    public static ResultFolder create(final Path parent, final String label, final Instant start)
    {
        try
        {
            Files.createDirectories(parent);
            final String name = TIME.format(start) + "-" + label;
            for (int attempt = 1; ; attempt++)
            {
                final Path path = parent.resolve(1 == attempt ? name : name + "-" + attempt);
                if (!Files.exists(path))
                {
                    Files.createDirectory(path);
                    return new ResultFolder(path);
                }
            }
        }
        catch (final IOException ex)
        {
            throw new InvalidSettingException("--output", parent, "a folder that can be made and written (" + ex + ")");
        }
    }

    /**
     * A folder that is there already.
     *
     * @param path of it.
     * @return the folder.
     */
    public static ResultFolder at(final Path path)
    {
        return new ResultFolder(path);
    }

    /**
     * Where the folder is.
     *
     * @return its path.
     */
    public Path path()
    {
        return path;
    }

    /**
     * A folder within this one for what another host did.
     *
     * @param name of the host.
     * @return the folder {@code hosts/NAME}, made if it is not there.
     */
    public Path ofHost(final String name)
    {
        final Path folder = path.resolve(HOSTS).resolve(name);
        try
        {
            return Files.createDirectories(folder);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot make " + folder, ex);
        }
    }

    /**
     * Write a text file.
     *
     * @param name    in the folder.
     * @param content in UTF-8.
     */
    public void write(final String name, final String content)
    {
        try
        {
            Files.writeString(path.resolve(name), content, StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write " + path.resolve(name), ex);
        }
    }

    /**
     * Write a text file that may be there already: whenever the process or the machine dies, the file is as it was before or
     * as it is now.
     *
     * @param name    in the folder.
     * @param content in UTF-8.
     */
    public void replace(final String name, final String content)
    {
        final Path written = path.resolve(name + ".new");
        try
        {
            try (FileChannel channel = FileChannel.open(
                written, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING))
            {
                final ByteBuffer bytes = StandardCharsets.UTF_8.encode(content);
                while (bytes.hasRemaining())
                {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(written, path.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write " + path.resolve(name), ex);
        }
    }

    /**
     * Write a percentile distribution in microseconds that HdrHistogram's plotter reads.
     *
     * @param name      in the folder, ending in {@code .hgrm}.
     * @param histogram in ns.
     */
    public void writePercentiles(final String name, final Histogram histogram)
    {
        try (PrintStream out = new PrintStream(path.resolve(name).toFile(), StandardCharsets.UTF_8))
        {
            histogram.outputPercentileDistribution(out, TICKS_PER_HALF_DISTANCE, NS_PER_US);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("cannot write " + path.resolve(name), ex);
        }
    }
}

package io.clusterecho.reporting.results;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.function.Function;

import io.clusterecho.reporting.evidence.Disk;
import io.clusterecho.reporting.evidence.EvidenceFile;
import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Io;

import org.HdrHistogram.Histogram;
import org.agrona.IoUtil;

/**
 * The folder of one run, {@code <time>-<label>}, in a folder of results. It is created before the run begins, so that a run
 * whose results cannot be stored does not start.
 */
public record ResultFolder(Path path, Disk disk)
{
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);
    private static final double NS_PER_US = 1000.0;
    private static final int TICKS_PER_HALF_DISTANCE = 5;
    private static final String HOSTS = "hosts";

    /** Create the folder of a new run on the file system. */
    public static ResultFolder create(final Path parent, final String label, final Instant start)
    {
        return create(parent, label, start, Disk.FILE_SYSTEM);
    }

    /**
     * Create the folder of a new run on a given disk.
     *
     * @param label  of the run; characters other than letters, digits, dots, dashes and underscores become dashes in the name.
     * @throws InvalidSettingException if it cannot be created.
     */
    public static ResultFolder create(final Path parent, final String label, final Instant start, final Disk disk)
    {
        final Function<IOException, InvalidSettingException> failure = (ex) -> new InvalidSettingException(
            "--output", parent, "a folder that can be created and written (" + Cause.of(ex) + ")");
        return Io.call(failure, () ->
        {
            Files.createDirectories(parent);
            final String name = TIME.format(start) + "-" + slug(label);
            for (int attempt = 1; ; attempt++)
            {
                final Path path = parent.resolve(1 == attempt ? name : name + "-" + attempt);
                if (!Files.exists(path))
                {
                    Files.createDirectory(path);
                    return new ResultFolder(path, disk);
                }
            }
        });
    }

    private static String slug(final String label)
    {
        // In the C locale file names are ASCII.
        final boolean isEncodable =
            Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8")).newEncoder().canEncode(label);
        final String slug = label.replaceAll(isEncodable ? "[^\\p{L}\\p{M}\\p{N}._-]+" : "[^A-Za-z0-9._-]+", "-")
            .replaceAll("^-+|-+$", "");
        return slug.isEmpty() ? "run" : slug;
    }

    public static ResultFolder at(final Path path)
    {
        return new ResultFolder(path, Disk.FILE_SYSTEM);
    }

    /** Delete the folder with its contents, because nothing was measured. Failing to delete it is only reported. */
    public void discard()
    {
        IoUtil.delete(path.toFile(), true);
        if (Files.exists(path))
        {
            System.err.println("cannot delete the result folder " + path + "; it contains no measurement");
        }
    }

    /** The folder for results from another host, {@code hosts/NAME}; created if needed. */
    public Path ofHost(final String name)
    {
        return within(HOSTS + "/" + name).path;
    }

    /** A folder in this one, created if needed. */
    public ResultFolder within(final String name)
    {
        final Path folder = path.resolve(name);
        Io.run("cannot create " + folder, () -> Files.createDirectories(folder));
        return new ResultFolder(folder, disk);
    }

    /**
     * Open a file that grows during a run.
     *
     * @param name in the folder, with subfolders.
     * @param head text before the rows, with its line feeds.
     * @return the file; from now on it reports failures and does not throw.
     * @throws UncheckedIOException if it cannot be written; the message names the file.
     */
    public EvidenceFile evidence(final String name, final String head)
    {
        return new EvidenceFile(disk, path.resolve(name), name, head.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Write a text file atomically: if the disk, the process or the machine fails, the file has either its old content or all
     * of the new.
     *
     * @throws UncheckedIOException if it cannot be written; the message names the file.
     */
    public void write(final String name, final String content)
    {
        final byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        final Path file = path.resolve(name);
        final Path written = path.resolve(name + ".new");
        try
        {
            try (Disk.DiskFile out = disk.open(written))
            {
                out.append(bytes, bytes.length);
                out.force();
            }
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        catch (final IOException ex)
        {
            Io.orElse(false, () -> Files.deleteIfExists(written));
            throw new UncheckedIOException("cannot write " + file + ": " + ex.getMessage(), ex);
        }
    }

    /** The distribution of a histogram in ns, in microseconds, as HdrHistogram's plotter reads it. */
    public static String percentiles(final Histogram histogram)
    {
        final ByteArrayOutputStream content = new ByteArrayOutputStream();
        histogram.outputPercentileDistribution(
            new PrintStream(content, true, StandardCharsets.UTF_8), TICKS_PER_HALF_DISTANCE, NS_PER_US);
        return content.toString(StandardCharsets.UTF_8);
    }
}

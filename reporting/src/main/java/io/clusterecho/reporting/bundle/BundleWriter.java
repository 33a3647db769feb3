package io.clusterecho.reporting.bundle;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.settings.Cause;
import io.clusterecho.settings.InvalidSettingException;

/** Packs a result folder into a new zip archive. */
public final class BundleWriter
{
    /** Largest total length of the files in bytes. */
    static final long MAX_LENGTH = 2L << 30;

    private static final String OUTPUT = "--output";
    private static final double BYTES_PER_MB = 1e6;
    /** A folder may contain several documents: that of a test or of a search decides its kind. */
    private static final List<DocumentKind> BY_PRECEDENCE = List.of(
        DocumentKind.FAILOVER, DocumentKind.MAX_RATE, DocumentKind.SWEEP, DocumentKind.SUITE, DocumentKind.BASELINE,
        DocumentKind.CALIBRATION, DocumentKind.PING_PONG, DocumentKind.RUN, DocumentKind.AUDIT);

    private final Path folder;
    private final long maxLength;
    private final String name;

    private BundleWriter(final Path folder, final long maxLength)
    {
        this.folder = folder;
        this.maxLength = maxLength;
        name = folder.getFileName().toString();
    }

    /**
     * A bundle that was written.
     *
     * @param fileCount number of files in it, with {@code bundle.json}.
     */
    public record Written(Path file, String kind, int fileCount, long length)
    {
    }

    /**
     * Pack a folder with all its files.
     *
     * @param output archive to write, or null for the folder's name with {@code .zip}, in the current folder.
     * @throws InvalidSettingException if it is not a result folder, contains something other than files and folders or too many
     *                                 bytes, or if the archive exists or cannot be written.
     */
    public static Written write(final Path folder, final Path output)
    {
        return write(folder, output, MAX_LENGTH);
    }

    static Written write(final Path folder, final Path output, final long maxLength)
    {
        if (!Files.isDirectory(folder))
        {
            throw new InvalidSettingException("DIR", folder, "a result folder");
        }
        try
        {
            final BundleWriter writer = new BundleWriter(folder.toRealPath(), maxLength);
            return writer.write(null == output ? Path.of(writer.name + ".zip") : output);
        }
        catch (final IOException ex)
        {
            throw new InvalidSettingException("DIR", folder, "a readable folder (" + Cause.of(ex) + ")");
        }
    }

    private Written write(final Path output) throws IOException
    {
        final BundleDocument document = document();
        final List<Path> files = files();
        final Path parent = output.toAbsolutePath().normalize().getParent();
        if (Files.exists(output, LinkOption.NOFOLLOW_LINKS) || null == parent || !Files.isDirectory(parent))
        {
            throw new InvalidSettingException(OUTPUT, output, "a file that does not exist, in a folder that does");
        }

        final Path unfinished = output.resolveSibling(output.getFileName() + ".new");
        try
        {
            write(unfinished, document, files);
            Files.move(unfinished, output);
        }
        catch (final IOException ex)
        {
            Files.deleteIfExists(unfinished);
            throw new InvalidSettingException(OUTPUT, output, "a file that can be written (" + Cause.of(ex) + ")");
        }

        return new Written(output, document.kind(), files.size() + 1, Files.size(output));
    }

    private void write(final Path file, final BundleDocument document, final List<Path> files) throws IOException
    {
        try (ZipOutputStream zip = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(file))))
        {
            final Path marker = folder.resolve(kind().fileName());
            zip.putNextEntry(entry(BundleDocument.FILE_NAME, Files.getLastModifiedTime(marker)));
            zip.write(Documents.text(document).getBytes(StandardCharsets.UTF_8));
            for (final Path one : files)
            {
                zip.putNextEntry(entry(
                    folder.relativize(one).toString().replace(one.getFileSystem().getSeparator(), "/"),
                    Files.getLastModifiedTime(one)));
                Files.copy(one, zip);
            }
        }
    }

    /** In UTC, so that the archive does not depend on the time zone. */
    private ZipEntry entry(final String path, final FileTime modified)
    {
        final ZipEntry entry = new ZipEntry(name + "/" + path);
        entry.setTimeLocal(LocalDateTime.ofInstant(modified.toInstant(), ZoneOffset.UTC));
        return entry;
    }

    private List<Path> files() throws IOException
    {
        final List<Path> files = new ArrayList<>();
        long length = 0;
        try (Stream<Path> found = Files.walk(folder))
        {
            for (final Path path : (Iterable<Path>)found.sorted()::iterator)
            {
                if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) || path.equals(folder.resolve(BundleDocument.FILE_NAME)))
                {
                    continue;
                }
                if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS))
                {
                    throw new InvalidSettingException(
                        "DIR", folder, "a folder of files and folders only; " + folder.relativize(path) + " is neither");
                }
                files.add(path);
                length += Files.size(path);
            }
        }
        if (length > maxLength)
        {
            throw new InvalidSettingException("DIR", folder, String.format(
                Locale.ROOT, "at most %,.0f MB; its files have %,.0f MB, so bundle a part of it, such as one run",
                maxLength / BYTES_PER_MB, length / BYTES_PER_MB));
        }

        return files;
    }

    private DocumentKind kind()
    {
        final Optional<DocumentKind> kind = BY_PRECEDENCE.stream()
            .filter((one) -> Files.isRegularFile(folder.resolve(one.fileName()))).findFirst();
        return kind.orElseThrow(() -> new InvalidSettingException(
            "DIR", folder, "a result folder, which contains one of " +
            String.join(", ", Arrays.stream(DocumentKind.values()).map(DocumentKind::fileName).toList())));
    }

    private BundleDocument document()
    {
        final DocumentKind kind = kind();
        return Documents.read(folder, kind, List.of(), (own) ->
        {
            // A failover test and an audit leave the circumstances to the manifest of their load.
            final ObjectNode all = Files.isRegularFile(folder.resolve(DocumentKind.RUN.fileName())) ?
                (ObjectNode)Documents.read(folder, DocumentKind.RUN, List.of()) : JsonNodeFactory.instance.objectNode();
            all.setAll((ObjectNode)own);
            all.put("format", BundleDocument.FORMAT).put("kind", kind.word()).put("folder", name);
            return Documents.bind(all, BundleDocument.class);
        });
    }
}

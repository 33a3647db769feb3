package io.clusterecho.client.calibration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.settings.InvalidSettingException;

/**
 * A document from an earlier measurement.
 *
 * @param document as written, in a known format version.
 */
record Stored<D>(Path folder, Instant start, D document)
{
    /**
     * Read the document of a folder.
     *
     * @param requiredFields as JSON pointers, with that of the start.
     * @throws InvalidSettingException that names the file, if it cannot be read.
     */
    static <D> Stored<D> read(
        final Path folder, final DocumentKind kind, final List<String> requiredFields, final Class<D> type)
    {
        return Documents.read(folder, kind, requiredFields, (document) -> new Stored<>(
            folder, Instant.parse(document.path("start").asText()), Documents.bind(document, type)));
    }

    /**
     * Read the documents of a kind directly below a folder, the newest first.
     *
     * @param warning receives a message for each document that cannot be read and is skipped.
     */
    static <D> List<Stored<D>> newestFirst(
        final Path parent,
        final DocumentKind kind,
        final List<String> requiredFields,
        final Class<D> type,
        final Consumer<String> warning)
    {
        final List<Stored<D>> found = new ArrayList<>();
        for (final Path folder : folders(parent, kind))
        {
            try
            {
                found.add(read(folder, kind, requiredFields, type));
            }
            catch (final InvalidSettingException ex)
            {
                warning.accept(ex.getMessage() + "; skipped");
            }
        }
        found.sort(Comparator.<Stored<D>, Instant>comparing(Stored::start).reversed());
        return List.copyOf(found);
    }

    private static List<Path> folders(final Path parent, final DocumentKind kind)
    {
        if (!Files.isDirectory(parent))
        {
            return List.of();
        }
        try (Stream<Path> folders = Files.list(parent))
        {
            return folders.filter((folder) -> Files.isRegularFile(folder.resolve(kind.fileName()))).sorted().toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}

package io.clusterecho.reporting.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.settings.InvalidSettingException;

/** Reads the document of a bundle. Bundles come from others, so that nothing in one is unpacked or trusted. */
public final class BundleReader
{
    /** Largest length of {@code bundle.json} in bytes. */
    static final int MAX_DOCUMENT_LENGTH = 1 << 20;

    private BundleReader()
    {
    }

    /**
     * Read the document.
     *
     * @param option that named it, for messages.
     * @throws InvalidSettingException if it is not a bundle, or has an entry outside its folder.
     */
    public static BundleDocument read(final Path file, final String option)
    {
        try (ZipFile zip = new ZipFile(file.toFile(), StandardCharsets.UTF_8))
        {
            final List<? extends ZipEntry> entries = zip.stream().toList();
            for (final ZipEntry entry : entries)
            {
                if (isOutside(entry.getName()))
                {
                    throw new InvalidSettingException(
                        option, file, "a bundle, whose files are below one folder; '" + entry.getName() + "' is not");
                }
            }
            final List<? extends ZipEntry> documents =
                entries.stream().filter((entry) -> entry.getName().matches("[^/]+/bundle\\.json")).toList();
            if (1 != documents.size())
            {
                throw new InvalidSettingException(
                    option, file, "a bundle, which contains one bundle.json; this archive has " + documents.size());
            }
            try (InputStream in = zip.getInputStream(documents.get(0)))
            {
                final byte[] content = in.readNBytes(MAX_DOCUMENT_LENGTH + 1);
                if (content.length > MAX_DOCUMENT_LENGTH)
                {
                    throw new InvalidSettingException(
                        option, file, "a bundle whose bundle.json has at most " + MAX_DOCUMENT_LENGTH + " bytes");
                }
                return Documents.bind(
                    Documents.checked(
                        Documents.parse(new String(content, StandardCharsets.UTF_8)), BundleDocument.FORMAT, List.of()),
                    BundleDocument.class);
            }
        }
        catch (final IOException | IllegalArgumentException ex)
        {
            throw new InvalidSettingException(
                option, file,
                "a bundle that can be read (" + (ex instanceof IOException ? ex.toString() : ex.getMessage()) + ")");
        }
    }

    private static boolean isOutside(final String name)
    {
        return name.startsWith("/") || name.contains("\\") || name.matches("[A-Za-z]:.*") ||
            Arrays.asList(name.split("/")).contains("..");
    }
}

package io.clusterecho.reporting.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

import io.clusterecho.reporting.document.Documents;
import io.clusterecho.settings.InvalidSettingException;

/**
 * {@code bundle.json} in a bundle: how the result was made. All values are those of the result's own documents; a null is not
 * in them. Bundles come from others, so that nothing in one is unpacked or trusted.
 *
 * @param format        {@value #FORMAT}.
 * @param kind          of the result, such as {@code run} or {@code max-rate}.
 * @param folder        of the archive that contains the files of the result.
 * @param commandLine   that made the result, without secrets.
 * @param configuration every option with its effective value.
 */
public record BundleDocument(
    String format, String label, String kind, String folder, String commandLine, Map<String, String> configuration,
    Map<String, String> cluster, Map<String, String> versions, Map<String, String> machine)
{
    public static final String FORMAT = "cluster-echo-bundle/1";
    public static final String FILE_NAME = "bundle.json";

    /** Largest length of {@code bundle.json} in bytes. */
    static final int MAX_LENGTH = 1 << 20;

    /**
     * Read that of a bundle.
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
                final byte[] content = in.readNBytes(MAX_LENGTH + 1);
                if (content.length > MAX_LENGTH)
                {
                    throw new InvalidSettingException(
                        option, file, "a bundle whose bundle.json has at most " + MAX_LENGTH + " bytes");
                }
                return Documents.bind(
                    Documents.checked(
                        Documents.parse(new String(content, StandardCharsets.UTF_8)), FORMAT, List.of()),
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

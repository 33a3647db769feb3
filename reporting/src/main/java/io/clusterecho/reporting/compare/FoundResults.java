package io.clusterecho.reporting.compare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.clusterecho.reporting.foreign.ForeignResult;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.settings.InvalidSettingException;

/**
 * What is in and up to four levels below folders.
 *
 * @param foreign    files of other load generators.
 * @param unfinished folders of runs whose process ended before it wrote a manifest.
 */
record FoundResults(SortedSet<Path> finished, SortedSet<Path> foreign, SortedSet<Path> unfinished)
{
    private static final int DEPTH = 5;

    /**
     * @param place     of the results, for messages.
     * @throws InvalidSettingException if a folder has none or cannot be read; the message names it.
     */
    static FoundResults in(
        final String place, final List<Path> folders, final List<DocumentKind> kinds, final boolean isForeign)
    {
        final FoundResults found = new FoundResults(new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        for (final Path folder : folders)
        {
            InvalidSettingException.throwIf(
                !Files.isDirectory(folder) && !(isForeign && Files.isRegularFile(folder) && ForeignResult.isOne(folder)),
                folder + " is not a folder; allowed: the folder of a result, or one with results up to four levels below" +
                (isForeign ? ", or a file NAME.hdr of aeron-io/benchmarks" : ""));
            InvalidSettingException.throwIf(
                !found.collect(folder, kinds, isForeign),
                folder + " adds no result to " + place + ": neither the folder nor one below it contains a " +
                kinds.stream().map(DocumentKind::fileName).collect(Collectors.joining(" or ")) +
                (isForeign ? " or NAME.hdr" : "") + " that is not yet in it");
        }
        return found;
    }

    /** @return whether a folder has any that were not yet found. */
    private boolean collect(final Path parent, final List<DocumentKind> kinds, final boolean isForeign)
    {
        boolean isAny = false;
        try (Stream<Path> files = Files.find(parent, DEPTH, (path, attributes) -> attributes.isRegularFile()))
        {
            for (final Path file : files.map((one) -> one.toAbsolutePath().normalize()).toList())
            {
                final String name = file.getFileName().toString();
                if (kinds.stream().anyMatch((kind) -> kind.fileName().equals(name)))
                {
                    isAny |= finished.add(file.getParent());
                }
                else if (FileNames.INTERVALS.equals(name) && FileNames.isUnfinished(file.getParent()))
                {
                    isAny |= unfinished.add(file.getParent());
                }
                // A file that combines several runs is not a sample, unless it is named explicitly.
                else if (isForeign && ForeignResult.isOne(file) &&
                    (!ForeignResult.isCombined(file) || file.equals(parent.toAbsolutePath().normalize())))
                {
                    isAny |= foreign.add(file);
                }
            }
            return isAny;
        }
        catch (final IOException | UncheckedIOException ex)
        {
            throw new InvalidSettingException(parent + " cannot be read: " + ex);
        }
    }
}

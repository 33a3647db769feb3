package io.clusterecho.reporting.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.clusterecho.reporting.document.StoredManifest;
import io.clusterecho.reporting.foreign.ForeignResult;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.reporting.results.FileNames;
import io.clusterecho.settings.InvalidSettingException;

/**
 * Runs made under the same conditions. Their starts form one sample: runs of one start are not independent of one another.
 *
 * @param name       of the set: A or B.
 * @param runs       found, ordered by start.
 * @param unfinished folders of runs whose process ended before it wrote a manifest.
 */
record RunSet(String name, List<Path> folders, List<ComparedRun> runs, List<Path> unfinished)
{
    private static final int DEPTH = 5;

    /**
     * Find the runs in and below folders.
     *
     * @param folders each the folder of a run, a foreign result, or a folder that contains such ones up to four levels below.
     * @return the set, with at least one folder of a run.
     * @throws InvalidSettingException if a folder contains no run or cannot be read; the message names it.
     */
    static RunSet find(final String name, final List<Path> folders)
    {
        final SortedSet<Path> finished = new TreeSet<>();
        final SortedSet<Path> unfinished = new TreeSet<>();
        for (final Path folder : folders)
        {
            if (!Files.isDirectory(folder) && !(Files.isRegularFile(folder) && ForeignResult.isOne(folder)))
            {
                throw new InvalidSettingException(
                    folder + " is not a folder; allowed: the folder of a run, a folder that contains such folders, or a file " +
                    "NAME.hdr of aeron-io/benchmarks");
            }
            final int countBefore = finished.size() + unfinished.size();
            collect(folder, finished, unfinished);
            if (finished.size() + unfinished.size() == countBefore)
            {
                throw new InvalidSettingException(
                    folder + " adds no run to " + name + ": neither the folder nor one below it contains a manifest.json or " +
                    "NAME.hdr that is not yet in the set");
            }
        }

        final List<ComparedRun> runs = new ArrayList<>();
        final Map<Path, String> tags = new HashMap<>();
        for (final Path folder : finished)
        {
            if (ForeignResult.isOne(folder))
            {
                continue;
            }
            if (Files.exists(folder.resolve(DocumentKind.FAILOVER.fileName())))
            {
                throw new InvalidSettingException(
                    folder + " is a failover test; allowed: runs of a steady load (compare outages with report)");
            }
            runs.add(new ComparedRun(folder, StoredManifest.read(folder)));
        }
        for (final ForeignResult foreign : ForeignResult.read(finished.stream().filter(ForeignResult::isOne).toList()))
        {
            final Path file = foreign.files().get(0);
            if (tags.containsKey(file))
            {
                throw new InvalidSettingException(
                    file + " has the tags " + tags.get(file) + " and " + foreign.tag() +
                    "; allowed: one, as its series are not separate runs");
            }
            tags.put(file, foreign.tag());
            runs.add(new ComparedRun(file, foreign.manifest()));
        }
        runs.sort(Comparator.comparing(ComparedRun::start, Comparator.nullsFirst(Comparator.naturalOrder())));
        return new RunSet(name, folders, runs, List.copyOf(unfinished));
    }

    private static void collect(final Path parent, final SortedSet<Path> finished, final SortedSet<Path> unfinished)
    {
        try (Stream<Path> files = Files.find(parent, DEPTH, (path, attributes) -> attributes.isRegularFile()))
        {
            files.forEach((file) ->
            {
                final Path folder = file.toAbsolutePath().normalize().getParent();
                final String name = file.getFileName().toString();
                if (DocumentKind.RUN.fileName().equals(name))
                {
                    finished.add(folder);
                }
                else if (FileNames.INTERVALS.equals(name) && FileNames.isUnfinished(folder))
                {
                    unfinished.add(folder);
                }
                // A file that combines several runs is not a sample, unless it is named explicitly.
                else if (ForeignResult.isOne(file) && (!ForeignResult.isCombined(file) || file.equals(parent)))
                {
                    finished.add(file.toAbsolutePath().normalize());
                }
            });
        }
        catch (final IOException | java.io.UncheckedIOException ex)
        {
            throw new InvalidSettingException(parent + " cannot be read: " + ex);
        }
    }

    /** The runs of each start of the members; one that does not name its start has one of its own. */
    Collection<List<ComparedRun>> starts()
    {
        final Map<Object, List<ComparedRun>> starts = new LinkedHashMap<>();
        runs.forEach((run) -> starts.computeIfAbsent(
            null == run.memberStart() ? new Object() : run.memberStart(), (start) -> new ArrayList<>()).add(run));
        return starts.values();
    }

    int startCount()
    {
        return starts().size();
    }

    /** Number of runs that had members and do not name their start. */
    int unknownStartCount()
    {
        return (int)runs.stream().filter((run) -> null == run.memberStart() &&
            !"memory".equals(run.manifest().at("/configuration/transport").asText())).count();
    }

    /** Values of a metric: for each start the median of its runs. */
    double[] values(final Metric metric)
    {
        return starts().stream().mapToDouble((start) -> middle(
            start.stream().mapToDouble((run) -> metric.of(run.manifest())).sorted().toArray())).toArray();
    }

    /** Not the nearest rank, which of two values is the smaller: starts of two runs would seem faster than those of one. */
    private static double middle(final double[] sorted)
    {
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** How many runs and starts, in words. */
    String size()
    {
        final String words = runs.size() + (1 == runs.size() ? " run" : " runs");
        return unknownStartCount() > 0 ? words : words + " of " + startCount() + (1 == startCount() ? " start" : " starts");
    }
}

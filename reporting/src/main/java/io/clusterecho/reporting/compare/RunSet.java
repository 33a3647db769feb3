package io.clusterecho.reporting.compare;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;

import io.clusterecho.reporting.document.RunDocument;
import io.clusterecho.reporting.foreign.ForeignResult;
import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.text.Lines;

/**
 * Runs made under the same conditions. Their starts form one sample: runs of one start are not independent of one another.
 *
 * @param unfinished folders of runs whose process ended before it wrote a manifest.
 */
@JsonPropertyOrder({ "starts", "runs", "unfinished" })
record RunSet(
    @JsonIgnore String name, @JsonIgnore List<Path> folders, List<ComparedRun> runs,
    @JsonSerialize(contentUsing = ToStringSerializer.class) List<Path> unfinished)
{
    /** Runs of a point or level of a record over time. */
    RunSet(final String name, final List<ComparedRun> runs)
    {
        this(name, List.of(), runs, List.of());
    }

    /**
     * Find the runs and foreign results in, and up to four levels below, folders; at least one.
     *
     * @throws InvalidSettingException if a folder contains no run or cannot be read; the message names it.
     */
    static RunSet find(final String name, final List<Path> folders)
    {
        final FoundResults found = FoundResults.in(name, folders, List.of(DocumentKind.RUN), true);
        final List<ComparedRun> runs = new ArrayList<>();
        for (final Path folder : found.finished())
        {
            InvalidSettingException.throwIf(
                Files.exists(folder.resolve(DocumentKind.FAILOVER.fileName())),
                folder + " is a failover test; allowed: runs of a steady load (compare outages with report)");
            runs.add(new ComparedRun(folder, DocumentKind.RUN, RunDocument.read(folder)));
        }
        found.foreign().stream().map(ForeignResult::read)
            .forEach((foreign) -> runs.add(new ComparedRun(foreign.file(), DocumentKind.RUN, foreign.manifest())));
        runs.sort(Comparator.comparing(ComparedRun::start, Comparator.nullsFirst(Comparator.naturalOrder())));
        return new RunSet(name, folders, runs, List.copyOf(found.unfinished()));
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

    /** Number of starts for a document; null if a run does not name its own. */
    @JsonProperty("starts")
    Integer knownStartCount()
    {
        return unknownStartCount() > 0 ? null : startCount();
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
            start.stream().mapToDouble(metric::of).sorted().toArray())).toArray();
    }

    /** Not the nearest rank, which of two values is the smaller: starts of two runs would seem faster than those of one. */
    private static double middle(final double[] sorted)
    {
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    String size()
    {
        return Lines.plural(runs.size(), "run") +
            (unknownStartCount() > 0 ? "" : " of " + Lines.plural(startCount(), "start"));
    }
}

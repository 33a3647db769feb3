package io.clusterecho.reporting.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import io.clusterecho.reporting.results.DocumentKind;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;

/**
 * A record over time: what {@code trend --json} prints.
 *
 * @param groups   of comparable results; those with the most points of each kind first.
 * @param gate     the judgement of the newest point, or null if it was not asked for.
 */
@JsonPropertyOrder({ "format", "summary", "changeAlpha", "groups", "warnings", "notes", "gate" })
public record Trend(List<TrendGroup> groups, List<String> warnings, List<String> notes, TrendGate gate)
{
    /** Name and version of the format; the version is raised when a field changes its meaning or is removed. */
    private static final String FORMAT = "cluster-echo-trend/1";
    private static final int MAX_VALUE_LENGTH = 40;
    private static final List<DocumentKind> KINDS = List.of(DocumentKind.RUN, DocumentKind.MAX_RATE, DocumentKind.FAILOVER);

    /**
     * Read results and find changes.
     *
     * @throws InvalidSettingException if one is not a folder or has no result, if no result can be used, or a key is unknown.
     */
    public static Trend of(final List<Path> folders, final ComparisonPlan plan, final boolean isGate)
    {
        final TrendResults found = TrendResults.find(folders);
        Conditions.check(plan.allowed(), found.results());
        final List<String> warnings = new ArrayList<>(found.unreadable());
        final List<ComparedRun> used = new ArrayList<>();
        for (final ComparedRun result : found.results())
        {
            if (result.isGood() || plan.isFailedAllowed())
            {
                used.add(result);
            }
            else
            {
                warnings.add(
                    result + " is " + result.verdict() + " (" + result.reason() + ") and left out; --allow-failed includes it");
            }
        }
        if (used.isEmpty())
        {
            throw new InvalidSettingException(
                "the record has no good result: " + String.join("; ", warnings.subList(0, Math.min(3, warnings.size()))) +
                (warnings.size() > 3 ? "; and " + (warnings.size() - 3) + " more" : ""));
        }

        final List<TrendGroup> groups = groups(used, plan);
        return new Trend(groups, List.copyOf(warnings), found.notes(), isGate ? TrendGate.of(groups, found, plan) : null);
    }

    private static List<TrendGroup> groups(final List<ComparedRun> results, final ComparisonPlan plan)
    {
        final List<TrendGroup> groups = new ArrayList<>();
        for (final DocumentKind kind : KINDS)
        {
            final List<SortedMap<String, String>> conditions = new ArrayList<>();
            final List<List<ComparedRun>> members = new ArrayList<>();
            results.stream().filter((result) -> kind == result.kind()).forEach((result) ->
            {
                final SortedMap<String, String> of = Conditions.ofSeries(result, plan.allowed());
                int index = 0;
                while (index < conditions.size() && !Conditions.differing(List.of(conditions.get(index), of)).isEmpty())
                {
                    index++;
                }
                if (index == conditions.size())
                {
                    conditions.add(of);
                    members.add(new ArrayList<>());
                }
                of.forEach(conditions.get(index)::putIfAbsent);
                members.get(index).add(result);
            });

            final List<String> differing = Conditions.differing(conditions);
            final List<String> naming = naming(conditions, differing);
            final List<TrendGroup> ofKind = new ArrayList<>();
            for (int i = 0; i < members.size(); i++)
            {
                final SortedMap<String, String> values = new TreeMap<>();
                for (final String path : differing)
                {
                    values.put(path, conditions.get(i).getOrDefault(path, Conditions.NONE));
                }
                ofKind.add(TrendGroup.of(name(kind, values, naming), kind, values, members.get(i), plan.metrics()));
            }
            ofKind.sort(Comparator.comparingInt((TrendGroup group) -> -group.points().size())
                .thenComparing((group) -> group.points().get(0).start()));
            ofKind.stream().filter((group) -> !group.series().isEmpty()).forEach(groups::add);
        }
        return groups;
    }

    /** The first conditions that together give every group a name of its own. */
    private static List<String> naming(
        final List<SortedMap<String, String>> conditions, final List<String> differing)
    {
        final List<String> naming = new ArrayList<>();
        for (final String path : differing)
        {
            final List<String> more = Stream.concat(naming.stream(), Stream.of(path)).toList();
            if (nameCount(conditions, more) > nameCount(conditions, naming))
            {
                naming.add(path);
            }
        }
        return naming;
    }

    private static long nameCount(final List<SortedMap<String, String>> conditions, final List<String> naming)
    {
        return conditions.stream()
            .map((one) -> naming.stream().map((path) -> one.getOrDefault(path, Conditions.NONE)).toList()).distinct().count();
    }

    private static String name(final DocumentKind kind, final SortedMap<String, String> values, final List<String> naming)
    {
        final List<String> parts = naming.stream().map((path) ->
        {
            final String value = inWords(values.get(path));
            return path.replaceFirst("^(configuration|cluster|machine)\\.(echo\\.)?", "") + " " + (value.isEmpty() ? "none" :
                value.length() > MAX_VALUE_LENGTH ? value.substring(0, MAX_VALUE_LENGTH) + "..." : value);
        }).toList();
        return kind.word() + (parts.isEmpty() ? "" : ": " + String.join(", ", parts));
    }

    /** A time that a result records in ns, in its best unit. */
    private static String inWords(final String value)
    {
        return value.matches("[0-9]{1,18}ns") ?
            Quantity.formatNs(Long.parseLong(value.substring(0, value.length() - 2))).replace(" ", "") : value;
    }

    /** Whether the newest point is proven to be worse than the level before it, by enough to matter. */
    public boolean isRegression()
    {
        return null != gate && gate.isRegression();
    }

    /** Whether the newest point could not be judged because results are missing. */
    public boolean isRefused()
    {
        return null != gate && !gate.refusals().isEmpty();
    }

    @JsonProperty
    String format()
    {
        return FORMAT;
    }

    @JsonProperty
    double changeAlpha()
    {
        return TrendSeries.CHANGE_ALPHA;
    }

    @JsonProperty
    String summary()
    {
        final long changeCount = groups.stream().flatMap((group) -> group.series().stream())
            .mapToLong((one) -> one.changes().size()).sum();
        final long seriesCount = groups.stream().mapToLong((group) -> group.series().size()).sum();
        final long pointCount = groups.stream().mapToLong((group) -> group.points().size()).sum();
        final long resultCount =
            groups.stream().flatMap((group) -> group.points().stream()).mapToLong((point) -> point.results().size()).sum();
        return plural(resultCount, "result") + " in " + plural(pointCount, "point") + " (a commit on a day) and " +
            plural(groups.size(), "group") + " of comparable conditions: " + plural(changeCount, "change") + " of level in " +
            plural(seriesCount, "series");
    }

    static String plural(final long count, final String noun)
    {
        return count + " " + noun + (1 == count || noun.endsWith("s") ? "" : "s");
    }
}

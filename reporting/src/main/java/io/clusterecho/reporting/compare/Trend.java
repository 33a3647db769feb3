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
import io.clusterecho.reporting.results.JunitSuite;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.settings.Quantity;
import io.clusterecho.text.Lines;

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
    private static final String FORMAT = "cluster-echo-trend/2";
    private static final int MAX_VALUE_LENGTH = 40;
    private static final List<DocumentKind> KINDS = List.of(DocumentKind.RUN, DocumentKind.MAX_RATE, DocumentKind.FAILOVER);

    /** Results that were made under the same conditions, as far as each knows them. */
    private record Alike(SortedMap<String, String> conditions, List<ComparedRun> results)
    {
        String of(final String path)
        {
            return conditions.getOrDefault(path, Conditions.NONE);
        }
    }

    /** Read results and find changes; rejects what has no result, a record without a usable one, and an unknown key. */
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
        InvalidSettingException.throwIf(
            used.isEmpty(),
            "the record has no good result: " + String.join("; ", warnings.subList(0, Math.min(3, warnings.size()))) +
            (warnings.size() > 3 ? "; and " + (warnings.size() - 3) + " more" : ""));

        final List<TrendGroup> groups = groups(used, plan);
        return new Trend(groups, List.copyOf(warnings), found.notes(), isGate ? TrendGate.of(groups, found, plan) : null);
    }

    private static List<TrendGroup> groups(final List<ComparedRun> results, final ComparisonPlan plan)
    {
        final List<TrendGroup> groups = new ArrayList<>();
        for (final DocumentKind kind : KINDS)
        {
            final List<Alike> all = new ArrayList<>();
            results.stream().filter((result) -> kind == result.kind()).forEach((result) ->
            {
                final SortedMap<String, String> conditions = Conditions.ofSeries(result, plan.allowed());
                final Alike alike = all.stream()
                    .filter((one) -> Conditions.differing(List.of(one.conditions, conditions)).isEmpty()).findFirst()
                    .orElseGet(() -> new Alike(conditions, new ArrayList<>()));
                if (alike.results.isEmpty())
                {
                    all.add(alike);
                }
                conditions.forEach(alike.conditions::putIfAbsent);
                alike.results.add(result);
            });

            final List<String> differing = Conditions.differing(all.stream().map(Alike::conditions).toList());
            final List<String> naming = naming(all, differing);
            final List<TrendGroup> ofKind = new ArrayList<>();
            for (final Alike alike : all)
            {
                final SortedMap<String, String> values = new TreeMap<>();
                differing.forEach((path) -> values.put(path, alike.of(path)));
                ofKind.add(TrendGroup.of(name(kind, values, naming), kind, values, alike.results, plan.metrics()));
            }
            ofKind.sort(Comparator.comparingInt((TrendGroup group) -> -group.points().size())
                .thenComparing((group) -> group.points().get(0).start()));
            ofKind.stream().filter((group) -> !group.series().isEmpty()).forEach(groups::add);
        }
        return groups;
    }

    /** The first conditions that together give every group a name of its own. */
    private static List<String> naming(final List<Alike> all, final List<String> differing)
    {
        final List<String> naming = new ArrayList<>();
        for (final String path : differing)
        {
            final List<String> more = Stream.concat(naming.stream(), Stream.of(path)).toList();
            if (nameCount(all, more) > nameCount(all, naming))
            {
                naming.add(path);
            }
        }
        return naming;
    }

    private static long nameCount(final List<Alike> all, final List<String> naming)
    {
        return all.stream().map((one) -> naming.stream().map(one::of).toList()).distinct().count();
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
        return TrendGroup.CHANGE_ALPHA;
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
        return Lines.plural(resultCount, "result") + " in " + Lines.plural(pointCount, "point") + " (a commit on a day) and " +
            Lines.plural(groups.size(), "group") + " of comparable conditions: " + Lines.plural(changeCount, "change") +
            " of level in " + Lines.plural(seriesCount, "series");
    }

    /** As JUnit XML: a case for whether the newest commit can be judged, and one for each metric of each group. */
    public String junit()
    {
        final JunitSuite suite =
            new JunitSuite("trend", 0).judgeable("results are complete", gate.refusals(), summary());
        gate.judged().forEach((one) -> suite.judged(
            one.group() + ", " + one.change().metric().name(),
            null != one.undecided() || gate.refusals().isEmpty() ? one.undecided() : gate.summary(), one.worse(),
            one.sentence()));
        return suite.xml();
    }

    /** As text for a person, or as Markdown: what changed in each group of several points. Page and JSON have the points. */
    public String text(final boolean isMarkdown)
    {
        final Sheet sheet = new Sheet(isMarkdown, null == gate ? summary() : gate.summary());
        if (null != gate)
        {
            sheet.remarks("record", List.of(summary())).remarks("refused", gate.refusals());
        }
        sheet.remarks("warning", warnings).remarks("note", notes);
        final List<TrendGroup> several = groups.stream().filter((group) -> group.points().size() > 1).toList();
        several.forEach((group) ->
            sheet.heading(group.name()).entries(group.series().stream().map(TrendGroup.Series::sentence).toList()));
        if (several.size() < groups.size())
        {
            sheet.heading("groups of a single point, without a trend yet:").entries(
                groups.stream().filter((group) -> group.points().size() <= 1).map(TrendGroup::name).toList());
        }
        if (null != gate && !gate.judged().isEmpty())
        {
            final boolean isOne = 1 == gate.judged().stream().map(TrendGate.Judged::group).distinct().count();
            sheet.heading("commit " + gate.commit() + " against the level before it:").entries(gate.judged().stream()
                .map((one) -> (isOne ? "" : "[" + one.group() + "] ") + one.sentence()).toList());
        }
        return sheet.with(Lines.text(
            "A series without a change has one in at most %.0f%% of cases, if its points are independent.",
            100 * TrendGroup.CHANGE_ALPHA));
    }
}

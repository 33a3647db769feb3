package io.clusterecho.reporting.compare;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;

import io.clusterecho.reporting.compare.Conditions.Difference;
import io.clusterecho.reporting.foreign.ForeignResult;
import io.clusterecho.reporting.results.JunitSuite;
import io.clusterecho.reporting.results.Verdict;
import io.clusterecho.settings.InvalidSettingException;
import io.clusterecho.text.Lines;
import io.clusterecho.text.TextTable;

/**
 * Comparison of two sets of runs: what {@code compare --json} prints.
 *
 * @param a           first set, the reference.
 * @param differences between and within the sets, allowed or not.
 * @param refusals    why the sets cannot be compared, a sentence each; empty if they can.
 * @param isTooFew    whether they cannot be compared only because there are too few starts.
 * @param changes     one for each metric; with too few starts, medians without a verdict; none if the sets cannot be compared for
 *                    another reason.
 */
@JsonPropertyOrder({ "format", "outcome", "summary", "plan", "a", "b", "differences", "refusals", "notes", "changes" })
public record Comparison(
    @JsonUnwrapped ComparisonPlan plan,
    RunSet a,
    RunSet b,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Difference> differences,
    List<String> refusals,
    @JsonIgnore boolean isTooFew,
    List<String> notes,
    List<Change> changes)
{
    /** Name and version of the format; the version is raised when a field changes its meaning or is removed. */
    private static final String FORMAT = "cluster-echo-comparison/1";

    /**
     * Compare the runs in and below two sets of folders; the comparison may refuse them.
     *
     * @throws InvalidSettingException if a folder contains no run, a run cannot be read, or a key is unknown.
     */
    public static Comparison of(final List<Path> foldersOfA, final List<Path> foldersOfB, final ComparisonPlan plan)
    {
        return of(RunSet.find("A", foldersOfA), RunSet.find("B", foldersOfB), plan);
    }

    static Comparison of(final RunSet a, final RunSet b, final ComparisonPlan asked)
    {
        final ComparisonPlan plan = asked.statedIn(a, b);
        final List<String> refusals = refusals(a, b, plan);
        final boolean isTooFew = Change.isTooFew(a.startCount(), b.startCount(), plan.strictestAlpha());
        final boolean isShown = refusals.isEmpty() && !a.runs().isEmpty() && !b.runs().isEmpty();
        if (isTooFew)
        {
            refusals.add(tooFew(a, b, plan));
        }

        final List<String> notes = notes(a, b, !refusals.isEmpty());
        if (plan.metrics().size() < asked.metrics().size())
        {
            notes.add(asked.metrics().stream().filter((metric) -> !plan.metrics().contains(metric)).map(Metric::name)
                .collect(Collectors.joining(", ")) + " not compared: fewer than 10 messages of a run are beyond it");
        }
        return new Comparison(
            plan, a, b, Conditions.differences(a, b), refusals, isTooFew && isShown, notes,
            isShown ? judged(a, b, plan) : List.of());
    }

    static List<Change> judged(final RunSet a, final RunSet b, final ComparisonPlan plan)
    {
        return Change.judged(
            plan.metrics().stream().map((metric) -> new Change.Pair(metric, a, b, List.of())).toList(), plan);
    }

    /** Whether a metric is proven to be worse by enough to matter. */
    public boolean isRegression()
    {
        return count(Change.Outcome.WORSE) > 0;
    }

    public boolean isRefused()
    {
        return !refusals.isEmpty();
    }

    @JsonProperty
    String format()
    {
        return FORMAT;
    }

    @JsonProperty
    String outcome()
    {
        return isTooFew ? "UNDECIDED" : isRefused() ? "REFUSED" : isRegression() ? "REGRESSION" : "NO REGRESSION";
    }

    @JsonProperty
    String summary()
    {
        if (isRefused())
        {
            return isTooFew ? "undecided: too few starts for a verdict; only the medians are shown" :
                "refused: these sets cannot be compared";
        }

        final long worse = count(Change.Outcome.WORSE);
        final long better = count(Change.Outcome.BETTER);
        final String effect = Lines.text("%s%%", percent(plan.minEffect()));
        return 0 == worse + better ? "no change of " + effect + " or more is proven" :
            (worse > 0 ? "REGRESSION: " : "no regression: ") + worse + " of " + changes.size() + " worse, " + better +
            " better, by " + effect + " or more";
    }

    /** A share in percent without trailing zeros. */
    static String percent(final double share)
    {
        return BigDecimal.valueOf(share).movePointRight(2).stripTrailingZeros().toPlainString();
    }

    public String text(final boolean isMarkdown)
    {
        final Sheet sheet = new Sheet(isMarkdown, summary());
        List.of(a, b).forEach((set) -> sheet.remarks(set.name(), List.of(set.size() + " in " +
            String.join(", ", set.folders().stream().map(Object::toString).toList()))));
        sheet.remarks("differs", differences.stream().map((difference) -> difference.path() + ": A " +
            String.join(" | ", difference.a()) + ", B " + String.join(" | ", difference.b())).toList());
        sheet.remarks("refused", refusals).remarks("note", notes);
        if (changes.isEmpty())
        {
            return sheet.toString();
        }

        final TextTable table = new TextTable().left("").right("A median").left("interval").right("B median")
            .left("interval").right("change").right("p").left("");
        for (final Change change : changes)
        {
            final Metric metric = change.metric();
            table.row(
                metric.title(), metric.format(change.a().median()), interval(metric, change.a()),
                metric.format(change.b().median()), interval(metric, change.b()),
                change.isShown() ? change.shareText() : change.sign(),
                Lines.text("%.4f", change.adjustedPValue()), change.isShown() ? change.sign() : "");
        }
        return sheet.blank().table(table).with(legend());
    }

    /** As JUnit XML: a case for whether the sets can be compared, and one for each metric. */
    public String junit()
    {
        final JunitSuite suite = new JunitSuite("compare", 0).judgeable("sets are comparable", refusals, "");
        for (final Change change : changes)
        {
            final Metric metric = change.metric();
            suite.judged(
                metric.name(), isRefused() ? summary() : null,
                change.isWorse() ? metric.title() + " changed by " + change.shareText() : null, Lines.text(
                "A %s (%s), B %s (%s), p %.4f, %s", metric.format(change.a().median()),
                interval(metric, change.a()), metric.format(change.b().median()), interval(metric, change.b()),
                change.adjustedPValue(), change.sign()));
        }
        return suite.xml();
    }

    /** What the columns mean, and their confidence. */
    private String legend()
    {
        return Lines.text(
            "Medians over starts, of the median run of each, with the interval of order statistics, which contains the true " +
            "median with %.1f%% (A) and " +
            "%.1f%% (B); %s%% needs %d starts; never narrower than the scatter within the runs. " +
            "p: Mann-Whitney, two-sided, corrected for %d metrics by Holm's method. " +
            "~: not proven at %s%%, or less than %s%%.",
            100 * changes.get(0).a().confidence(), 100 * changes.get(0).b().confidence(),
            percent(1 - plan.alpha()), MedianInterval.leastCount(1 - plan.alpha()), plan.metrics().size(),
            percent(plan.alpha()), percent(plan.minEffect()));
    }

    private static String interval(final Metric metric, final MedianInterval interval)
    {
        return metric.format(interval.low()) + " .. " + metric.format(interval.high());
    }

    private long count(final Change.Outcome outcome)
    {
        return changes.stream().filter((change) -> outcome == change.outcome()).count();
    }

    /** Why the sets cannot be compared, even with more starts; a sentence each. */
    static List<String> refusals(final RunSet a, final RunSet b, final ComparisonPlan plan)
    {
        final List<String> refusals = new ArrayList<>();
        Conditions.check(plan.allowed(), Stream.of(a, b).flatMap((set) -> set.runs().stream()).toList());
        if (plan.metrics().isEmpty())
        {
            refusals.add("fewer than 10 messages of a run are beyond each percentile: make the runs longer");
        }
        final Map<JsonNode, Path> seen = new HashMap<>();
        for (final RunSet set : List.of(a, b))
        {
            for (final ComparedRun run : set.runs())
            {
                final Path same = seen.put(run.manifest(), run.folder());
                if (null != same)
                {
                    refusals.add(run + " is the same run as " + same + "; a run counts once");
                }
                if (!run.isGood() && !plan.isFailedAllowed())
                {
                    refusals.add(run + " is " + run.verdict() + " (" + run.reason() + "); --allow-failed includes it");
                }
                plan.metrics().stream().filter((metric) -> !metric.isIn(run))
                    .forEach((metric) -> refusals.add(run + " has no " + metric.name()));
            }
            if (!plan.isFailedAllowed())
            {
                set.unfinished().forEach((folder) -> refusals.add(
                    folder + " is of a run whose process was killed; --allow-failed skips it"));
            }
        }
        Conditions.differences(a, b).stream().filter(Conditions::isForbidding)
            .filter((one) -> !plan.allowed().contains(one.key()) && !plan.allowed().contains(one.path()))
            .forEach((one) -> refusals.add(
            one.path() + " differs " + (one.isWithinASet() ? "within a set" : "between A and B") + ": A has " +
            String.join(" | ", one.a()) + ", B has " + String.join(" | ", one.b()) + "; --allow-different " + one.key() +
            " allows it"));
        return refusals;
    }

    private static String tooFew(final RunSet a, final RunSet b, final ComparisonPlan plan)
    {
        return "too few starts of the members: A has " + a.startCount() + ", B has " + b.startCount() +
            "; runs of one start share what chance decided in it, so more of them cannot prove a difference; sets of equal " +
            "size need at least " + MannWhitney.leastCount(plan.strictestAlpha()) + " starts each (" +
            Lines.plural(plan.metrics().size(), "metric") + " at a significance of " +
            percent(plan.alpha()) + "% in all)";
    }

    private static List<String> notes(final RunSet a, final RunSet b, final boolean isRefused)
    {
        final List<String> notes = new ArrayList<>();
        if (a.runs().isEmpty() || b.runs().isEmpty())
        {
            return notes;
        }

        if (isBefore(a, b) || isBefore(b, a))
        {
            notes.add("all runs of one set precede those of the other, so a drift of the machine looks like a change; " +
                "interleave the runs (A B A B)");
        }
        Stream.of(a, b).forEach((set) -> addNotes(notes, set, isRefused));
        return notes;
    }

    /** What a reader should know of a set, a sentence each. */
    static void addNotes(final List<String> notes, final RunSet set, final boolean isRefused)
    {
        note(notes, set, set.unknownStartCount(), (one) -> " without the start of the members, each counted as one of its own: " +
            "where several share a start, p is too small, and a difference may be one of the starts alone");
        note(notes, set, count(set, (run) -> !run.manifest().at("/verdict/warnings").isEmpty()),
            (one) -> (one ? " has" : " have") + " warnings: see summary.txt there");
        note(notes, set, count(set, (run) -> !run.isGood()), (one) -> (one ? " is" : " are") + " not good" +
            (isRefused ? "" : one ? " but is compared" : " but are compared"));
        note(notes, set, count(set, (run) -> Verdict.CLIENT_LIMITED.equals(run.verdict())),
            (one) -> (one ? " is " : " are ") + Verdict.CLIENT_LIMITED +
            ": its times are largely those of the load client, so a change of them need not be one of the cluster");
        final int killed = set.unfinished().size();
        if (killed > 0)
        {
            notes.add((1 == killed ? "1 folder of " + set.name() + " is of a run whose process was killed and is" :
                killed + " folders of " + set.name() + " are of runs whose process was killed and are") + " skipped");
        }
        if (count(set, (run) -> ForeignResult.FORMAT.equals(run.manifest().path("format").asText())) > 0)
        {
            notes.add(set.name() + " is " + ForeignResult.LABEL + ": its numbers do not include messages without a reply");
        }
        if (count(set, (run) -> run.manifest().path("durability").asText().startsWith("not known")) > 0)
        {
            notes.add("the durability of " + set.name() + " is not known");
        }
    }

    private static long count(final RunSet set, final Predicate<ComparedRun> condition)
    {
        return set.runs().stream().filter(condition).count();
    }

    /** @param words of some runs, given whether it is one. */
    private static void note(
        final List<String> notes, final RunSet set, final long count, final Function<Boolean, String> words)
    {
        if (count > 0)
        {
            notes.add(count + " of " + Lines.plural(set.runs().size(), "run") + " of " + set.name() + words.apply(1 == count));
        }
    }

    private static boolean isBefore(final RunSet first, final RunSet second)
    {
        final Instant lastOfFirst = first.runs().get(first.runs().size() - 1).start();
        final Instant firstOfSecond = second.runs().get(0).start();
        return null != lastOfFirst && null != firstOfSecond && lastOfFirst.isBefore(firstOfSecond);
    }
}

package io.clusterecho.reporting.trend;

import static io.clusterecho.text.Lines.line;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.clusterecho.text.TextTable;

/** A record over time as text for a person, or as Markdown. */
public final class TrendText
{
    private static final int MAX_POINTS = 20;
    private static final String MARK = "*";

    private TrendText()
    {
    }

    /** As text: the newest points of each group that has several, and what changed. */
    public static String text(final Trend trend)
    {
        final StringBuilder text = new StringBuilder(4096);
        line(text, "%s", null == trend.gate() ? trend.summary() : trend.gate().summary());
        line(text, "");
        if (null != trend.gate())
        {
            line(text, "record    %s", trend.summary());
            trend.gate().refusals().forEach((refusal) -> line(text, "refused   %s", refusal));
        }
        trend.warnings().forEach((warning) -> line(text, "warning   %s", warning));
        trend.notes().forEach((note) -> line(text, "note      %s", note));
        final List<TrendGroup> single = trend.groups().stream().filter((group) -> 1 == group.points().size()).toList();
        for (final TrendGroup group : trend.groups())
        {
            if (group.points().size() > 1)
            {
                line(text, "");
                line(text, "%s", group.name());
                text.append(table(group).text().indent(2));
                hidden(text, group, "  ");
                group.series().forEach((series) -> line(text, "  %s", series.sentence(group.points())));
            }
        }
        if (!single.isEmpty())
        {
            line(text, "");
            line(text, "groups of a single point, which have no trend yet:");
            final TextTable table = new TextTable().left("date").left("commit").right("results").left("group");
            single.forEach((group) -> table.row(
                group.newest().day(), group.newest().commit(), group.newest().results().size(), group.name()));
            text.append(table.text().indent(2));
        }
        if (null != trend.gate() && !trend.gate().judged().isEmpty())
        {
            line(text, "");
            line(text, "commit %s against the level before it:", trend.gate().commit());
            trend.gate().judged().forEach((one) -> line(
                text, "  %s%s", trend.gate().judged().stream().map(TrendGate.Judged::group).distinct().count() > 1 ?
                "[" + one.group().name() + "] " : "", one.sentence()));
        }
        line(text, "");
        line(text, "%s", legend());
        return text.toString();
    }

    public static String markdown(final Trend trend)
    {
        final StringBuilder text = new StringBuilder(4096);
        line(text, "### %s", escaped(null == trend.gate() ? trend.summary() : trend.gate().summary()));
        line(text, "");
        if (null != trend.gate())
        {
            trend.gate().refusals().forEach((refusal) -> line(text, "- refused: %s", escaped(refusal)));
            trend.gate().judged().forEach((one) -> line(
                text, "- %s%s: %s%s", one.isWorse() ? "**" : "", escaped(one.group().name()), escaped(one.sentence()),
                one.isWorse() ? "**" : ""));
        }
        trend.warnings().forEach((warning) -> line(text, "- warning: %s", escaped(warning)));
        trend.notes().forEach((note) -> line(text, "- note: %s", escaped(note)));
        for (final TrendGroup group : trend.groups())
        {
            line(text, "");
            line(text, "#### %s", escaped(group.name()));
            line(text, "");
            text.append(table(group).markdown());
            line(text, "");
            hidden(text, group, "");
            group.series().forEach((series) -> line(text, "- %s", escaped(series.sentence(group.points()))));
        }
        line(text, "");
        line(text, "%s", escaped(legend()));
        return text.toString();
    }

    private static void hidden(final StringBuilder text, final TrendGroup group, final String indent)
    {
        if (group.points().size() > MAX_POINTS)
        {
            line(text, "%sand %d earlier points, on the page and in the JSON", indent, group.points().size() - MAX_POINTS);
        }
    }

    private static TextTable table(final TrendGroup group)
    {
        final TextTable table = new TextTable().left("date").left("commit").right("results");
        group.series().forEach((series) -> table.right(series.metric().name()).left("range"));
        final int count = group.points().size();
        for (int i = Math.max(0, count - MAX_POINTS); i < count; i++)
        {
            final TrendPoint point = group.points().get(i);
            final List<Object> cells = new ArrayList<>(List.of(point.day(), point.commit(), point.results().size()));
            for (final TrendSeries series : group.series())
            {
                final int index = i;
                final TrendPoint.Value value = series.values().get(i);
                final boolean isChange = series.changes().stream().anyMatch((change) -> index == change.index());
                cells.add(null == value ? "-" : (isChange ? MARK : "") + series.metric().format(value.median()));
                cells.add(null == value || value.low() == value.high() ? "" :
                    series.metric().format(value.low()) + " .. " + series.metric().format(value.high()));
            }
            table.row(cells);
        }
        return table;
    }

    private static String legend()
    {
        return String.format(
            Locale.ROOT, "A point is the median of the results of a commit on a day, with their range, or the 95%% bounds of a " +
            "single one where known. %s: first point of a new level; a series without a change has one in at most %.0f%% of " +
            "cases, if its points are independent.", MARK, 100 * TrendPlan.CHANGE_ALPHA);
    }

    private static String escaped(final String text)
    {
        return text.replaceAll("([\\\\`*_|<>\\[\\]~])", "\\\\$1");
    }
}

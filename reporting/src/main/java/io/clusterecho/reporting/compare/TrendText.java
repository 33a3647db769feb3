package io.clusterecho.reporting.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.clusterecho.reporting.results.JunitSuite;
import io.clusterecho.text.TextTable;

/** A record over time as text for a person, or as Markdown. */
public final class TrendText
{
    private static final int MAX_POINTS = 20;
    private static final String MARK = "*";

    private TrendText()
    {
    }

    /** As JUnit XML: a case for whether the newest commit can be judged, and one for each metric of each group. */
    public static String junit(final Trend trend)
    {
        final TrendGate gate = trend.gate();
        final JunitSuite suite =
            new JunitSuite("trend", 0).judgeable("results are complete", gate.refusals(), trend.summary());
        gate.judged().forEach((one) -> suite.judged(
            one.group() + ", " + one.metric(),
            null != one.undecided() || gate.refusals().isEmpty() ? one.undecided() : gate.summary(), one.worse(),
            one.sentence()));
        return suite.xml();
    }

    /** The newest points of each group that has several, and what changed. */
    public static String text(final Trend trend, final boolean isMarkdown)
    {
        final TrendGate gate = trend.gate();
        final Sheet sheet = new Sheet(isMarkdown).heading(1, null == gate ? trend.summary() : gate.summary());
        if (null != gate)
        {
            sheet.remark("record", trend.summary()).remarks("refused", gate.refusals());
        }
        sheet.remarks("warning", trend.warnings()).remarks("note", trend.notes());
        final List<TrendGroup> single = trend.groups().stream().filter((group) -> 1 == group.points().size()).toList();
        for (final TrendGroup group : trend.groups())
        {
            final int count = group.points().size();
            if (count > 1)
            {
                sheet.blank().heading(2, group.name()).table(table(group), 2);
                if (count > MAX_POINTS)
                {
                    sheet.entry("and " + (count - MAX_POINTS) + " earlier points, on the page and in the JSON");
                }
                group.series().forEach((series) -> sheet.entry(series.sentence()));
            }
        }
        if (!single.isEmpty())
        {
            final TextTable table = new TextTable().left("date").left("commit").right("results").left("group");
            single.forEach((group) -> table.row(
                group.newest().day(), group.newest().commit(), group.newest().results().size(), group.name()));
            sheet.blank().heading(2, "groups of a single point, which have no trend yet:").table(table, 2);
        }
        if (null != gate && !gate.judged().isEmpty())
        {
            sheet.blank().heading(2, "commit " + gate.commit() + " against the level before it:");
            final boolean isOne = 1 == gate.judged().stream().map(TrendGate.Judged::group).distinct().count();
            gate.judged().forEach((one) -> sheet.entry((isOne ? "" : "[" + one.group() + "] ") + one.sentence()));
        }
        return sheet.blank().paragraph(legend()).toString();
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
                final boolean isChange = series.changes().stream().anyMatch((change) -> index == change.point());
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
            "cases, if its points are independent.", MARK, 100 * TrendSeries.CHANGE_ALPHA);
    }
}

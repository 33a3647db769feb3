package io.clusterecho.client.compare;

import java.util.Locale;

/**
 * A comparison as Markdown, for the summary of a pipeline or a comment on a change.
 */
public final class ComparisonMarkdown
{
    private ComparisonMarkdown()
    {
    }

    /**
     * Put it into Markdown.
     *
     * @param comparison to show.
     * @return a heading, a table, and lists of what differs and what to know.
     */
    public static String text(final Comparison comparison)
    {
        final StringBuilder text = new StringBuilder(1024);
        line(text, "### %s", escaped(comparison.summary()));
        line(text, "");
        if (!comparison.changes().isEmpty())
        {
            line(text, "| | A (%d runs) | interval | B (%d runs) | interval | change | p |",
                comparison.a().runs().size(), comparison.b().runs().size());
            line(text, "|---|--:|---|--:|---|--:|--:|");
            for (final Change change : comparison.changes())
            {
                final Metric metric = change.metric();
                line(text, "| %s %s | %s | %s | %s | %s | %s | %.4f |",
                    metric.kind(), metric.name().replaceFirst("^(service|delay)\\.|^rate$", ""),
                    metric.format(change.a().median()), ComparisonText.interval(metric, change.a()),
                    metric.format(change.b().median()), ComparisonText.interval(metric, change.b()),
                    ComparisonText.isShown(change) ? "**" + change.shareText() + " " + change.outcome().sign() + "**" :
                        change.outcome().sign(),
                    change.adjustedPValue());
            }
            line(text, "");
            line(text, "%s", escaped(ComparisonText.legend(comparison)));
            line(text, "");
        }
        comparison.refusals().forEach((refusal) -> line(text, "- refused: %s", escaped(refusal)));
        comparison.notes().forEach((note) -> line(text, "- note: %s", escaped(note)));
        for (final Difference difference : comparison.differences())
        {
            line(text, "- differs: `%s`: A %s, B %s", difference.path(), escaped(String.join(" / ", difference.inA())),
                escaped(String.join(" / ", difference.inB())));
        }

        return text.toString();
    }

    private static String escaped(final String text)
    {
        return text.replaceAll("([\\\\`*_|<>\\[\\]~])", "\\\\$1");
    }

    private static void line(final StringBuilder text, final String format, final Object... arguments)
    {
        text.append(String.format(Locale.ROOT, format, arguments).stripTrailing()).append('\n');
    }
}

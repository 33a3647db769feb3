package io.clusterecho.reporting.compare;

import static io.clusterecho.text.Lines.line;

import java.util.Locale;

import io.clusterecho.text.TextTable;

/** A comparison as Markdown, for the summary of a pipeline or a comment on a pull request. */
public final class ComparisonMarkdown
{
    private ComparisonMarkdown()
    {
    }

    /** A heading, a table, and lists of differences and notes. */
    public static String text(final Comparison comparison)
    {
        final StringBuilder text = new StringBuilder(1024);
        line(text, "### %s", escaped(comparison.summary()));
        line(text, "");
        if (!comparison.changes().isEmpty())
        {
            final TextTable table = new TextTable().left("")
                .right("A (" + comparison.a().size() + ")").left("interval")
                .right("B (" + comparison.b().size() + ")").left("interval").right("change").right("p");
            for (final Change change : comparison.changes())
            {
                final Metric metric = change.metric();
                table.row(
                    metric.kind() + " " + metric.name().replaceFirst("^(service|delay)\\.|^rate$", ""),
                    metric.format(change.a().median()), ComparisonText.interval(metric, change.a()),
                    metric.format(change.b().median()), ComparisonText.interval(metric, change.b()),
                    ComparisonText.isShown(change) ? "**" + change.shareText() + " " + change.outcome().sign() + "**" :
                        change.outcome().sign(),
                    String.format(Locale.ROOT, "%.4f", change.adjustedPValue()));
            }
            text.append(table.markdown());
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
}

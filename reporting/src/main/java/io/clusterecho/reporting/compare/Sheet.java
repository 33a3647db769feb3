package io.clusterecho.reporting.compare;

import static io.clusterecho.text.Lines.line;

import java.util.List;

import io.clusterecho.text.TextTable;

/** A summary, remarks and tables as text for a terminal, or as Markdown for the summary of a pipeline. */
final class Sheet
{
    private final StringBuilder text = new StringBuilder(4096);
    private final boolean isMarkdown;

    Sheet(final boolean isMarkdown, final String summary)
    {
        this.isMarkdown = isMarkdown;
        lines("### ", "", List.of(summary)).blank();
    }

    /** A line for each sentence, with the word that says what it is. */
    Sheet remarks(final String word, final List<String> sentences)
    {
        return lines("- " + word + ": ", String.format("%-9s ", word), sentences);
    }

    Sheet heading(final String words)
    {
        blank().lines("#### ", "", List.of(words));
        return isMarkdown ? blank() : this;
    }

    Sheet entries(final List<String> sentences)
    {
        return lines("- ", "  ", sentences);
    }

    Sheet table(final TextTable table)
    {
        text.append(isMarkdown ? table.markdown() : table.text());
        return isMarkdown ? blank() : this;
    }

    Sheet blank()
    {
        return lines("", "", List.of(""));
    }

    /** The text, with a last paragraph. */
    String with(final String paragraph)
    {
        return blank().lines("", "", List.of(paragraph)).toString();
    }

    private Sheet lines(final String markdown, final String plain, final List<String> sentences)
    {
        sentences.forEach((one) -> line(
            text, "%s", isMarkdown ? markdown + one.replaceAll("([\\\\`*_|<>\\[\\]~])", "\\\\$1") : plain + one));
        return this;
    }

    @Override
    public String toString()
    {
        return text.toString();
    }
}

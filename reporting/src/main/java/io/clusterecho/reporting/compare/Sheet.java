package io.clusterecho.reporting.compare;

import static io.clusterecho.text.Lines.line;

import io.clusterecho.text.TextTable;

/** Headings, remarks and tables as text for a terminal, or as Markdown for the summary of a pipeline. */
public final class Sheet
{
    private final StringBuilder text = new StringBuilder(4096);
    private final boolean isMarkdown;

    public Sheet(final boolean isMarkdown)
    {
        this.isMarkdown = isMarkdown;
    }

    /** @param level 1 for the first line. */
    public Sheet heading(final int level, final String words)
    {
        line(text, "%s", isMarkdown ? "#".repeat(2 + level) + " " + escaped(words) : words);
        return isMarkdown || 1 == level ? blank() : this;
    }

    /** A remark with the word that says what it is. */
    public Sheet remark(final String word, final String words)
    {
        line(text, isMarkdown ? "- %s: %s" : "%-9s %s", word, escaped(words));
        return this;
    }

    /** An entry below a heading or a table. */
    public Sheet entry(final String words)
    {
        line(text, isMarkdown ? "- %s" : "  %s", escaped(words));
        return this;
    }

    public Sheet table(final TextTable table, final int indent)
    {
        text.append(isMarkdown ? table.markdown() : table.text().indent(indent));
        return isMarkdown ? blank() : this;
    }

    public Sheet paragraph(final String words)
    {
        line(text, "%s", escaped(words));
        return this;
    }

    public Sheet blank()
    {
        line(text, "");
        return this;
    }

    private String escaped(final String words)
    {
        return isMarkdown ? words.replaceAll("([\\\\`*_|<>\\[\\]~])", "\\\\$1") : words;
    }

    @Override
    public String toString()
    {
        return text.toString();
    }
}
